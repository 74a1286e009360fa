"""Arguments in, exit code out: the table of verbs; a verb's module is imported only when it is asked for.

A verb's module has `arguments(parser)` and `run(options)`, which returns the exit code or None for 0; one that takes
more than flags (a configuration file) has `parse(parser, words)` too.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

VERBS: dict[str, str] = {
    "evaluate": "the main job: systems answer, are scored, compared and reported, in one run folder",
    "report": "the page of a run; figures and tables for a paper",
    "compare": "a new run against a base run; with a gate, exit 100 if it is worse",
    "generate": "let systems answer dialogues: resumable, cached, honest about failures",
    "score": "compute metrics of responses: a table per response, a summary per system",
    "judge": "let models fill an instrument; compare them with people; combine both",
    "analyze": "analyse ratings by the design of their study, the careful result first",
    "study": "people rate: new, check, serve, simulate, status, export, analyze, …",
    "probe": "bias probes: is a person understood less well because of who they are",
    "power": "how many raters a study needs",
    "reproduce": "recompute a paper's tables, cell by cell, and say what it should have said",
    "instruments": "bring a questionnaire of your own, score answers with one",
    "lexicon": "bring an affect lexicon of your own for the word-choice metric",
    "corpus": "count the words of any dialogues as a reference for specificity",
    "trie": "frequent spans and templates of a system's responses, as a tree",
    "convert": "go from one file format to another, and say what is lost",
    "scenarios": "select scenarios from any dialogues, as in iEval",
    "models": "add and list models that run on this computer",
    "list": "what there is: metrics, systems, instruments, procedures, datasets, formats",
    "show": "one of them in full",
    "doctor": "what is installed, what works, what to type to get the rest",
}
_HEAD = """usage: empathic [--version] [--help] VERB …

Measures how empathic a dialogue system is, as people perceive it.
"""
_TAIL = "\n`empathic VERB --help` tells more of one verb. Exit codes: 0 fine, 1 error, 100 gate failed.\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; a mistake of the user's ends in one line on standard error and exit code 1."""
    words = [*(sys.argv[1:] if argv is None else argv)]
    if not words or words[0] in ("-h", "--help", "help"):
        sys.stdout.write(_help())
        return 0
    if words[0] in ("--version", "-V"):
        return _print_version()
    return _guarded(words[0], words[1:])


def _guarded(verb: str, words: Sequence[str]) -> int:
    from empathic.errors import EmpathicError  # msgspec-free, but `--help` does not even need this

    try:
        return _run(verb, words)
    except EmpathicError as error:
        sys.stderr.write(f"empathic: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("empathic: stopped. What was finished is kept; the same command goes on from there.\n")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(verb: str, words: Sequence[str]) -> int:
    from empathic.errors import UnknownName

    if verb not in VERBS:
        raise UnknownName("verb", verb, VERBS)
    module = importlib.import_module(f"empathic.cli.{verb}")
    parser = argparse.ArgumentParser(prog=f"empathic {verb}", description=module.__doc__)
    module.arguments(parser)
    parse = getattr(module, "parse", argparse.ArgumentParser.parse_args)
    result = module.run(parse(parser, words))
    sys.stdout.flush()
    return int(result or 0)


def _help() -> str:
    width = max(map(len, VERBS))
    return _HEAD + "\n" + "".join(f"  {verb:<{width}}  {text}\n" for verb, text in VERBS.items()) + _TAIL


def _print_version() -> int:
    from empathic.registry import package_version

    sys.stdout.write(f"empathic {package_version()}\n")
    return 0
