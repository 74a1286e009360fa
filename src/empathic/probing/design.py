"""Settings become a design: the probes that are asked, and what is known about them before anything is sent."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from empathic.errors import InputError
from empathic.probes import factors as factor_files
from empathic.probes import templates as template_files
from empathic.probes.asking import questions
from empathic.probes.factors import PRONOUNS, Factor
from empathic.probes.neutrality import Pair
from empathic.probes.planning import Cost, Detectable, cost, detectable
from empathic.probes.probe import Probe
from empathic.probes.rendering import CONTROLS, obstacle, render
from empathic.probes.sampling import Association, Draw, Scene, associations, design, left_out, limited
from empathic.probes.templates import Template
from empathic.records import Dialogue, Record

RESAMPLED = "same prompt again"  # decoding noise: the reference person's probe, asked over and over


class Settings(Record, frozen=True, omit_defaults=False):
    """What decides a design."""

    templates: str = "builtin"
    language: str = "en"
    focal: tuple[str, ...] = ("sexuality", PRONOUNS)
    repeats: int = 1
    orders: int = 5
    seed: int = 1
    limit: int | None = None
    controls: int = 1  # probes of each kind of control in each template


@dataclasses.dataclass(frozen=True)
class Design:
    """Everything a run asks, and what it is about."""

    settings: Settings
    templates: tuple[Template, ...]
    factors: Mapping[str, Factor]
    draws: tuple[Draw, ...]
    probes: tuple[Probe, ...]
    questions: tuple[Dialogue, ...]

    @property
    def left_out(self) -> dict[str, str]:
        """Templates and combinations that cannot be told, with the reason."""
        return left_out(_scenes(self.templates, self.factors), _levels(self.factors), self.settings.focal)

    @property
    def excepted(self) -> dict[str, list[str]]:
        """Factor → templates that do not assume that everybody should be answered alike."""
        found: dict[str, list[str]] = {}
        for template, factor in itertools.product(self.templates, self.factors):
            if template.invariance.get(factor, "assumed") != "assumed":
                found.setdefault(factor, []).append(template.id)
        return found

    @property
    def associations(self) -> list[Association]:
        """How far other factors go along with the focal ones, the worst first."""
        return associations(self.draws, self.settings.focal)

    @property
    def detectable(self) -> list[Detectable]:
        """The smallest differences this design finds."""
        return detectable(self.draws, self.settings.focal)

    def cost(self, price: tuple[float, float] | None = None) -> Cost:
        """What asking one system sends."""
        return cost(self.questions, self.draws, price)

    def pairs(self) -> Iterator[Pair]:
        """Scenes that differ in one focal factor alone, for what the metrics themselves make of it."""
        said = {draw.template for draw in self.draws}
        for template, name in itertools.product(self.templates, self.settings.focal):
            if template.id in said:
                yield from _pairs(template, self.factors, name)


def make(settings: Settings) -> Design:
    """Read templates and factors, draw the design, render the probes, and ask them in every order."""
    templates = template_files.read(settings.templates, language=settings.language)
    factors = _factors(templates, settings)
    scenes = _scenes(templates, factors)
    drawn = design(scenes, _levels(factors), settings.focal, repeats=settings.repeats, seed=settings.seed)
    kept = limited(drawn, settings.focal, settings.limit, seed=settings.seed)
    draws = [*kept, *_controls({draw.template for draw in kept}, templates, factors, settings.controls)]
    by_id = {template.id: template for template in templates}
    probes = [_rendered(by_id[draw.template], factors, draw) for draw in draws]
    asked = tuple(questions(probes, orders_=settings.orders, seed=settings.seed))
    return Design(settings, templates, factors, tuple(draws), tuple(probes), asked)


def _factors(templates: Sequence[Template], settings: Settings) -> dict[str, Factor]:
    """The factors of the templates' language; templates of two languages cannot be one design."""
    languages = sorted({template.language for template in templates})
    if languages != [settings.language]:
        raise InputError(
            f"the templates are in {', '.join(languages)}, not in '{settings.language}'; add --language {languages[0]}",
            path=settings.templates,
        )
    return factor_files.read(settings.language)


def _scenes(templates: Sequence[Template], factors: Mapping[str, Factor]) -> list[Scene]:
    def hurdle(template: Template) -> Scene:
        return Scene(template.id, template.factors, lambda levels: obstacle(template, factors, levels))

    return [hurdle(template) for template in templates]


def _levels(factors: Mapping[str, Factor]) -> dict[str, tuple[str, ...]]:
    return {name: factor.available for name, factor in factors.items()}


def _controls(
    used: set[str], templates: Sequence[Template], factors: Mapping[str, Factor], count: int
) -> Iterator[Draw]:
    """Per template: nothing said of the person, something irrelevant said, and the reference person again and again."""
    reference = {name: factor.reference for name, factor in factors.items()}
    for template in templates:
        if template.id not in used:
            continue
        fitting = {name: level for name, level in reference.items() if name in template.factors}
        for control, repeat in itertools.product((*CONTROLS, RESAMPLED), range(count)):
            levels = fitting if control == RESAMPLED and obstacle(template, factors, fitting) is None else {}
            yield Draw(template=template.id, levels=levels, repeat=repeat, control=control)


def _rendered(template: Template, factors: Mapping[str, Factor], draw: Draw) -> Probe:
    if draw.control != RESAMPLED:
        return render(template, factors, draw.levels, repeat=draw.repeat, control=draw.control)
    probe = render(template, factors, draw.levels, repeat=draw.repeat)
    return msgspec.structs.replace(probe, id=f"{probe.id}/again", control=RESAMPLED)


def _pairs(template: Template, factors: Mapping[str, Factor], name: str) -> Iterator[Pair]:
    factor = factors[name]
    reference = render(template, factors, {name: factor.reference})
    for level in factor.available:
        if level != factor.reference and obstacle(template, factors, {name: level}) is None:
            yield Pair(name, level, render(template, factors, {name: level}), reference)
