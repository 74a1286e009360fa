"""What Lee et al. (2024) should have said: mixed decodings, misprints, dependence on N, two kinds of span counts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import stats

from empathic.metrics.trie import shape
from empathic.papers.checks import Finding, cell_matches
from empathic.papers.lee2024_data import BASELINE, HUMAN, Released, System

SIZES = (250, 1000, 5000)
SEED = 2024
Numbers = dict[str, float | str | None]


def findings(released: Released) -> Iterator[Finding]:
    """Everything that the systems in the folder let one find."""
    systems = list(released.systems.values())
    for found in (
        _mixed_decodings(systems),
        _misprints(systems),
        _decodings(systems),
        _token_level(systems),
        _two_span_counts(systems),
        _sizes(systems),
        _numbers_of_responses(systems),
        _half_a_percent(released),
        _specificity_artefacts(released),
        _length(released),
    ):
        if found is not None:
            yield found


def _mixed_decodings(systems: list[System]) -> Finding | None:
    numbers: Numbers = {}
    for system in systems:
        if system.folded != "response" and system.rows(system.folded) != system.rows():
            numbers[f"{system.name} compression as printed (%)"] = 100 * system.as_printed.compression
            numbers[f"{system.name} compression of {system.folded} (%)"] = 100 * system.token_level.compression
            numbers[f"{system.name} start words as printed"] = system.as_printed.start_words
            numbers[f"{system.name} start words of {system.folded}"] = system.token_level.start_words
    text = (
        "MoEL's row mixes two decodings: the folds are of beam search, the trie they are compared with (and all other "
        "metrics) of top-k. Compared with itself MoEL does not stand out."
    )
    return Finding(id="mixed-decodings", text=text, numbers=numbers) if numbers else None


def _misprints(systems: list[System]) -> Finding | None:
    numbers: Numbers = {}
    for system in systems:
        printed = str(system.printed["compression_pct"])
        computed = 100 * system.as_printed.compression
        if not cell_matches(float(printed), computed, len(printed.partition(".")[2])):
            numbers[f"{system.name} compression printed (%)"] = float(printed)
            numbers[f"{system.name} compression recomputed (%)"] = computed
    text = "A printed compression ratio has a wrong digit; every other number of the row is reproduced."
    return Finding(id="misprints", text=text, numbers=numbers) if numbers else None


def _decodings(systems: list[System]) -> Finding | None:
    numbers: Numbers = {}
    for system in systems:
        for decoding in system.decodings:
            found = shape(system.rows(decoding))
            numbers[f"{system.name} {decoding} templates"] = found.templates
            numbers[f"{system.name} {decoding} compression (%)"] = 100 * found.compression
    text = (
        "The decoding is not held constant across systems, and the number of templates is mostly a statistic of the "
        "decoding; compression hardly moves. Compare systems under one decoding."
    )
    return Finding(id="decodings", text=text, numbers=numbers) if numbers else None


def _token_level(systems: list[System]) -> Finding:
    numbers: Numbers = {}
    for system in systems:
        for name in ("templates", "span_types", "total_nodes", "root_children", "unfolded_nodes", "start_words"):
            numbers[f"{system.name} {name}"] = getattr(system.token_level, name)
        numbers[f"{system.name} compression (%)"] = 100 * system.token_level.compression
    text = (
        "The released code replaces spans in strings, which also hits parts of words, and counts the malformed tokens "
        "as span nodes. Replacing tokens (and comparing a decoding with itself) gives these; the effect is small."
    )
    return Finding(id="token-level", text=text, numbers=numbers)


def _two_span_counts(systems: list[System]) -> Finding:
    numbers: Numbers = {}
    for system in systems:
        found = system.token_level
        numbers[f"{system.name} span types / nodes (%)"] = 100 * found.span_types / found.total_nodes
        numbers[f"{system.name} span nodes / nodes (%)"] = 100 * found.span_nodes / found.total_nodes
    text = (
        "The printed “span nodes” count different spans, not nodes of the trie that are spans, which the text "
        "describes and which ranks the systems differently. Both are given."
    )
    return Finding(id="span-types-or-nodes", text=text, numbers=numbers)


def _sizes(systems: list[System]) -> Finding:
    numbers: Numbers = {}
    for system in systems:
        rows = system.rows(system.folded)
        for size in SIZES:
            if size <= len(rows):
                drawn = np.random.default_rng(SEED).choice(len(rows), size, replace=False)
                found = shape([rows[place] for place in sorted(drawn)])
                numbers[f"{system.name} compression at N = {size} (%)"] = 100 * found.compression
    text = "Compression (like every number of Table 2) falls with the number of responses: compare at equal N only."
    return Finding(id="dependence-on-n", text=text, numbers=numbers)


def _numbers_of_responses(systems: list[System]) -> Finding | None:
    numbers: Numbers = {
        f"{system.name} responses": len(system.responses) for system in systems if len(system.responses) != 5255
    }
    text = "Table 2 is said to be of 5,255 prompts; these systems answered another number."
    return Finding(id="other-numbers-of-responses", text=text, numbers=numbers) if numbers else None


def _half_a_percent(released: Released) -> Finding | None:
    values = released.specificity
    if BASELINE not in values or len(values) < 3:
        return None
    others = [name for name in values if name not in (HUMAN, BASELINE)]
    numbers: Numbers = {f"{name} − {BASELINE}": values[name] - values[BASELINE] for name in others}
    for bound in (0.005, 0.05):
        within = sum(abs(values[name] - values[BASELINE]) <= bound for name in others)
        numbers[f"within {bound}"] = f"{within} of {len(others)}"
    text = (
        "“Most systems within .005 of EmpatheticDialogue” does not hold; it holds at .05 (probably a misprint). The "
        "differences between decodings of one system are as large as most between systems."
    )
    return Finding(id="within-half-a-percent", text=text, numbers=numbers)


def _specificity_artefacts(released: Released) -> Finding | None:
    if not released.specificity:
        return None
    numbers: Numbers = {}
    for name, value in released.specificity.items():
        numbers[f"{name} as published"] = value
        numbers[f"{name} case folded, apostrophes rejoined"] = released.specificity_mended[name]
    text = (
        "Specificity counts words with their case while all responses are lower-case, and takes the pieces of “i ' m” "
        "for rare words: without these two artefacts systems that split apostrophes lose most of their lead."
    )
    return Finding(id="specificity-artefacts", text=text, numbers=numbers)


def _length(released: Released) -> Finding | None:
    values = released.word_choice.get("intensity.difference", {})
    names = [name for name in values if name != HUMAN]
    if len(names) < 4:
        return None
    lengths = [float(np.mean([len(row) for row in released.systems[name].rows()])) for name in names]
    found = stats.spearmanr(lengths, [values[name] for name in names])
    numbers: Numbers = {"Spearman's ρ (length, difference in intensity)": float(found.statistic)}
    numbers["systems"] = len(names)
    for name, length in zip(names, lengths, strict=True):
        numbers[f"{name} words per response"] = length
        numbers[f"{name} without a lexicon word"] = released.word_choice["no_word"][name]
    text = (
        "Figure 4 takes the largest value over the words of a response, which grows with its length: differences in "
        "word choice are largely differences in length, and signed means let opposite errors cancel."
    )
    return Finding(id="length", text=text, numbers=numbers)
