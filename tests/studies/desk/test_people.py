"""The list of people: by state, page by page, without a platform id."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from empathic.studies import participants
from empathic.studies.desk import people
from empathic.studies.participants import Identity
from empathic.studies.store import Store


def test_people_are_listed_by_state_the_newest_first(
    published: Store, begin: Callable[..., str], complete: Callable[..., str], clock: Callable[[], float]
) -> None:
    names = []
    for make, pid in ((complete, "5f3c-anna"), (begin, "5f3c-ben"), (complete, "5f3c-cleo")):
        clock.now += 60  # type: ignore[attr-defined]
        names.append(make(published, pid))
    begin(published, "preview", mode="preview")
    with published.read() as connection:
        everybody = people.people(connection, "live")
        active = people.people(connection, "live", state="active")
    assert [row["id"] for row in everybody.rows] == names[::-1]
    assert (everybody.total, everybody.pages) == (3, 1)
    assert [row["id"] for row in active.rows] == [names[1]]
    assert active.rows[0]["condition"] in ("human", "model")
    assert "5f3c" not in str(everybody.rows)


def test_many_people_come_page_by_page_each_once(published: Store) -> None:
    for number in range(people.PER_PAGE + 7):
        participants.enter(published, Identity(platform="url", pid=f"p{number}"), "live")
    with published.read() as connection:
        pages = [people.people(connection, "live", page=number) for number in (1, 2, 3)]
    assert [len(page.rows) for page in pages] == [people.PER_PAGE, 7, 0]
    assert pages[0].pages == 2
    assert len({row["id"] for page in pages for row in page.rows}) == people.PER_PAGE + 7


def test_somebody_is_found_by_platform_id_or_pseudonym_within_the_mode(
    published: Store, begin: Callable[..., str]
) -> None:
    previewed, taken = begin(published, "anna", mode="preview"), begin(published, "anna")
    with published.read() as connection:
        assert people.find(connection, "anna", "live") == taken
        assert people.find(connection, f"human:{taken}", "live") == taken
        assert people.find(connection, taken, "live") == taken
        assert people.find(connection, previewed, "live") is None
        assert people.find(connection, "' OR 1=1 --", "live") is None
        assert people.known(connection, taken, "live")
        assert not people.known(connection, previewed, "live")


@pytest.mark.parametrize(
    ("text", "page"),
    [("3", 3), ("0", 1), ("-1", 1), ("x", 1), ("", 1), ("²", 1), ("9" * 400, 1), ("99999999", 100_000), ("1; DROP", 1)],
)
def test_a_page_number_is_a_number(text: str, page: int) -> None:
    assert people.page_number(text) == page
