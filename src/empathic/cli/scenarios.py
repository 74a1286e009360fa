"""Select scenarios for a study as in iEval §4.3: `empathic scenarios select IN -n 480 --seed 1 -o OUT`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from empathic.cli import output, sources
from empathic.datasets import Format, Source, find
from empathic.datasets.duplicates import refuse_duplicates
from empathic.datasets.selection import Rules, Selection, select
from empathic.errors import InputError, SettingError
from empathic.records import Dialogue


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["select"])
    sources.add_flags(parser)
    parser.add_argument("-n", type=int, required=True, metavar="COUNT", help="how many, half of each polarity")
    parser.add_argument("--seed", type=int, required=True, help="of the draw; the same seed selects the same")
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, required=True)
    parser.add_argument("--to", metavar="FORMAT", default="records", help="of OUT (records)")
    parser.add_argument("--colour", type=float, default=0.4, help="smallest VADER compound of the opening (0.4)")
    parser.add_argument("--similarity", type=float, default=0.3, help="cosine from which topics are the same (0.3)")
    parser.add_argument("--per-topic", type=int, default=1, metavar="K", help="how many of one topic stay (1)")
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    output.load_extensions(options)
    source, reader = sources.source_of(options)
    writer = find(options.to)
    if writer.write is None or Dialogue not in writer.holds:
        raise SettingError(f"The format '{writer.name}' cannot be written with dialogues. Leave out --to.")
    rules = Rules(count=options.n, colour=options.colour, similarity=options.similarity, per_topic=options.per_topic)
    chosen, account = select(_dialogues(source, reader), rules, seed=options.seed)
    writer.write(options.output, chosen)
    output.print_json(account) if options.json else _show(account, options.output)


def _dialogues(source: Source, reader: Format) -> Iterator[Dialogue]:
    count = 0
    for _, record in refuse_duplicates(reader.read(source), source.path):
        if isinstance(record, Dialogue):
            count += 1
            yield record
    if not count:
        raise InputError("has no dialogues to select from", path=source.path)


def _show(account: Selection, path: Path) -> None:
    rows = [(step.name, step.rule, step.dropped, step.left) for step in account.steps]
    output.say(output.table(("step", "what stays", "dropped", "left"), rows))
    groups, largest = account.topics["groups"], account.topics["largest"]
    alike = account.topics["dialogues_in_groups_of_two_or_more"]
    output.say(f"\n{groups:,} topics before thinning; {alike:,} dialogues shared one, the largest had {largest:,}.")
    fewest, most = min(account.by_emotion.values()), max(account.by_emotion.values())
    poles = ", ".join(f"{count:,} {pole}" for pole, count in account.by_polarity.items())
    output.say(f"{poles}; {len(account.by_emotion)} emotions with {fewest} to {most} each (seed {account.seed}).")
    output.say(f"Written to {path}.")
