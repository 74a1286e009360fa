"""How fast generation is: time against the ideal, processor time per request, memory, and inspect_ai beside it.

    python benchmarks/generate.py [--inspect PYTHON] [--requests 4000] [--memory 1000,10000,50000]

A server in a process of its own answers every chat completion after 50 ms. Everything is measured in one run; what
counts are the ratios. `--inspect` names a Python that can import inspect_ai and openai (a venv of its own).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

DELAY, CONNECTIONS = 0.05, 64
SAID = "My doctor says the hip is perfect, yet I stand in front of the bathtub every evening and tremble."
MESSAGE = {"role": "assistant", "content": "That sounds frightening. Two hours alone would stay with anybody."}
DOCUMENT = {
    "id": "x",
    "object": "chat.completion",
    "created": 1,
    "model": "bench",
    "choices": [{"index": 0, "finish_reason": "stop", "message": MESSAGE}],
    "usage": {"prompt_tokens": 50, "completion_tokens": 14, "total_tokens": 64},
}


# The server ------------------------------------------------------------------------------------------------------


class Answering(asyncio.Protocol):
    """Answers every call on a connection after the delay, in order."""

    def __init__(self, answer: bytes, delay: float) -> None:
        self.answer, self.delay, self.buffer = answer, delay, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            _, found, rest = head.partition(b"content-length:")
            size = int(rest.split(b"\r\n")[0]) if found else 0
            if len(self.buffer) < end + 4 + size:
                return
            self.buffer = self.buffer[end + 4 + size :]
            asyncio.get_running_loop().call_later(self.delay, self.transport.write, self.answer)


async def serve(delay: float) -> None:
    body = json.dumps(DOCUMENT).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    server = await asyncio.get_running_loop().create_server(lambda: Answering(head + body, delay), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextlib.contextmanager
def serving(delay: float) -> Iterator[str]:
    process = subprocess.Popen([sys.executable, __file__, "serve", str(delay)], stdout=subprocess.PIPE, text=True)
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
    finally:
        process.terminate()
        process.wait()


# What is measured, each in a process of its own ---------------------------------------------------------------------


class Dialogues:
    """So many dialogues, made while they are gone through: memory is not theirs."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __iter__(self) -> Iterator[object]:
        from empathic.records import Dialogue, Turn

        for i in range(self.count):
            yield Dialogue(id=f"d{i}", turns=(Turn(role="speaker", text=f"{SAID} {i}"),))


def ours(url: str, count: int) -> dict[str, float]:
    from empathic import generation, models, procedures, systems
    from empathic.runs import Run
    from empathic.transport import Limits, Pool

    async def run(folder: str) -> None:
        async with Pool(Limits(connections=CONNECTIONS)) as pool:
            given = models.ModelOptions(pool=pool, base_url=url, environment={})
            options = systems.Options(model=lambda name: models.make(name, given), providers=models.providers())
            plan = generation.Plan(
                systems=[systems.make("openai-compatible/bench+vanilla", options)],
                dialogues=Dialogues(count),
                procedure=procedures.SingleTurn(),
                max_connections=CONNECTIONS,
            )
            outcome = (await generation.run_stage(plan, Run(Path(folder))))[0]
            if outcome.answered != count:
                raise SystemExit(f"only {outcome.answered} of {count} were answered: {outcome.reasons}")

    with tempfile.TemporaryDirectory() as folder:
        return measured(lambda: asyncio.run(run(folder)), count)


def bare(url: str, count: int) -> dict[str, float]:
    """The same calls by the HTTP client alone, nothing kept: what the machine allows at this moment."""
    import aiohttp

    body = json.dumps({"model": "bench", "messages": [{"role": "user", "content": SAID}]}).encode()
    headers = {"Content-Type": "application/json"}

    async def run() -> None:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONNECTIONS)) as session:
            numbers = iter(range(count))

            async def work() -> None:
                for _ in numbers:
                    async with session.post(f"{url}/chat/completions", data=body, headers=headers) as response:
                        json.loads(await response.read())

            await asyncio.gather(*(work() for _ in range(CONNECTIONS)))

    return measured(lambda: asyncio.run(run()), count)


def inspect(url: str, count: int) -> dict[str, float]:
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.solver import generate, system_message

    os.environ |= {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}
    samples = [Sample(id=i + 1, input=f"{SAID} {i}") for i in range(count)]
    solver = [system_message("You are engaging in a conversation with a human."), generate()]
    task = Task(dataset=MemoryDataset(samples), solver=solver)
    with tempfile.TemporaryDirectory() as folder:

        def run() -> None:
            logs = eval(
                task,
                model="openai/bench",
                model_args={"responses_api": False},
                max_connections=CONNECTIONS,
                max_samples=CONNECTIONS,
                adaptive_connections=False,
                display="none",
                log_dir=folder,
                log_realtime=False,
                temperature=0.0,
            )
            if logs[0].status != "success":
                raise SystemExit(f"inspect_ai: {logs[0].error}")

        return measured(run, count)


def measured(run: object, count: int) -> dict[str, float]:
    begin, used = time.perf_counter(), time.process_time()
    run()
    seconds, processor = time.perf_counter() - begin, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"count": count, "seconds": seconds, "cpu_ms": 1000 * processor / count, "rss_mb": peak}


def in_process(python: str, what: str, url: str, count: int) -> dict[str, float]:
    done = subprocess.run([python, __file__, what, url, str(count)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{what} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


# The report ---------------------------------------------------------------------------------------------------------


MEASURED = {"ours": ours, "bare": bare, "inspect": inspect}


def can_import(python: str, module: str) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0
    return False


def report(options: argparse.Namespace) -> None:
    ideal = options.requests * DELAY / CONNECTIONS
    print(f"{options.requests} requests of {DELAY * 1000:.0f} ms, {CONNECTIONS} at once; ideal {ideal:.2f} s")
    print(f"{'':28}{'seconds':>9}{'/ ideal':>9}{'CPU ms/request':>16}{'MB':>7}")
    with serving(DELAY) as url:
        rows = [("empathic", in_process(sys.executable, "ours", url, options.requests))]
        rows.append(("HTTP client alone", in_process(sys.executable, "bare", url, options.requests)))
        if can_import(options.inspect, "inspect_ai, openai"):
            rows.append(("inspect_ai, same server", in_process(options.inspect, "inspect", url, options.requests)))
        rows.append(("empathic again", in_process(sys.executable, "ours", url, options.requests)))
    for name, row in rows:
        line = f"{name:28}{row['seconds']:9.2f}{row['seconds'] / ideal:9.3f}{row['cpu_ms']:16.3f}{row['rss_mb']:7.0f}"
        print(line, flush=True)
    if len(rows) == 3:
        print("inspect_ai is not here: python -m venv V; V/bin/pip install inspect_ai openai; … --inspect V/bin/python")
    counts = [int(count) for count in options.memory.split(",") if count]
    with serving(0.005) as url:
        for count in counts:
            row = in_process(sys.executable, "ours", url, count)
            print(f"memory with {count:>6} requests: {row['rss_mb']:.1f} MB", flush=True)


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] == "serve":
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve(float(sys.argv[2])))
    elif len(sys.argv) > 1 and sys.argv[1] in MEASURED:
        print(json.dumps(MEASURED[sys.argv[1]](sys.argv[2], int(sys.argv[3]))))
    else:
        parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--inspect", default=os.environ.get("INSPECT_PYTHON", sys.executable), metavar="PYTHON")
        parser.add_argument("--requests", type=int, default=4000)
        parser.add_argument("--memory", default="1000,10000,50000")
        report(parser.parse_args())


if __name__ == "__main__":
    main()
