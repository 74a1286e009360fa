"""A study folder becomes what the actions of `empathic study` print, write and serve."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec
import uvicorn

from empathic import registry, systems
from empathic.cli import desking, dialogues, output, surroundings
from empathic.contracts import Request, System
from empathic.errors import SettingError, UnknownName
from empathic.records import Dialogue, Instrument, Response, Turn
from empathic.studies import check, example, export, plan, platforms, progress, reading, tables, versions, withdrawal
from empathic.studies.design import AnyStudy, Bot, Ieval, Plan
from empathic.studies.invitations import invite
from empathic.studies.store import Store, open_store
from empathic.studies.web.app import create_app
from empathic.transport import Pool

EXAMPLE_SYSTEMS = {"eliza": "builtin/eliza", "if-else": "builtin/if-else"}


def load(folder: Path, bots: Sequence[str] = ()) -> Plan:
    """The plan of a study folder, with the instruments that are registered; `bots` are changed, as NAME=SYSTEM."""
    known: dict[str, Instrument] = {entry.name: entry.thing for entry in registry.entries("instrument")}
    return plan.build(_with_bots(reading.read(reading.find(folder)), bots), folder, known)


def _with_bots(study: AnyStudy, words: Sequence[str]) -> AnyStudy:
    pairs = [word.partition("=") for word in words]
    if not pairs:
        return study
    if not isinstance(study, Ieval):
        raise SettingError(f"--bot {words[0]}: this study has no bots.")
    systems_by_name = {bot.name: bot.system for bot in study.bots}
    for name, _, system in pairs:
        if name not in systems_by_name:
            raise UnknownName("bot of the study", name, systems_by_name)
        if not system:
            raise SettingError(f"--bot {name}: NAME=SYSTEM is needed, e.g. --bot {name}=builtin/eliza.")
        systems_by_name[name] = system
    changed = tuple(Bot(name=name, system=system) for name, system in systems_by_name.items())
    return msgspec.structs.replace(study, bots=changed)


@contextlib.contextmanager
def database(options: argparse.Namespace) -> Iterator[Store]:
    """The study's database, opened and closed again."""
    store = open_store(options.database or f"sqlite:///{options.folder / 'study.db'}")
    try:
        yield store
    finally:
        store.close()


def _new(options: argparse.Namespace) -> None:
    written = write_example(options.design, options.folder, options.dialogues)
    if options.json:
        output.print_json({"written": [str(path) for path in written]})
        return
    output.say("\n".join(f"wrote {path}" for path in written))
    output.say(f"Next: empathic study check {options.folder}, then: empathic study serve {options.folder}")


def write_example(design: example.Design, folder: Path, source: str) -> list[Path]:
    """A working example of a design, on the dialogues of a source."""
    scenarios = example.chosen(design, dialogues.load(source))
    answered = {"person": _own(scenarios), **asyncio.run(_answered(scenarios))} if design != "ieval" else {}
    written = example.write(design, folder, scenarios, answered)
    load(folder)
    return written


def _own(scenarios: Sequence[Dialogue]) -> list[Response]:
    """The listener's turns as they stand in the dialogues."""
    return [
        _response("person", each, position, place, turn.text)
        for each in scenarios
        for position, (place, turn) in enumerate(_listener(each))
    ]


async def _answered(scenarios: Sequence[Dialogue]) -> dict[str, list[Response]]:
    """What the example's systems say at each listener turn."""
    found: dict[str, list[Response]] = {}
    for name, address in EXAMPLE_SYSTEMS.items():
        system = systems.make(address)
        found[name] = [
            _response(name, each, position, place, await _said(system, each, position, place))
            for each in scenarios
            for position, (place, _) in enumerate(_listener(each))
        ]
        await system.close()
    return found


async def _said(system: System, dialogue: Dialogue, position: int, place: int) -> str | None:
    request = Request(dialogue=dialogue.id, position=position, turns=dialogue.turns[:place])
    return (await system.respond(request)).text


def _listener(dialogue: Dialogue) -> list[tuple[int, Turn]]:
    return [(place, turn) for place, turn in enumerate(dialogue.turns) if turn.role == "listener"]


def _response(system: str, dialogue: Dialogue, position: int, place: int, text: str | None) -> Response:
    return Response(
        id=f"{dialogue.id}#{system}#{position}",
        system=system,
        dialogue=dialogue.id,
        turns=dialogue.turns[:place],
        text=text,
        missing=None if text else "the system said nothing",
        position=position,
        emotion=dialogue.emotion,
        polarity=dialogue.polarity,
        situation=dialogue.situation,
    )


def _check(options: argparse.Namespace) -> int:
    """Exit code 1 if something must be changed before people come."""
    built = load(options.folder)
    if isinstance(built.study, Ieval):
        for bot in built.study.bots:
            registry_check(bot.system)
    found = check.check(built)
    if options.json:
        output.print_json(found)
    else:
        output.say(check.conditions_line(built))
        output.say(output.table(("what", "value"), [(key, _plain(value)) for key, value in found.numbers.items()]))
        for each in found.findings:
            output.say(f"{each.level}: {each.about}: {each.text}")
    return int(any(each.level == "problem" for each in found.findings))


def registry_check(name: str) -> None:
    """Refuse a bot whose system cannot exist, by its family; what needs a key or a server is tried when served."""
    family = name.replace(":", "/").split("/")[0]
    known = {entry.name for entry in registry.entries("system")} | {entry.name for entry in registry.entries("model")}
    if family not in {each.split("/")[0] for each in known}:
        systems.make(name)


def _serve(options: argparse.Namespace) -> None:
    built = load(options.folder, options.bot)
    with database(options) as store:
        number = versions.publish(store, built)
        connections = surroundings.pool(options)
        bots = _bots(built.study, options, connections)
        asyncio.run(_checked(bots, connections))
        given = {"mode": options.mode, "secure": options.https}
        app = create_app(store, bots, **given, connections=connections, oversight=desking.Overseer())
        address = f"http://{options.host}:{options.port}/"
        output.log(f"{built.study.title} (version {number}, {options.mode}) at {address}")
        output.log(desking.where(store, address, options.folder))
        # The access log would keep the addresses of participants.
        uvicorn.run(app, host=options.host, port=options.port, access_log=False, log_level="warning")


def _desk(options: argparse.Namespace) -> None:
    title = reading.read(reading.find(options.folder)).title
    with database(options) as store:
        result = desking.change(store, title, options.name, remove=options.remove)
    if options.json:
        output.print_json({"account": options.name, "done": result})
    else:
        output.say(f"The account '{options.name}' is {result}. The desk is at /desk while the study is served.")


async def _checked(bots: dict[str, System], connections: Pool) -> None:
    """Refuse a bot that cannot speak; the server has an event loop of its own, and so its own connections."""
    async with connections:
        for bot in bots.values():
            await bot.check()


def _bots(study: AnyStudy, options: argparse.Namespace, connections: Pool) -> dict[str, System]:
    if not isinstance(study, Ieval):
        return {}
    given = surroundings.system_options(options, connections, dialogues.Lazily(options.corpus))
    return {bot.name: systems.make(bot.system, given) for bot in study.bots}


def _status(options: argparse.Namespace) -> None:
    with database(options) as store:
        found = progress.progress(store, mode=options.mode)
    if options.json:
        output.print_json(found)
        return
    output.say(f"{found.title}, version {found.version}, {found.status}")
    output.say(", ".join(f"{count} {state}" for state, count in found.states.items()) or "nobody has come yet")
    rows = [(cell.condition, cell.stratum, cell.finished, cell.live, cell.free, cell.target) for cell in found.cells]
    output.say("\n" + output.table(("condition", "group", "finished", "live", "free", "target"), rows))


def _export(options: argparse.Namespace) -> None:
    with database(options) as store:
        found = export.export(store, mode=options.mode, everyone=options.everyone)
        with store.read() as connection:
            _, built = versions.newest(connection)
    written = tables.write(options.output or options.folder / "export", found, built)
    counts = {"raters": len(found.raters), "ratings": len(found.ratings), "excluded": len(found.exclusions)}
    if options.json:
        output.print_json({**counts, "written": [str(path) for path in written]})
        return
    output.say(", ".join(f"{count} {name}" for name, count in counts.items()))
    output.say("\n".join(map(str, written)))


def _invite(options: argparse.Namespace) -> None:
    with database(options) as store, store.read() as connection:
        _, built = versions.newest(connection)
        if built.study.platform.kind != "direct":
            raise SettingError(f"People come from '{built.study.platform.kind}'; invitations need `kind: direct`.")
        key = versions.secret(connection)
    links = {name: f"{options.address}/?invite={quote(invite(key, name))}" for name in options.name}
    if options.json:
        output.print_json(links)
    else:
        output.say("\n".join(f"{name}  {link}" for name, link in links.items()))


def _states(options: argparse.Namespace) -> None:
    with database(options) as store:
        noted = platforms.note(store, platforms.read_csv(options.csv))
    if options.json:
        output.print_json(noted)
        return
    output.say(f"{noted.known} submissions noted, {len(noted.unknown)} not known here")


def _person(options: argparse.Namespace) -> None:
    with database(options) as store:
        name = withdrawal.anyone_called(store, options.id)
        if name is None:
            raise SettingError(f"Nobody is known as '{options.id}'.")
        found = withdrawal.everything(store, name)
        if options.erase:
            withdrawal.erase(store, name)
    if not options.erase:
        output.print_json(found)
    elif options.json:
        output.print_json({"erased": f"human:{name}"})
    else:
        output.say(f"Everything about human:{name} is erased; the place is free.")


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


ACTIONS = {
    "new": _new,
    "check": _check,
    "serve": _serve,
    "desk": _desk,
    "status": _status,
    "export": _export,
    "invite": _invite,
    "states": _states,
    "person": _person,
}
