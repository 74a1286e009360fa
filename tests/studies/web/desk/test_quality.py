"""Agreement and flags at the desk, on studies taken by simulated people: the numbers of `empathic study analyze`."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from empathic.cli import main
from empathic.cli.desking import Overseer
from empathic.errors import InputError
from empathic.studies.desk import accounts
from empathic.studies.store import Store, open_store
from empathic.studies.web.app import create_app
from empathic.studies.web.desk import quality

PASSWORD = "violet harbour 9 spoons"


def rows(page: str) -> list[list[str]]:
    strip = re.compile(r"<[^>]+>")
    return [
        [html.unescape(strip.sub("", cell)).strip() for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.S)]
        for row in re.findall(r"<tr>(.*?)</tr>", page, re.S)
    ]


def at_desk(store: Store, mode: Any, oversight: Any = None) -> TestClient:
    """A browser that is logged in."""
    accounts.set_password(store, PASSWORD)
    client = TestClient(create_app(store, mode=mode, oversight=oversight or Overseer()))
    token = re.search(r'name="csrf" value="([^"]+)"', client.get("/desk/login").text)
    assert token is not None
    fields = {"csrf": token[1], "name": "researcher", "password": PASSWORD}
    assert client.post("/desk/login", data=fields).url.path == "/desk/progress"
    return client


@pytest.fixture
def simulated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[Path, str]]:
    """The example of a design, taken by simulated people over HTTP."""

    def take(design: str, n: int) -> tuple[Path, str]:
        folder = tmp_path / design
        assert main(["study", "new", "--design", design, str(folder), "--json"]) == 0
        path = folder / "study.yaml"
        text = path.read_text().replace("batch: 10", "batch: 5").replace("per_rater: 4", "per_rater: 3")
        path.write_text(text)
        words = ["--n", str(n), "--dropout", "0", "--refresh", "0", "--two-tabs", "0", "--effect", ".5", "--json"]
        assert main(["study", "simulate", str(folder), *words]) == 0
        capsys.readouterr()
        return folder, f"sqlite:///{folder}/simulated.db"

    return take


@pytest.mark.slow
def test_the_agreement_of_observers_is_that_of_study_analyze(
    simulated: Callable[..., tuple[Path, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, address = simulated("observer", 12)
    main(["study", "analyze", str(folder), "--mode", "simulated", "--database", address, "--json"])
    analyses = json.loads(capsys.readouterr().out)
    store = open_store(address)
    shown = {(row[0], row[1]): row for row in rows(at_desk(store, "simulated").get("/desk/agreement").text)}
    store.close()
    compared = 0
    for analysis in analyses:
        alpha = analysis["estimates"][0]
        row = shown[analysis["item"], "Krippendorff’s α"]
        assert row[2] == ("–" if alpha["value"] is None else f"{alpha['value']:.3f}")
        if alpha["value"] is not None:
            assert row[3] == f"[{alpha['low']:.3f}, {alpha['high']:.3f}]"
            assert int(row[5]) == alpha["n"]
            compared += 1
    assert compared >= 5
    assert any(name == "ICC(1,1)" for _, name in shown)
    assert any(name == "Cronbach’s α" for _, name in shown)


def test_simulated_people_are_flagged_for_their_haste_and_checks_with_links(
    simulated: Callable[..., tuple[Path, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, address = simulated("between", 12)
    main(["study", "export", str(folder), "--mode", "simulated", "--database", address, "--everyone", "--json"])
    capsys.readouterr()
    raters = [json.loads(line) for line in (folder / "export" / "raters.jsonl").read_text().splitlines()]
    done = [each for each in raters if each["traits"]["state"] == "finished"]
    store = open_store(address)
    client = at_desk(store, "simulated")
    page = client.get("/desk/flags").text
    agreement = client.get("/desk/agreement").text
    store.close()
    failed = [each["id"][6:] for each in done if each["traits"]["checks_failed"]]
    cards = {
        re.sub(r"\s+", " ", card.split(">")[0]): card for card in page.split('<section class="card" aria-label=')[1:]
    }
    checks = next(card for name, card in cards.items() if "failed attention checks" in name)
    assert re.findall(r"/desk/people/(\w+)", checks) == failed
    fast = next(card for name, card in cards.items() if "too fast" in name)
    assert len(re.findall(r"/desk/people/", fast)) == len(done), "nobody reads an item in milliseconds"
    assert "less than 2 seconds per answer" in fast
    assert f"Of the {len(done)} people who finished" in page
    assert any("equal to another" in name for name in cards)
    assert any("contradictory reversed items" in name for name in cards)
    assert "no unit was rated by two raters" in agreement, "each response has one rater"
    teq = next(row for row in rows(agreement) if row[1:2] == ["Cronbach’s α"])
    assert int(teq[5]) == sum(each["traits"]["outcome"] == "complete" for each in raters)


class Slow:
    """Answers when it is let go on, or fails."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def agreement(self, *_: Any) -> Any:
        self.go.wait()
        raise InputError("a rating on 'x' cannot be scored")

    def flags(self, *_: Any) -> Any:
        return []


def test_participants_and_other_pages_do_not_wait_for_a_slow_computation(
    served: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = served()
    slow = Slow()
    client = at_desk(store, "live", slow)
    monkeypatch.setattr(quality, "WAIT_SECONDS", 0.05)
    page = client.get("/desk/agreement").text
    assert "Computing" in page
    assert '<meta http-equiv="refresh"' in page
    person = browser()
    person.begin()
    assert person.status == 200
    assert client.get("/desk/progress").status_code == 200
    slow.go.set()
    monkeypatch.setattr(quality, "WAIT_SECONDS", 5.0)
    page = client.get("/desk/agreement").text
    assert "This cannot be computed: a rating on &#39;x&#39; cannot be scored" in page
    assert "refresh" not in page


def test_an_empty_study_and_a_server_without_statistics_say_so(seated: Any, store: Store) -> None:
    _, desk = seated()
    assert "has no statistics" in desk.open("/desk/agreement")
    assert "has no statistics" in desk.open("/desk/flags")
    client = at_desk(store, "live")
    assert "Nobody has completed yet" in client.get("/desk/agreement").text
    assert "Of the 0 people who finished" in client.get("/desk/flags").text
