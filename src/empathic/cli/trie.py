"""Show what a system says again and again: `empathic trie cem_responses.json --top 10`."""

from __future__ import annotations

import argparse
import html
from collections.abc import Iterator
from pathlib import Path

from empathic import datasets, files
from empathic.cli import output
from empathic.cli.score import choose_decoding
from empathic.errors import InputError, SettingError
from empathic.metrics import trie
from empathic.metrics.batch import TOKENS
from empathic.metrics.folding import Folded, fold
from empathic.records import Response

SUFFIXES = (".json", ".dot", ".html")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="responses")
    parser.add_argument("--system", metavar="NAME", help="only responses of this system")
    parser.add_argument("--decoding", metavar="NAME", help="another decoding kept in the file: beam_search …")
    parser.add_argument("--format", metavar="NAME", help="the format of the file (default: recognised)")
    parser.add_argument("--tokens", choices=tuple(TOKENS), default="ptb", help="split: the file is tokenised already")
    parser.add_argument("--top", type=int, default=15, metavar="N", help="how many spans and templates (default 15)")
    parser.add_argument("--depth", type=int, default=3, metavar="N", help="how many steps of the tree (default 3)")
    parser.add_argument("--least", type=int, default=0, metavar="N", help="responses of a branch (default 2 %% of all)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the tree: .json, .dot or .html")
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    if options.output is not None and options.output.suffix not in SUFFIXES:
        raise SettingError(f"-o is '{options.output}': a tree is written as {', '.join(SUFFIXES)}.")
    rows = _rows(options)
    folded = fold(rows)
    shape = trie.shape(rows, folded)
    least = options.least or max(2, len(rows) // 50)
    root = trie.tree(folded, least=least, depth=options.depth)
    if options.output is not None:
        _write(options.output, trie.tree(folded, least=2, depth=max(options.depth, 8)))
    document = {
        "shape": shape,
        "spans": trie.frequent_spans(folded, options.top),
        "templates": trie.frequent_templates(folded, options.top),
        "tree": root,
    }
    if options.json:
        output.print_json(document)
    else:
        _show(folded, shape, root, options.top)


def _rows(options: argparse.Namespace) -> list[list[str]]:
    rows = []
    for record in datasets.read(options.file, options.format):
        if isinstance(record, Response) and options.system in (None, record.system):
            text = choose_decoding(record, options.decoding, options.file).text
            if text and text.strip():
                rows.append(TOKENS[options.tokens](text))
    if not rows:
        raise InputError("holds no responses with a text", path=options.file)
    return rows


def _show(folded: Folded, shape: trie.Shape, root: trie.Node, top: int) -> None:
    for title, found in (
        ("spans, heaviest (words × count) first", trie.frequent_spans(folded, top)),
        ("templates (spans in brackets)", trie.frequent_templates(folded, top)),
    ):
        output.say(f"{title}\n")
        output.say(output.table(("count", "text"), [(one.count, one.text) for one in found]) + "\n")
    output.say(f"tree of {root.count:,} responses\n")
    for line in lines(root.children):
        output.say(line)
    output.say("")
    counts = files.to_builtins(shape)
    output.say(output.table(("number", "value"), list(counts.items())))


def lines(nodes: tuple[trie.Node, ...], indent: str = "") -> Iterator[str]:
    """The tree in text: branches with their counts."""
    for place, node in enumerate(nodes):
        last = place == len(nodes) - 1
        text = f"[{node.text}]" if node.span else node.text
        yield f"{indent}{'└─' if last else '├─'} {text}  {node.count:,}"
        yield from lines(node.children, indent + ("   " if last else "│  "))


def _write(path: Path, root: trie.Node) -> None:
    if path.suffix == ".json":
        files.write_json(path, root)
        return
    text = dot(root) if path.suffix == ".dot" else page(root)
    with files.atomic(path) as stream:
        stream.write(text.encode())


def dot(root: trie.Node) -> str:
    """The tree for Graphviz."""
    rows = ["digraph responses {", "  rankdir=LR; node [shape=box];"]
    names = iter(range(1 << 30))

    def add(node: trie.Node) -> int:
        name = next(names)
        label = (node.text or "ROOT").replace("\\", "\\\\").replace('"', '\\"')
        rows.append(f'  n{name} [label="{label}\\n{node.count}"{" style=filled" if node.span else ""}];')
        rows.extend(f"  n{name} -> n{add(child)};" for child in node.children)
        return name

    add(root)
    return "\n".join([*rows, "}"]) + "\n"


def page(root: trie.Node) -> str:
    """The tree as one page without scripts."""
    style = "body{font:15px sans-serif}details,div{margin-left:1.2em}.s{background:#dff0d8}.n{color:#777}"
    body = "".join(_details(node) for node in root.children)
    title = f"{root.count:,} responses"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{style}</style>'
        f"<h1>{title}</h1>{body}</html>\n"
    )


def _details(node: trie.Node) -> str:
    mark = ' class="s"' if node.span else ""
    head = f'<span{mark}>{html.escape(node.text)}</span> <span class="n">{node.count:,}</span>'
    inner = "".join(map(_details, node.children))
    return f"<details><summary>{head}</summary>{inner}</details>" if inner else f"<div>{head}</div>"
