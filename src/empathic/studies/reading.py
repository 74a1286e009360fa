"""A study file (YAML or TOML) becomes a frozen Study, or one error that says which line is wrong and how."""

from __future__ import annotations

import difflib
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

from empathic import files
from empathic.errors import InputError
from empathic.studies.design import AnyStudy, Between, Ieval, Observer, Question, Study

NAMES = ("study.yaml", "study.yml", "study.toml")
DESIGNS: dict[str, type[Between] | type[Ieval] | type[Observer]] = {
    "between": Between,
    "ieval": Ieval,
    "observer": Observer,
}


def find(folder: Path) -> Path:
    """The study file of a study folder."""
    found = [folder / name for name in NAMES if (folder / name).is_file()]
    if not found:
        raise InputError("there is no study.yaml here. Type: empathic study new --design between DIR", path=folder)
    return found[0]


def read(path: Path) -> AnyStudy:
    """The study in a file, checked."""
    with files.open_binary(path) as stream:
        data = stream.read()
    content, lines = _parse(data, path)
    _refuse_unknown(content, path, lines)
    try:
        study: AnyStudy = msgspec.convert(content, AnyStudy)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        field = where.rstrip("`").lstrip(".")
        raise InputError(what, path=path, line=lines.get(_plain(field)), field=field or None) from None
    for field, problem in problems(study):
        raise InputError(problem, path=path, line=lines.get(field), field=field)
    return study


def problems(study: AnyStudy) -> Iterator[tuple[str, str]]:
    """What is wrong with a study that its types cannot say: pairs of field and problem."""
    yield from _code_problems(study)
    yield from _balance_problems(study)
    for name, least in (("raters", 1), ("lease_minutes", 1), ("batch", 1), ("per_rater", 1), ("turns", 1)):
        if hasattr(study, name) and getattr(study, name) < least:
            yield name, f"must be at least {least}, it is {getattr(study, name)}"
    for name, ids in (("questions", [each.id for each in study.questions]), ("checks", [c.id for c in study.checks])):
        yield from ((name, f"'{each}' appears {count} times") for each, count in Counter(ids).items() if count > 1)
    for question in study.questions:
        if question.kind == "choice" and len(question.options) < 2:
            yield "questions", f"'{question.id}' is a choice and needs at least two options"
    if isinstance(study, Ieval):
        yield from _bot_problems(study)


def _code_problems(study: Study) -> Iterator[tuple[str, str]]:
    codes: dict[str, str] = msgspec.to_builtins(study.codes)
    for code, count in Counter(codes.values()).items():
        if count > 1:
            yield "codes", f"'{code}' stands for {count} outcomes; each needs its own"
    for outcome, code in codes.items():
        if not code.strip() or code != code.strip():
            yield f"codes.{outcome}", "a code may be neither empty nor begin or end with a blank"


def _balance_problems(study: Study) -> Iterator[tuple[str, str]]:
    for trait in ("gender", "age"):
        groups = getattr(study.balance, trait)
        question = next((each for each in study.questions if each.id == trait), None)
        if groups and question is None:
            yield "balance", f"is over {trait}, so `questions` needs a question with the id '{trait}'"
        elif groups and trait == "gender":
            yield from _unknown_options(groups, question)
    for band in study.balance.age:
        if age_band(band) is None:
            yield "balance.age", f"'{band}' is no age band; write 19-25 or 65+"


def _unknown_options(groups: tuple[str, ...], question: Question | None) -> Iterator[tuple[str, str]]:
    for group in groups:
        if question is not None and group not in question.options:
            yield "balance.gender", f"'{group}' is no option of the question 'gender'"


def _bot_problems(study: Ieval) -> Iterator[tuple[str, str]]:
    if not 3 <= len(study.bots) <= 7:
        yield "bots", f"3 to 7 bots can be compared by one person, there are {len(study.bots)}"
    names = Counter(bot.name for bot in study.bots)
    yield from (("bots", f"'{name}' appears {count} times") for name, count in names.items() if count > 1)


def age_band(band: str) -> tuple[float, float] | None:
    """The lowest and highest age of a band: "19-25" → (19, 25), "65+" → (65, ∞); None if it is no band."""
    text = band.strip().replace("–", "-")
    if text.endswith("+") and text[:-1].isdigit():
        return float(text[:-1]), float("inf")
    low, _, high = text.partition("-")
    if low.isdigit() and high.isdigit() and int(low) <= int(high):
        return float(low), float(high)
    return None


def _parse(data: bytes, path: Path) -> tuple[Any, dict[str, int]]:
    try:
        text = data.decode()
        if path.suffix == ".toml":
            return tomllib.loads(text), {}
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        return yaml.safe_load(text), dict(_lines(node, ""))
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text; save it as UTF-8", path=path) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not valid TOML: {error}", path=path) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(f"is not valid YAML: {error.problem}", path=path, line=line) from None
    except yaml.YAMLError as error:
        raise InputError(f"is not valid YAML: {error}", path=path) from None


def _lines(node: yaml.Node | None, trail: str) -> Iterator[tuple[str, int]]:
    """Which line each key of a YAML document stands on, by its path."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = f"{trail}.{key.value}".lstrip(".")
            yield here, key.start_mark.line + 1
            yield from _lines(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _lines(value, trail)


def _refuse_unknown(content: Any, path: Path, lines: dict[str, int]) -> None:
    if not isinstance(content, dict):
        raise InputError("a study file is a list of `key: value`", path=path)
    design = content.get("design")
    if design not in DESIGNS:
        raise InputError(f"the design is '{design}'; it can be {', '.join(DESIGNS)}", path=path, field="design")
    for field, key, known in unknown(content, DESIGNS[design], ""):
        near = difflib.get_close_matches(key, known, n=1)
        hint = f"Did you mean '{near[0]}'?" if near else f"Known: {', '.join(known)}."
        raise InputError(f"there is no key '{key}' here. {hint}", path=path, line=lines.get(field), field=field)


def unknown(content: Any, type_: Any, trail: str) -> Iterator[tuple[str, str, list[str]]]:
    """The keys that the records do not have: path, key and the keys that are known there."""
    for struct in _structs(type_):
        if isinstance(content, dict):
            fields = {field.encode_name: field.type for field in msgspec.structs.fields(struct)}
            for key, value in content.items():
                here = f"{trail}.{key}".lstrip(".")
                if key not in fields and not (key == "design" and not trail):
                    yield here, str(key), sorted(fields)
                elif key in fields:
                    yield from unknown(value, fields[key], here)
        elif isinstance(content, list | tuple):
            for value in content:
                yield from unknown(value, struct, trail)


def _structs(type_: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        yield type_
    else:
        for inner in getattr(type_, "__args__", ()):
            yield from _structs(inner)


def _plain(field: str) -> str:
    """`bots[0].name` → `bots.name`, as `_lines` writes paths."""
    return "".join(part.split("]")[-1] for part in field.split("["))
