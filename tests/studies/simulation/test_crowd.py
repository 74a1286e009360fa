"""People take the three designs over HTTP; a seed fixes what they are given and what they answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from empathic.errors import ServiceError
from empathic.studies import export, progress
from empathic.studies.design import Plan
from empathic.studies.simulation import crowd as crowds
from empathic.studies.simulation import ledger
from empathic.studies.simulation.browser import Network
from empathic.studies.simulation.crowd import Crowd, link, systems_of, take
from empathic.studies.simulation.ledger import Found
from empathic.studies.simulation.people import Behaviour

NOTHING = Found(lost=0, duplicated=0, over_assigned=0, broken_chains=0, broken_chats=0, wrong_codes=0)


@pytest.mark.parametrize("design", ["between", "ieval", "observer"])
def test_a_design_is_taken_to_its_end_over_a_bad_network(live: Callable[..., Any], design: str) -> None:
    changes = {"raters": 3} if design == "between" else {"turns": 2} if design == "ieval" else {}
    served = live(design, **changes)
    behaviour = Behaviour(seed=1, dropout=0.0, two_tabs=0.3, autosave=0.5)
    crowd = Crowd(4, at_once=4, network=Network(lost=0.1, doubled=0.1))
    noted = asyncio.run(take(served.address, served.store, behaviour, crowd))
    assert ledger.compare(served.store, noted) == NOTHING
    assert progress.progress(served.store, mode="simulated").outcomes == {"complete": 4}
    assert len(noted.codes) == 4
    assert noted.faults > 0
    assert (len(noted.said) > 0) is (design == "ieval")


def test_who_leaves_keeps_a_place_and_gets_no_code(live: Callable[..., Any]) -> None:
    served = live(raters=3)
    noted = asyncio.run(take(served.address, served.store, Behaviour(seed=1, dropout=1.0), Crowd(3)))
    assert noted.codes == {}
    assert progress.progress(served.store, mode="simulated").states == {"active": 3}
    assert progress.progress(served.store).states == {}


def test_a_seed_fixes_places_and_answers(live: Callable[..., Any]) -> None:
    def once(at_once: int) -> list[str]:
        served = live(raters=3)
        asyncio.run(take(served.address, served.store, Behaviour(seed=9), Crowd(6, at_once=at_once)))
        found = export.export(served.store, mode="simulated", everyone=True).ratings
        return sorted(str((each.rater, each.item, each.target, each.value)) for each in found)

    assert once(6) == once(1) != []


@pytest.mark.parametrize(
    ("platform", "wanted"),
    [
        ({"kind": "prolific"}, "/?PROLIFIC_PID=simulated-7&STUDY_ID=simulated&SESSION_ID=session-7"),
        ({"kind": "url", "parameter": "who"}, "/?who=simulated-7"),
        ({"kind": "direct"}, "/?invite="),
    ],
)
def test_people_come_as_the_platform_sends_them(
    make_plan: Callable[..., Plan], platform: dict[str, str], wanted: str
) -> None:
    assert link(make_plan(platform=platform), b"key", 7).startswith(wanted)


def test_every_rated_field_has_its_system(published: Any, begin: Callable[..., str]) -> None:
    name = begin(published, "p1")
    found = systems_of(published, name)
    assert {key.split(".")[0] for key in found} == {"rate"}
    assert len(set(found.values())) == 1


def test_where_somebody_cannot_go_on_the_reason_is_told(live: Callable[..., Any]) -> None:
    served = live(platform={"kind": "prolific"})
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ServiceError, match="does not lead into the study"):
        patch.setattr(crowds, "link", lambda *_: "/?PROLIFIC_PID=")
        asyncio.run(take(served.address, served.store, Behaviour(seed=1), Crowd(3)))
