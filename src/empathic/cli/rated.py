"""Records of a file become the ratings to analyse, the levels of their dialogues, and a trait of their raters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from empathic import instruments, registry
from empathic.errors import InputError, SettingError, UnknownName
from empathic.instruments.scoring import score
from empathic.records import Dialogue, Rater, Rating, Response


def ratings(records: Sequence[Any], *, instrument: str | None, component: str | None) -> list[Rating]:
    """All ratings, those on one instrument, or a component's scores as if they were ratings."""
    found = [record for record in records if isinstance(record, Rating)]
    known = {rating.instrument for rating in found}
    if instrument is not None and instrument not in known:
        raise UnknownName("instrument", instrument, known, hint="(these are in the file)")
    chosen = [rating for rating in found if instrument in (None, rating.instrument)]
    return chosen if component is None else list(_components(chosen, component))


def levels(records: Sequence[Any], field: str) -> dict[str, str]:
    """Dialogue (or response) → its emotion, polarity or metadata of that name."""
    found = {}
    for record in records:
        if isinstance(record, Dialogue | Response):
            level = getattr(record, field, None) or record.metadata.get(field)
            if level is not None:
                found[record.id] = str(level)
        elif isinstance(record, Rating) and field in record.metadata:
            found[record.dialogue or record.target] = str(record.metadata[field])
    if not found:
        raise SettingError(f"Nothing in the file has '{field}'. Type --by emotion, --by polarity or a metadata field.")
    return found


def traits(records: Sequence[Any], name: str) -> dict[str, float]:
    """Rater → the number of that name among the traits."""
    raters = [record for record in records if isinstance(record, Rater)]
    found = {r.id: float(r.traits[name]) for r in raters if isinstance(r.traits.get(name), int | float)}
    if not found:
        known = sorted({key for rater in raters for key in rater.traits})
        raise SettingError(f"No rater has the number '{name}'. Known: {', '.join(known) or 'none'}.")
    return found


def _components(chosen: Sequence[Rating], component: str) -> Iterator[Rating]:
    about = [rating for rating in chosen if rating.target != rating.rater]  # not the raters' own questionnaires
    names = sorted({rating.instrument for rating in about})
    if len(names) != 1:
        raise InputError(
            f"one instrument can be scored, the file holds {', '.join(names) or 'none'}; type --instrument"
        )
    instruments.load_added()
    instrument = registry.find("instrument", names[0]).thing
    if component not in {each.id for each in instrument.components}:
        raise UnknownName("component", component, [each.id for each in instrument.components])
    first = {(rating.rater, rating.target): rating for rating in reversed(about)}
    for scored in score(instrument, about):
        if scored.component == component:
            yield Rating(
                rater=scored.rater,
                instrument=names[0],
                item=component,
                target=scored.target,
                value=scored.value,
                missing=scored.missing,
                system=scored.system,
                dialogue=scored.dialogue,
                condition=scored.condition,
                metadata=first[scored.rater, scored.target].metadata,
            )
