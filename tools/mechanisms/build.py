"""source/*.txt (hand-written blocks) -> src/empathic/metrics/mechanisms/pairs.jsonl.

A block is one prompt line `#<register><valence> <prompt>` (register a = forum post, b = chat turn;
valence + or -) followed by response lines `<ER><IP><EX><R> <code> <response>`, where R is 0, 5 (= 0.5) or 1.
"""

import hashlib
import json
import re
from pathlib import Path

SALT = (
    168  # first salt with 19-21 % of rows in test, three or more rows of every kind there, level shares within 3 points
)
HERE = Path(__file__).parent
PAIRS = HERE.parents[1] / "src/empathic/metrics/mechanisms/pairs.jsonl"
KINDS = {
    "ns": "negated_sorry",
    "is": "irrelevant_sorry",
    "sf": "fitting_sorry",
    "mm": "mismatched_reaction",
    "va": "plain_validation",
    "hw": "hopes_wishes",
    "wn": "warm_named_feeling",
    "wu": "warm_unnamed",
    "of": "offer_to_listen",
    "cg": "congratulation",
    "se": "shared_experience",
    "sw": "shared_brief",
    "uw": "understanding_claimed",
    "us": "understanding_inferred",
    "cr": "complex_reflection",
    "sr": "simple_reflection",
    "gq": "generic_question",
    "sq": "specific_question",
    "rq": "rhetorical_question",
    "lq": "logistic_question",
    "aq": "advice_as_question",
    "ad": "advice",
    "in": "information",
    "cn": "canned_reply",
    "ep": "empty_politeness",
    "di": "dismissive",
    "ju": "judgmental",
    "jk": "joke",
    "sc": "self_centred",
    "ot": "off_topic",
    "vs": "very_short",
    "lm": "long_mixed",
    "nn": "non_native",
    "ts": "typos_slang",
}
PROMPT = re.compile(r"#([ab])([+-]) (\S.*)")
RESPONSE = re.compile(r"([012])([012])([012])([051]) ([a-z]{2}) (\S.*)")


def split_of(prompt: str) -> str:
    """One prompt in five goes to the test split, by the salted hash of its text."""
    return "test" if int(hashlib.sha256(f"{SALT}:{prompt}".encode()).hexdigest(), 16) % 5 == 0 else "train"


def read_rows():
    """Yield (register, valence, row) for every response line."""
    for path in sorted((HERE / "source").glob("b*.txt")):
        head = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            if line.startswith("#"):
                head = PROMPT.fullmatch(line)
            found = None if line.startswith("#") else RESPONSE.fullmatch(line)
            if head is None or (found is None and not line.startswith("#")):
                raise ValueError(f"{path.name}:{number}: cannot read {line!r}")
            if found:
                er, ip, ex, r, code, response = found.groups()
                yield (
                    head[1],
                    head[2],
                    {
                        "prompt": head[3].strip(),
                        "response": response.strip(),
                        "er": int(er),
                        "ip": int(ip),
                        "ex": int(ex),
                        "reflection": {"0": 0, "5": 0.5, "1": 1}[r],
                        "kind": KINDS[code],
                        "split": split_of(head[3].strip()),
                    },
                )


def main(target: Path = PAIRS) -> None:
    rows = [row for _, _, row in read_rows()]
    with open(target, "w", encoding="utf-8") as out:
        for number, row in enumerate(rows, 1):
            out.write(json.dumps({"id": f"m{number:04d}", **row}, ensure_ascii=False) + "\n")
    print(len(rows), "rows written")


if __name__ == "__main__":
    main()
