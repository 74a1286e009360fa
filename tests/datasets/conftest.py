"""One small file in every format, for tests that hold for all of them."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from empathic.datasets.ieval import BOTS, LIKERT
from empathic.datasets.recognition import find
from empathic.datasets.welivita import COLUMNS, CONDITIONS
from empathic.records import Dialogue, Rater, Rating, Response, Turn

SAID = (Turn(role="speaker", text="My cat, Mia, died."), Turn(role="listener", text='"Oh" no…'))
DIALOGUES = [
    Dialogue(id=f"d{n}", turns=(*SAID, Turn(role="speaker", text=f"Yes {n}")), emotion="sad", situation="A cat")
    for n in range(4)
]
RESPONSES = [
    Response(id=f"r{n}", system="bot", dialogue=f"d{n}", turns=SAID[:1], text=f"I am so sorry {n}.") for n in range(4)
]
RATINGS = [
    Rating(rater="human:a", instrument="teq", item=str(n), target="human:a", value=float(n), metadata={"n": n})
    for n in range(4)
]
LOG: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {"task": "empathy", "model": "openai/x", "dataset": {"samples": 1}},
    "plan": {"name": "plan", "steps": []},
}
SAMPLE: dict[str, Any] = {
    "id": 1,
    "epoch": 2,
    "input": "My cat died.",
    "target": "I am sorry.",
    "messages": [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "My cat died."},
        {"role": "assistant", "content": [{"type": "text", "text": "I am so "}, {"type": "text", "text": "sorry."}]},
    ],
    "output": {"model": "x", "choices": [], "completion": "I am so sorry."},
    "scores": {
        "kind": {"value": 0.5, "answer": "a", "explanation": "warm"},
        "many": {"value": {"empathy": 1, "grade": "C"}},
    },
    "metadata": {"topic": "pets"},
}


def _welivita() -> bytes:
    row = {"part_no": "1", "emotion": "sad", "sentiment": "negative", "plutchik": "sadness", "situation": "A cat"}
    row |= {"speaker_uttr": "My cat, Mia, died."}
    for name in CONDITIONS:
        row |= {f"annotator_{name}": f"r{name}", f"response_{name}": "Oh", f"rating_{name}": "3"}
        row |= {f"empathy_propensity_{name}": "32", f"empathy_arr_{name}": str([1] * 16), f"miti_{name}": "['Support']"}
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows([row | {"dialog_id": f"d{n}"} for n in range(2)])
    return text.getvalue().encode()


def _ieval() -> bytes:
    chat = {"chat_log": "- I won!_x000D_\n- Great", **dict.fromkeys(LIKERT, 4), "Rating": 3}
    tasks = []
    for part in range(1):
        contexts = {
            pole: {"conv_id": f"{pole}{part}", "emotion": "proud", "prompt": "A race", **dict.fromkeys(BOTS, chat)}
            for pole in ("positive", "negative")
        }
        known = {"part": part, "elapsed_sec": 600, "elapsed_min": 10.0, "TEQ_raw": [1] * 16, "TEQ_agg": 32}
        tasks.append({**known, **contexts})
    return json.dumps(tasks, indent=1).encode()


def _archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(LOG))
        archive.writestr("samples/1_epoch_2.json", json.dumps(SAMPLE))
        archive.writestr("summaries.json", "[]")
    return stream.getvalue()


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file for each format (several for those with several shapes): name → path."""
    folder = tmp_path_factory.mktemp("samples")
    raw = {"welivita/w.csv": _welivita(), "ieval/i.json": _ieval(), "inspect/log.eval": _archive()}
    raw["inspect/log.json"] = json.dumps({**LOG, "samples": [SAMPLE], "reductions": []}, indent=1).encode()
    raw["mt-bench/question.jsonl"] = b'{"question_id": 81, "category": "pets", "turns": ["My cat died.", "Yes"]}\n'
    paths = {}
    for name, data in raw.items():
        paths[name] = folder / name
        paths[name].parent.mkdir(exist_ok=True)
        paths[name].write_bytes(data)
    everything = [*DIALOGUES, *RESPONSES, *RATINGS, Rater(id="human:a", traits={"age": 30})]
    written = {"chat/c.jsonl": [*DIALOGUES, *RESPONSES], "records/r.jsonl": everything, "table/r.parquet": RATINGS}
    written |= {"table/t.csv": DIALOGUES, "table/t.tsv": RESPONSES, "table/p.parquet": RESPONSES}
    written |= {"lee/bot_responses.json": RESPONSES, "mt-bench/bot.jsonl": RESPONSES, "inspect/s.jsonl": DIALOGUES}
    written |= {"empathetic-dialogues/ed.csv": DIALOGUES, "esconv/es.json": DIALOGUES, "convokit/corpus": DIALOGUES}
    for name, items in written.items():
        paths[name] = folder / name
        write = find(name.split("/")[0]).write
        assert write is not None
        assert write(paths[name], items) == len(items)
    return paths
