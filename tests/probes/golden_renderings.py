"""The table of golden renderings: `python tests/probes/golden_renderings.py` writes it anew, for a person to read through.

For each template: every text at the reference levels with the first pronoun set, and for the other sets only the words that
change. For each way of saying attributes (the templates share a few): every level alone, and beside the others' references, with
every pronoun set.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import msgspec

from empathic.probes import differences, factors, rendering, templates

FOLDER = Path(__file__).parent / "golden"


def lines(language: str) -> Iterator[str]:
    found, known = templates.read(language=language), factors.read(language)
    for template in found:
        yield f"== {template.id}"
        yield from scene(template, known)
    for number, (portrait, template) in enumerate(sorted({each.portrait: each for each in found}.items()), 1):
        yield f"== attributes, way {number}: {' '.join(portrait)}"
        yield from attributes(template, known)


def scene(template: templates.Template, known: dict[str, factors.Factor]) -> Iterator[str]:
    reference = {name: factor.reference for name, factor in known.items()}
    first, *others = (
        differences.texts(rendering.render(template, known, {**reference, "pronouns": pronouns}))
        for pronouns in known["pronouns"].available
    )
    yield from (f"{place}: {text}" for place, text in first.items())
    for pronouns, texts in zip(known["pronouns"].available[1:], others, strict=True):
        for place, text in texts.items():
            changed = differences.changes(first[place], text)
            if changed:
                yield f"{pronouns}, {place}: " + " | ".join(f"{one} → {other}" for one, other in changed)


def attributes(template: templates.Template, known: dict[str, factors.Factor]) -> Iterator[str]:
    bare = msgspec.structs.replace(template, context="{portrait}")
    reference = {name: factor.reference for name, factor in known.items()}
    for pronouns in known["pronouns"].available:
        whole = rendering.render(bare, known, {**reference, "pronouns": pronouns}).context
        yield f"{pronouns}: {whole}"
        for name, level in levels(known):
            alone = rendering.render(bare, known, {name: level, "pronouns": pronouns}).context
            beside = rendering.render(bare, known, {**reference, name: level, "pronouns": pronouns}).context
            changed = " | ".join(f"{one} → {other}" for one, other in differences.changes(whole, beside))
            yield f"{pronouns}, {name}={level}: {alone}" + (f" // {changed}" if changed else "")


def levels(known: dict[str, factors.Factor]) -> Iterator[tuple[str, str]]:
    for name, factor in known.items():
        if name != "pronouns":
            yield from zip(itertools.repeat(name), factor.available, strict=False)


def path(language: str) -> Path:
    return FOLDER / f"{language}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for code in factors.languages():
        path(code).write_text("\n".join(lines(code)) + "\n")
