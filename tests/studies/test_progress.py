"""Progress: the counts are those of the people, cell by cell."""

from __future__ import annotations

from collections.abc import Callable

from empathic.studies import versions, withdrawal
from empathic.studies.design import Plan
from empathic.studies.progress import progress
from empathic.studies.store import Store


def test_progress_counts_people_by_state_and_cell(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], complete: Callable[..., str]
) -> None:
    versions.publish(store, make_plan(count=8, balance={"gender": ["female", "male"]}))
    complete(store, "a", gender="female")
    complete(store, "b", gender="female")
    begin(store, "c", gender="male")
    begin(store, "d", gender="other")
    withdrawal.withdraw(store, begin(store, "e", gender="male"))
    begin(store, "preview", mode="preview")
    found = progress(store)
    assert found.states == {"active": 1, "finished": 2, "screened_out": 1, "withdrawn": 1}
    assert found.outcomes == {"complete": 2, "screened_out": 1, "withdrawn": 1}
    assert {(cell.condition, cell.stratum, cell.target) for cell in found.cells} == {
        (condition, gender, 2) for condition in ("human", "model") for gender in ("female", "male")
    }
    assert sum(cell.finished for cell in found.cells if cell.stratum == "female") == 2
    assert sum(cell.live for cell in found.cells if cell.stratum == "male") == 1
    assert sum(cell.live + cell.finished for cell in found.cells) == 3
    assert (found.version, found.status, found.late, found.chats_failed) == (1, "open", 0, 0)
    assert found.answers > 2 * 20
    assert progress(store, mode="preview").states == {"active": 1}


def test_the_balance_of_orders_is_shown(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str]
) -> None:
    versions.publish(store, make_plan("ieval", count=12, questions=[]))
    for number in range(7):
        begin(store, f"p{number}")
    assert progress(store).orders == {"orders": 12, "fewest": 0, "most": 1, "used": 7}
