"""Template files become the findings of `empathic probe check` and the renderings of `empathic probe show`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from empathic.cli import output
from empathic.errors import SettingError, UnknownName
from empathic.probes import checking, differences, factors, rendering, templates
from empathic.probes.probe import KEYED, Probe


def add(actions: Any) -> None:
    """The actions `check` and `show`."""
    check = actions.add_parser("check", help="what is wrong with templates: file, line, what to change")
    check.add_argument("paths", nargs="*", metavar="PATH", help="files or folders (default: the built-in templates)")
    check.add_argument("--language", metavar="LANGUAGE", help="only this language (default: all there are)")
    check.set_defaults(act=_check)
    show = actions.add_parser("show", help="a template as it is told of one person, beside the reference levels")
    show.add_argument(
        "template", nargs="?", metavar="TEMPLATE", help="the id of a template, or its file (default: list all)"
    )
    show.add_argument("--templates", default="builtin", metavar="SOURCE", help="where the id is looked up")
    show.add_argument("--language", default="en", metavar="LANGUAGE", help="of the built-in templates (default en)")
    show.add_argument("--level", action="append", default=[], metavar="FACTOR=LEVEL", help="repeatable")
    show.add_argument(
        "--control", choices=rendering.CONTROLS, help="tell it without attributes, or with an irrelevant one"
    )
    show.add_argument(
        "--repeat", type=int, default=0, metavar="N", help="which repeat (irrelevant attributes take turns)"
    )
    show.set_defaults(act=_show)
    for action in (check, show):
        output.add_common(action)


def _check(options: argparse.Namespace) -> int:
    languages = [options.language] if options.language else list(factors.languages())
    if options.paths:
        found, count = (
            checking.check(options.paths, language=options.language),
            len(_files(options.paths, languages[0])),
        )
    else:
        found = [each for code in languages for each in checking.check(["builtin"], language=code)]
        count = sum(len(_files(["builtin"], code)) for code in languages)
    if options.json:
        output.print_json({"templates": count, "findings": found})
    else:
        for finding in found:
            output.say(str(finding))
        output.say(f"{_counted(count, 'template')}, {_counted(len(found), 'thing') if found else 'nothing'} to change")
    return 1 if found else 0


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _files(paths: Sequence[str], language: str) -> list[object]:
    return [path for source in paths for path in templates.paths(source, language=language)]


def _show(options: argparse.Namespace) -> None:
    if options.template is None:
        _list(templates.read(options.templates, language=options.language), as_json=options.json)
        return
    template = _find(options)
    known = factors.read(template.language)
    reference = {name: known[name].reference for name in template.factors if name in known}
    told = rendering.render(
        template, known, {**reference, **_levels(options.level)}, repeat=options.repeat, control=options.control
    )
    plain = rendering.render(template, known, reference)
    if options.json:
        output.print_json({"probe": told, "differences": _differences(plain, told)})
        return
    _print(plain, told)


def _list(found: Sequence[templates.Template], *, as_json: bool) -> None:
    if as_json:
        output.print_json(found)
        return
    rows = [(each.id, each.title, each.emotion, each.polarity, len(each.factors)) for each in found]
    output.say(output.table(("template", "title", "emotion", "polarity", "factors"), rows))


def _find(options: argparse.Namespace) -> templates.Template:
    if options.template.endswith(templates.SUFFIXES):
        return templates.read(options.template)[0]
    found = {template.id: template for template in templates.read(options.templates, language=options.language)}
    if options.template not in found:
        raise UnknownName("template", options.template, found, hint="`empathic probe show` lists all.")
    return found[options.template]


def _levels(words: Sequence[str]) -> dict[str, str]:
    pairs = [word.partition("=") for word in words]
    for factor, sign, level in pairs:
        if not (factor and sign and level):
            raise SettingError(f"'{factor}{sign}{level}' is no FACTOR=LEVEL. Type for example: --level religion=muslim")
    return {factor: level for factor, _, level in pairs}


def _differences(plain: Probe, told: Probe) -> dict[str, list[differences.Change]]:
    before, after = differences.texts(plain), differences.texts(told)
    return {place: differences.changes(before[place], text) for place, text in after.items() if before[place] != text}


def _print(plain: Probe, told: Probe) -> None:
    """The texts in the order a system sees them; words that differ from the reference levels as [-old-]{+new+}."""
    before, after = differences.texts(plain), differences.texts(told)
    output.say(told.id)
    for place, text in after.items():
        mark = " (keyed)" if place == KEYED else ""
        output.say(f"\n{place}{mark}: {differences.marked(before[place], text)}")
