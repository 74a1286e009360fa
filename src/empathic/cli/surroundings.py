"""Flags become what systems and models are made with: connections, keys, prompts, sampling, a corpus."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

import msgspec

from empathic import models, systems
from empathic.cli.environment import environment
from empathic.contracts import Model, Sampling
from empathic.errors import SettingError
from empathic.records import Dialogue
from empathic.transport import Limits, Pool


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags about models and servers; any verb that asks models has them."""
    group = parser.add_argument_group("models and servers")
    group.add_argument("--base-url", metavar="URL", help="address of the server, e.g. http://127.0.0.1:8080/v1")
    group.add_argument("--api-key", metavar="KEY", help="better: the variable PROVIDER_API_KEY, or .env")
    group.add_argument("--extra-body", metavar="JSON", help="fields added to every request (never secrets: it is kept)")
    group.add_argument("--price", metavar="IN,OUT", help="US dollars for a million prompt and completion tokens")
    group.add_argument("-M", dest="model_arguments", action="append", default=[], metavar="NAME=VALUE")
    group.add_argument("--max-connections", type=int, default=16, metavar="N", help="calls at once (default 16)")
    group.add_argument("--timeout", type=float, default=120.0, metavar="S", help="seconds for one try (default 120)")
    group.add_argument("--deadline", type=float, default=600.0, metavar="S", help="… for a call with all its retries")


def add_sampling_arguments(parser: argparse.ArgumentParser, *, seed: bool = True) -> None:
    """Flags about how a model chooses its words; they override what the prompt prescribes.

    `seed=False`: the verb has a --seed of its own, which means something else.
    """
    group = parser.add_argument_group("sampling")
    group.add_argument("--temperature", type=float)
    group.add_argument("--top-p", type=float)
    group.add_argument("--max-tokens", type=int)
    if seed:
        group.add_argument("--seed", type=int)


def sampling(options: argparse.Namespace) -> Sampling:
    """The sampling that the flags set."""
    return Sampling(
        temperature=options.temperature, top_p=options.top_p, max_tokens=options.max_tokens, seed=options.seed
    )


def pool(options: argparse.Namespace) -> Pool:
    """The connections of this run."""
    if options.max_connections < 1 or options.timeout <= 0 or options.deadline <= 0:
        raise SettingError("--max-connections is 1 or more, --timeout and --deadline are above 0.")
    return Pool(Limits(connections=options.max_connections, attempt=options.timeout, deadline=options.deadline))


def model_options(options: argparse.Namespace, connections: Pool) -> models.ModelOptions:
    """What models are made with."""
    return models.ModelOptions(
        pool=connections,
        base_url=options.base_url,
        api_key=options.api_key,
        extra_body=_object(options.extra_body),
        prices=prices(options.price),
        environment=environment(),
        arguments=dict(_pair(word) for word in options.model_arguments),
    )


def system_options(options: argparse.Namespace, connections: Pool, corpus: Iterable[Dialogue]) -> systems.Options:
    """What systems are made with; models of one name are shared."""
    made: dict[str, Model] = {}
    given = model_options(options, connections)

    def model(name: str) -> Model:
        if name not in made:
            made[name] = models.make(name, given)
        return made[name]

    return systems.Options(
        prompt=options.prompt,
        sampling=sampling(options),
        model=model,
        providers=models.providers(),
        pool=connections,
        corpus=corpus,
        endpoints=options.endpoints,
        environment=given.environment,
    )


def _object(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise SettingError(f"--extra-body must be a JSON object such as '{{\"top_k\": 40}}': {error}.") from error


def prices(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    numbers = [part.strip() for part in text.split(",")]
    if len(numbers) != 2 or not all(part.replace(".", "", 1).isdigit() for part in numbers):
        raise SettingError(f"--price {text}: two prices are needed, e.g. --price 2.50,10.00.")
    return float(numbers[0]), float(numbers[1])


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise SettingError(f"-M {word}: NAME=VALUE is needed, e.g. -M threads=2.")
    return name, value
