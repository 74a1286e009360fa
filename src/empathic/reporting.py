"""A run folder becomes the material of its report: estimates, examples, pathologies, phrases, methods and sources.

Stands with `pipeline` above the rooms.
"""

from __future__ import annotations

import itertools
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from empathic import files, metrics, pathologies, profile, reports, tables
from empathic.metrics import trie
from empathic.metrics.folding import fold
from empathic.metrics.measure import default_names
from empathic.metrics.run import SUMMARY, TABLE
from empathic.metrics.summary import Summary
from empathic.pipeline import ESTIMATES, RESPONSES
from empathic.records import Estimate, Response
from empathic.reports import Answer, Branch, Example, Material, Pathology, Phrases, Section, Source
from empathic.runs import Run
from empathic.statistics import systems

SOURCES = Path(__file__).with_name("sources.toml")
EXAMPLES, TOP = 60, 12
WRITTEN = "the written reference"


def material(run: Run, *, title: str = "") -> Material:
    """Everything the report of a run shows."""
    estimates = files.read_json(run.path(ESTIMATES), list[Estimate])
    summary = files.read_json(run.path(SUMMARY), Summary)
    responses = list(files.read_lines(run.path(RESPONSES), Response))
    by_system = _by_system(responses)
    names, rows = list(summary.systems), _rows(run)
    settings = {stage.name: stage.settings for stage in run.manifest().stages}
    reference = settings.get("analyze", {}).get("reference")
    return Material(
        title=title or f"How empathic? {run.folder.name}",
        systems=names,
        reference=reference,
        reference_name=_reference_name(reference),
        sections=_sections(estimates),
        estimates=estimates,
        better=_directions(),
        missing={name: _reasons(by_system[name]) for name in names},
        responses={name: len(by_system[name]) for name in names},
        flags=summary.flags,
        groups=_groups(estimates, names),
        examples=list(_examples(by_system, _evidence(run))),
        pathologies=[each for name in names for each in _wrong(name, by_system[name], rows, reference)],
        phrases=[_phrases(name, by_system[name]) for name in names],
        methods=_methods(run, estimates, reference),
        limitations=_limitations(reference, summary),
        sources=_sources(),
        licences=_licences(settings),
        facts=_facts(run, names, responses),
    )


def write(run: Run, path: Path, *, title: str = "") -> Material:
    """Write the report's page; returns what it is made of."""
    found = material(run, title=title)
    with files.atomic(path) as stream:
        stream.write(reports.page(found).encode())
    return found


def _by_system(responses: Sequence[Response]) -> dict[str, list[Response]]:
    found: dict[str, list[Response]] = defaultdict(list)
    for response in responses:
        found[response.system].append(response)
    return found


def _sections(estimates: Sequence[Estimate]) -> list[Section]:
    present = list(dict.fromkeys(e.labels["metric"] for e in estimates if e.labels["kind"] in ("mean", "corpus")))
    found = []
    for dimension in profile.dimensions():
        names = [name for name in present if dimension.holds(name)]
        if names:
            headline = [name for name in dimension.headline if name in names]
            found.append(Section(dimension.id, dimension.title, dimension.question, names, headline))
    return found


def _directions() -> dict[str, str]:
    made = [metrics.build(name) for name in default_names()]
    return {measure.name(column): column.better for measure in made for column in measure.columns}


def _reasons(responses: Sequence[Response]) -> dict[str, int]:
    return dict(Counter(each.missing or "no reason given" for each in responses if each.text is None))


def _groups(estimates: Sequence[Estimate], names: Sequence[str]) -> dict[str, list[tuple[str, ...]]]:
    headline = [name for dimension in profile.dimensions() for name in dimension.headline]
    pairs = [each for each in estimates if each.labels["kind"] == "difference"]
    found = {}
    for metric in headline:
        mine = [each for each in pairs if each.labels["metric"] == metric]
        if mine:
            found[metric] = systems.groups(mine, names)
    return found


def _evidence(run: Run) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """System and response → the words that earned a score, with the score's name."""
    path = run.path(TABLE)
    texts = tables.text_columns(path)
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in tables.read_columns(path, ["system", "response", *texts]).to_pylist():
        marks = [(part.split(" (")[0], name) for name in texts if row[name] for part in str(row[name]).split("; ")]
        if marks:
            found[row["system"], row["response"]] = marks
    return found


def _examples(by_system: Mapping[str, Sequence[Response]], marks: Mapping[tuple[str, str], Any]) -> Iterator[Example]:
    """Places spread over the dialogues, with every system's answer."""
    places: dict[tuple[str, int], list[Response]] = {}
    for response in itertools.chain.from_iterable(by_system.values()):
        if response.repeat == 0:
            places.setdefault((response.dialogue, response.position), []).append(response)
    step = max(1, len(places) // EXAMPLES)
    for found in itertools.islice(itertools.islice(places.values(), 0, None, step), EXAMPLES):
        answers = [
            Answer(each.system, each.text, each.missing, marks.get((each.system, each.id), ())) for each in found
        ]
        yield Example(found[0].dialogue, found[0].emotion, found[0].turns, answers)


def _rows(run: Run) -> dict[tuple[str, str], dict[str, Any]]:
    """System and response → what pathologies look at in the table of scores."""
    path = run.path(TABLE)
    present = [name for name in pathologies.COLUMNS if name in tables.read_signatures(path)]
    found = tables.read_columns(path, ["system", "response", *present]).to_pylist()
    return {(row["system"], row["response"]): row for row in found}


def _wrong(
    system: str, responses: Sequence[Response], rows: Mapping[Any, Any], reference: str | None
) -> list[Pathology]:
    """What goes wrong; the reference may equal the reference, and people may speak of their lives."""
    found = pathologies.find(system, responses, rows)
    allowed = (pathologies.COPIES, pathologies.FALLACY) if system == reference else ()
    return [each for each in found if each.name not in allowed]


def _phrases(system: str, responses: Sequence[Response]) -> Phrases:
    rows = [metrics.words(each.text) for each in responses if each.text]
    folded = fold(rows)
    spans = [(each.text, each.count) for each in trie.frequent_spans(folded, TOP)]
    templates = [(each.text, each.count) for each in trie.frequent_templates(folded, TOP)]
    least = max(2, len(rows) // 100)
    beginnings = [_branch(each) for each in trie.tree(folded, least=least, depth=4).children[:TOP]]
    return Phrases(system, spans, templates, beginnings)


def _branch(node: trie.Node) -> Branch:
    return Branch(node.text, node.count, [_branch(each) for each in node.children[:TOP]])


def _reference_name(reference: str | None) -> str:
    if reference is None:
        return "the first system"
    return WRITTEN if reference.startswith("human/") else reference


def _methods(run: Run, estimates: Sequence[Estimate], reference: str | None) -> list[str]:
    manifest = run.manifest()
    stages = {stage.name: stage for stage in manifest.stages}
    analysis = stages["analyze"].settings if "analyze" in stages else {}
    tests = sum(each.labels["kind"] == "difference" for each in estimates)
    texts = [
        f"Computed by Empathic {manifest.empathic} with Python {manifest.python}. Every number carries the string that "
        "reproduces it (point at it); inputs and outputs are listed with their SHA-256 in manifest.json.",
        f"Means have percentile intervals from {analysis.get('draws')} cluster bootstrap draws by dialogue (seed "
        f"{analysis.get('seed')}). Systems are compared in pairs at the same places: sign flips of whole dialogues, and "
        f"where too few draws reach the difference, the cluster t test; {tests} differences, Holm over the headline numbers "
        "and Benjamini–Hochberg over the others.",
        "Differences per emotion and polarity are tested for interaction with cluster-robust errors and partially pooled "
        "(Gelman, 2006). Differences at equal length are intercepts of a regression on the difference in length.",
    ]
    if "generate" in stages:
        procedure = stages["generate"].settings.get("procedure", {})
        texts.insert(1, f"Responses were obtained by the procedure {procedure}.")
    return texts


def _limitations(reference: str | None, summary: Summary) -> list[str]:
    texts = [
        "Automatic measures describe what a system says, not how a person feels about it. They narrow down where systems "
        "differ; whether one is perceived as more empathic is a question for people (`empathic study`).",
        "Numbers about all responses of a system (diversity) depend on how many there are and on how they were decoded; "
        "compare them only at equal N and decoding.",
    ]
    if reference is not None and reference.startswith("human/"):
        texts.append(
            "The reference answers of the built-in scenarios were written for this project by its authors, not elicited from "
            "people: they show one good listener's style and are no human baseline."
        )
    return [*texts, *(f"{name}: {caution}" for name, caution in summary.cautions.items())]


def _sources() -> list[Source]:
    content = tomllib.loads(SOURCES.read_text(encoding="utf-8"))
    return [Source(each["key"], each["citation"], each["bibtex"]) for each in content["sources"]]


def _licences(settings: Mapping[str, Any]) -> list[str]:
    licences = ["Affect lexicon: CC0, written for this project.", "VADER: MIT (Hutto & Gilbert, 2014)."]
    if "generate" in settings:
        licences.insert(0, "Built-in scenarios: CC BY 4.0, written for this project.")
    return licences


def _facts(run: Run, names: Sequence[str], responses: Sequence[Response]) -> dict[str, str]:
    return {
        "systems": str(len(names)),
        "responses": f"{len(responses):,}",
        "dialogues": f"{len({each.dialogue for each in responses}):,}",
        "run": run.folder.name,
    }
