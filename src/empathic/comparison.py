"""Two run folders become paired differences and, with a gate, verdicts (`empathic compare`, `assert_no_worse`).

Stands with `pipeline` above the rooms: it puts tables of scores, statistics and the metrics' own directions together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import yaml

from empathic import metrics, registry, tables
from empathic.errors import InputError, SettingError, UnknownName
from empathic.metrics.measure import default_names
from empathic.records import Estimate, Record
from empathic.statistics import gates, systems
from empathic.statistics.gates import Direction, Rule, Verdict

TABLE = "scores.parquet"
DEFAULT_TOLERANCE = 0.1  # standard deviations of the base system


class Gate(Record, frozen=True):
    """A gate file: the rules, and how intervals are drawn."""

    rules: tuple[Rule, ...]
    level: float = 0.95
    draws: int = 2000
    seed: int = 1


class Comparison(Record, frozen=True, omit_defaults=False):
    """Everything found between two runs."""

    base: str
    new: str
    differences: tuple[Estimate, ...]
    verdicts: tuple[Verdict, ...] = ()
    not_compared: tuple[str, ...] = ()  # metrics only one of the runs has

    @property
    def passed(self) -> bool:
        """Whether every rule holds."""
        return all(verdict.passed for verdict in self.verdicts)


def compare(
    base: Path, new: Path, *, gate: Gate | None = None, system: str | None = None, seed: int = 1, draws: int = 2000
) -> Comparison:
    """new − base over the places both answered; with a gate, one verdict per rule."""
    before, after = pick(read_scores(base), system, base), pick(read_scores(new), system, new)
    _check_signatures(base, new)
    seed, draws, level = (gate.seed, gate.draws, gate.level) if gate else (seed, draws, 0.95)
    found = systems.compare(before, after, seed=seed, draws=draws, level=level)
    if not found:
        raise InputError(f"has no metric in common with {base}", path=new)
    verdicts = _judge(gate.rules, found, before) if gate else []
    lonely = set(before.columns) ^ set(after.columns)
    return Comparison(
        base=str(base),
        new=str(new),
        differences=tuple(found),
        verdicts=tuple(verdicts),
        not_compared=tuple(sorted(lonely)),
    )


def assert_no_worse(
    base: str | Path, new: str | Path, gate: str | Path = "default", *, system: str | None = None
) -> None:
    """For a test suite: fails with one line per rule that does not hold."""
    found = compare(Path(base), Path(new), gate=read_gate(gate, Path(base)), system=system)
    failed = [f"{verdict.metric}: {verdict.reason}" for verdict in found.verdicts if not verdict.passed]
    if failed:
        raise AssertionError("the new system is worse:\n  " + "\n  ".join(failed))


def read_gate(gate: str | Path, base: Path) -> Gate:
    """A gate file (YAML or JSON), or `default`: every default metric of the base run within 0.1 SD."""
    if str(gate) == "default":
        return _default_gate(base)
    path = Path(gate)
    if not path.is_file():
        raise InputError("there is no such gate file; `--gate default` is built in", path=path)
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        return msgspec.convert(content, Gate)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"is not valid YAML: {' '.join(str(error).split())}", path=path) from None
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        raise InputError(what, path=path, field=where.rstrip("`").lstrip(".") or None) from None


def _default_gate(base: Path) -> Gate:
    known = directions()
    columns = [name for name in read_scores(base)[0].columns if name in known]
    if not columns:
        raise InputError("has no metric that says which way is better; write a gate file: docs/gates.md", path=base)
    return Gate(rules=tuple(Rule(metric=name, tolerance=DEFAULT_TOLERANCE, unit="sd") for name in columns))


def read_scores(path: Path) -> list[systems.Scores]:
    """The systems of a run folder or of a `scores.parquet`."""
    found = tables.read_columns(path / TABLE if path.is_dir() else path)
    numbers = [field.name for field in found.schema if pa.types.is_floating(field.type)]
    return [_scores_of(found, name, numbers) for name in found["system"].unique().to_pylist()]


def pick(found: Sequence[systems.Scores], name: str | None, path: Path) -> systems.Scores:
    """The one system of a run, or the named one."""
    by_name = {each.system: each for each in found}
    if name is not None:
        if name not in by_name:
            raise UnknownName(f"system in {path}", name, by_name)
        return by_name[name]
    if len(found) != 1:
        raise SettingError(f"{path} holds {len(found)} systems ({', '.join(by_name)}). Say which: --system NAME")
    return found[0]


def directions() -> dict[str, Direction]:
    """Number → which way is better, as the metrics declare it."""
    found: dict[str, Direction] = {}
    for measure in map(metrics.build, default_names()):
        for column in measure.columns:
            if column.better == "higher" or column.better == "lower":
                found[measure.name(column)] = column.better
    return found


def _scores_of(table: Any, system: str, numbers: Sequence[str]) -> systems.Scores:
    rows = table.filter(pc.equal(table["system"], system))
    dialogues = rows["dialogue"].to_pylist()
    places = list(zip(dialogues, rows["position"].to_pylist(), rows["repeat"].to_pylist(), strict=True))
    columns = {name: np.asarray(rows[name].to_numpy(), dtype=float) for name in numbers}
    return systems.Scores(system, places, dialogues, columns)


def _judge(rules: Sequence[Rule], found: Sequence[Estimate], base: systems.Scores) -> list[Verdict]:
    return gates.judge(rules, found, deviations=_deviations(base), directions=directions())


def _deviations(base: systems.Scores) -> Mapping[str, float]:
    return {
        name: float(np.nanstd(values)) if np.isfinite(values).any() else 0.0 for name, values in base.columns.items()
    }


def _check_signatures(base: Path, new: Path) -> None:
    """A number made by another recipe is another number: refuse to compare them."""
    before, after = (_recipes(path) for path in (base, new))
    for name in before.keys() & after.keys():
        if before[name] != after[name]:
            raise InputError(f"{name} was made by '{after[name]}', in the base run by '{before[name]}'", path=new)


def _recipes(path: Path) -> dict[str, str]:
    """Signatures without the package's version, which changes more often than the numbers."""
    suffix = f"|empathic:{registry.package_version()}"
    found = tables.read_signatures(path / TABLE if path.is_dir() else path)
    return {name: signature.removesuffix(suffix).split("|empathic:")[0] for name, signature in found.items()}
