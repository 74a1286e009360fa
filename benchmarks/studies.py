"""How quickly a study answers many people at once, on one process, beside oTree serving the same flow of pages.

    python benchmarks/studies.py                                # 50 to 500 people, both servers, claims, saturation
    python benchmarks/studies.py --people 50 --think 1 --without-otree

Consent, demographics, 10 rating pages. People think for a while (uniform, half to one and a half `--think` seconds)
before each click; the time from the click to the complete next page counts. Servers, and the one that makes the load, are
processes of their own. oTree (production server, SQLite on disk) is installed into a virtual environment made for the run.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import html
import json
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

import aiohttp

OTREE = "otree==6.0.15"
PAGES = 10
HIDDEN = re.compile(r'<input type=.?hidden.? name=["\']([^"\']+)["\'] value=["\']([^"\']*)["\']')
RADIO = re.compile(r'type="radio"[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"')
ACTION = re.compile(r'<form method="post" action="([^"]+)"')
STUDY = """\
design: between
title: How empathic are these responses?
description: You rate ten responses.
consent: {version: "1", text: I take part of my own will.}
codes: {complete: A1, screened_out: B2, failed: C3, withdrawn: D4}
platform: {kind: url, parameter: id}
help: Call 116 123.
debrief: Thank you.
questions:
- {id: gender, text: "What is your gender?", options: [female, male, other]}
- {id: age, text: "How old are you?", kind: number, low: 18, high: 110}
responses: responses.jsonl
instrument: bad-okay-good
conditions: [person, eliza, if-else]
batch: 10
raters: RATERS
"""
OTREE_SETTINGS = """\
SESSION_CONFIGS = [dict(name='rate', app_sequence=['rate'], num_demo_participants=1)]
SESSION_CONFIG_DEFAULTS = dict(real_world_currency_per_point=1.0, participation_fee=0.0, doc='')
LANGUAGE_CODE, REAL_WORLD_CURRENCY_CODE, USE_POINTS = 'en', 'EUR', True
ADMIN_USERNAME, ADMIN_PASSWORD, SECRET_KEY = 'admin', 'not-the-default-7', 'a-benchmark-needs-no-secret'
DEMO_PAGE_INTRO_HTML = ''
"""
OTREE_APP = """\
from otree.api import *

class C(BaseConstants):
    NAME_IN_URL, PLAYERS_PER_GROUP, NUM_ROUNDS = 'rate', None, 10

class Subsession(BaseSubsession): pass
class Group(BaseGroup): pass

class Player(BasePlayer):
    agree = models.BooleanField(choices=[[True, 'I agree']], widget=widgets.RadioSelect)
    gender = models.StringField(choices=['female', 'male', 'other'], widget=widgets.RadioSelect)
    age = models.IntegerField(min=18, max=110)
    empathy = models.IntegerField(choices=[[1, 'Bad'], [2, 'Okay'], [3, 'Good']], widget=widgets.RadioSelect)

class First(Page):
    form_model = 'player'
    @staticmethod
    def is_displayed(player): return player.round_number == 1

class Consent(First):
    form_fields = ['agree']

class About(First):
    form_fields = ['gender', 'age']

class Rate(Page):
    form_model, form_fields = 'player', ['empathy']

page_sequence = [Consent, About, Rate]
"""
OTREE_PAGE = "{{ block content }}<p>TEXT</p>{{ formfields }}{{ next_button }}{{ endblock }}"
SAID = "A situation, what somebody felt, what they said, and the response that is to be rated. " * 4


# --- the load: a process of its own


class Person:
    """Takes the study page by page and notes how long every click took."""

    def __init__(self, session: aiohttp.ClientSession, address: str, number: int, think: float, found: dict) -> None:
        self.session, self.address, self.think, self.found = session, address, think, found
        self.rng = random.Random(number)

    async def fetch(self, method: str, path: str, **what: object) -> tuple[str, str]:
        address = path if path.startswith("http") else self.address + path
        async with self.session.request(method, address, **what) as answer:
            text = await answer.text()
            if answer.status != 200:
                self.found["errors"].append(f"{method} {path}: {answer.status} {text[:200]}")
            return str(answer.url), text

    async def pause(self) -> None:
        if self.think:
            await asyncio.sleep(self.think * self.rng.uniform(0.5, 1.5))

    async def click(self, where: str, form: dict[str, str]) -> tuple[str, str]:
        await self.pause()
        begin = time.perf_counter()
        page = await self.fetch("POST", where, data=form)
        self.found["clicks"].append(time.perf_counter() - begin)
        return page

    def filled(self, text: str) -> dict[str, str]:
        form = {name: html.unescape(value) for name, value in HIDDEN.findall(text)}
        radios: dict[str, list[str]] = {}
        for name, value in RADIO.findall(text):
            radios.setdefault(html.unescape(name), []).append(value)
        form |= {name: self.rng.choice(values) for name, values in radios.items()}
        return form


async def take_empathic(person: Person, link: str, gate: asyncio.Event | None = None) -> None:
    _, text = await person.fetch("GET", link)
    _, text = await person.click("/start", person.filled(text))
    _, text = await person.click("/study/consent", {**person.filled(text), "agree": "yes"})
    about = {**person.filled(text), "about.age": "30"}
    if gate is not None:
        person.found["ready"] += 1
        await gate.wait()
        await person.click("/study/about", about)
        return
    _, text = await person.click("/study/about", about)
    for _ in range(PAGES + 1):
        where = ACTION.search(text)
        if where is None:
            person.found["errors"].append(f"no form: {text[:200]}")
            return
        _, text = await person.click(where[1], person.filled(text))
    person.found["complete"] += "A1" in text


async def take_otree(person: Person, link: str) -> None:
    where, text = await person.fetch("GET", link)
    for _ in range(PAGES + 2):
        form = person.filled(text)
        form |= {"age": "30"} if 'name="age"' in text else {}
        where, text = await person.click(where, form)
    person.found["complete"] += "OutOfRangeNotification" in where


async def load(kind: str, address: str, links: list[str], think: float) -> dict[str, object]:
    found: dict = {"clicks": [], "errors": [], "complete": 0, "ready": 0}
    # A connection idle for longer may be closed by the server just as it is used again.
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=2)
    begin = time.perf_counter()

    async def one(number: int, link: str) -> None:
        await asyncio.sleep(random.Random(-number).uniform(0, think))
        jar = aiohttp.CookieJar(unsafe=True)
        limit = aiohttp.ClientTimeout(total=600)
        async with aiohttp.ClientSession(
            connector=connector, connector_owner=False, cookie_jar=jar, timeout=limit
        ) as session:
            person = Person(session, address, number, think, found)
            await (take_otree(person, link) if kind == "otree" else take_empathic(person, link, gate))

    gate = asyncio.Event() if kind == "claims" else None
    tasks = [asyncio.create_task(one(number, link)) for number, link in enumerate(links)]
    if gate is not None:
        while found["ready"] < len(links) and not found["errors"]:
            await asyncio.sleep(0.05)
        found["clicks"].clear()
        begin = time.perf_counter()
        gate.set()
    await asyncio.gather(*tasks)
    await connector.close()
    return {**found, "seconds": time.perf_counter() - begin}


# --- the servers


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextlib.contextmanager
def serving(command: list[str], folder: Path, address: str, **environment: str) -> Iterator[int]:
    """A server process, from when it answers to the end of the block."""
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **environment}, stdout=log, stderr=log, start_new_session=True
        )
    try:
        for _ in range(1200):
            with contextlib.suppress(OSError), urllib.request.urlopen(address):
                break
            if process.poll() is not None:
                raise SystemExit((folder / "server.log").read_text()[-2000:])
            time.sleep(0.1)
        yield process.pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measured(kind: str, address: str, links: list[str], think: float, pid: int, expected: int) -> dict[str, float]:
    """One load by another process; refuses to report where something went wrong."""
    before = cpu_seconds(pid)
    words = [sys.executable, __file__, "--load", kind, "--address", address, "--think", str(think)]
    done = subprocess.run(words, input=json.dumps(links), text=True, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    if found["errors"] or found["complete"] != expected:
        raise SystemExit(f"{kind}: {found['complete']} of {expected} completed; {found['errors'][:3]}")
    clicks = found["clicks"]
    row = {f"p{round(100 * share)}": 1000 * quantile(clicks, share) for share in (0.5, 0.95, 0.99)}
    row |= {"pages/s": len(clicks) / found["seconds"], "cpu": 1000 * (cpu_seconds(pid) - before) / len(clicks)}
    return {**row, "MB": megabytes(pid)}


@contextlib.contextmanager
def empathic(folder: Path, people: int) -> Iterator[tuple[str, int]]:
    subprocess.run(
        [sys.executable, "-m", "empathic", "study", "new", "--design", "between", str(folder), "--json"],
        check=True,
        capture_output=True,
    )
    batches = sum(1 for _ in (folder / "responses.jsonl").open()) // 10
    (folder / "study.yaml").write_text(STUDY.replace("RATERS", str(-(-people // batches) + 1)))
    port = free_port()
    command = [sys.executable, "-m", "empathic", "study", "serve", str(folder), "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    with serving(command, folder, f"{address}/health") as pid:
        yield address, pid


def duplicates(folder: Path) -> int:
    """Places that more than one person holds, and people beyond a cell's target."""
    with contextlib.closing(sqlite3.connect(folder / "study.db")) as database:
        doubled = "SELECT count(*) - count(DISTINCT place) FROM lease WHERE state IN ('live', 'finished')"
        over = """SELECT coalesce(sum(max(0, held - target)), 0) FROM (SELECT target, count(*) AS held FROM lease
                  JOIN cell ON cell.id = lease.cell WHERE state IN ('live', 'finished') GROUP BY cell.id)"""
        return sum(int(database.execute(query).fetchone()[0]) for query in (doubled, over))


@contextlib.contextmanager
def otree(folder: Path, bin_folder: Path | None) -> Iterator[tuple[str, int]]:
    for part in ("rate", "_static", "_templates"):
        (folder / part).mkdir(parents=True)
    (folder / "settings.py").write_text(OTREE_SETTINGS)
    (folder / "rate" / "__init__.py").write_text(OTREE_APP)
    for page in ("Consent", "About", "Rate"):
        (folder / "rate" / f"{page}.html").write_text(OTREE_PAGE.replace("TEXT", SAID))
    if bin_folder is None:
        venv.create(folder / "venv", with_pip=True)
        bin_folder = folder / "venv" / "bin"
        pip = [str(bin_folder / "pip"), "install", "--quiet", "--disable-pip-version-check", OTREE]
        subprocess.run(pip, check=True, stderr=subprocess.DEVNULL)
    path = f"{bin_folder}:{os.environ['PATH']}"
    port = free_port()
    environment = {"PATH": path, "OTREE_PRODUCTION": "1", "OTREE_REST_KEY": "k"}
    subprocess.run(
        [str(bin_folder / "otree"), "resetdb", "--noinput"],
        cwd=folder,
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
    )
    command = [str(bin_folder / "otree"), "prodserver1of2", f"127.0.0.1:{port}"]
    address = f"http://127.0.0.1:{port}"
    with serving(command, folder, f"{address}/api/otree_version", **environment) as pid:
        yield address, pid


def otree_links(address: str, people: int) -> list[str]:
    def call(path: str, content: object | None = None) -> dict:
        body = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(address + path, body, {"otree-rest-key": "k"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    made = call("/api/sessions", {"session_config_name": "rate", "num_participants": people})
    session = call(f"/api/sessions/{made['code']}")
    return [f"/InitializeParticipant/{each['code']}" for each in session["participants"]]


def show(server: str, people: int, think: float, row: dict[str, float]) -> None:
    times = " | ".join(f"{row[name]:,.0f}" for name in ("p50", "p95", "p99"))
    rest = f"{row['pages/s']:.1f} | {row['cpu']:.1f} | {row['MB']:.0f}"
    print(f"| {server} | {people} | {think:g} | {times} | {rest} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, nargs="+", default=[50, 100, 250, 500])
    parser.add_argument("--think", type=float, default=10.0, help="seconds before a click, on average (default 10)")
    parser.add_argument("--without-otree", action="store_true")
    parser.add_argument("--otree", type=Path, metavar="VENV/bin", help="one that is installed already")
    parser.add_argument("--load", choices=("empathic", "claims", "otree"), help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.load:
        found = asyncio.run(load(options.load, options.address, json.load(sys.stdin), options.think))
        json.dump(found, sys.stdout)
        return
    compare(options)


def compare(options: argparse.Namespace) -> None:
    most = max(options.people)
    rounds = [*((people, options.think) for people in options.people), (min(100, most), 0.0)]
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("| server | people | think, s | p50, ms | p95 | p99 | pages/s | processor ms/page | MB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as made, contextlib.ExitStack() as stack:
        ours = Path(made) / "empathic"
        address, pid = stack.enter_context(empathic(ours, sum(people for people, _ in rounds) + most))
        theirs = None if options.without_otree else stack.enter_context(otree(Path(made) / "otree", options.otree))
        for turn, (people, think) in enumerate(rounds):
            links = [f"/?id=p{turn}-{number}" for number in range(people)]
            show("empathic", people, think, measured("empathic", address, links, think, pid, people))
            if theirs is not None:
                links = otree_links(theirs[0], people)
                show("oTree", people, think, measured("otree", theirs[0], links, think, theirs[1], people))
        links = [f"/?id=claim-{number}" for number in range(most)]
        row = measured("claims", address, links, 0.0, pid, 0)
        print(f"\n{most} claims at once: {row['pages/s']:.0f} per second, {duplicates(ours)} places given twice")


if __name__ == "__main__":
    main()
