"""The audit: what was done is kept, the newest first."""

from __future__ import annotations

from empathic.studies import audit, versions, withdrawal
from empathic.studies.store import Store


def test_entries_come_newest_first_and_say_who(published: Store) -> None:
    with published.write() as connection:
        for number in range(4):
            audit.note(connection, float(number), "test", str(number), "anna" if number % 2 else None)
    with published.read() as connection:
        found = audit.entries(connection, limit=3)
    assert [(row["detail"], row["who"]) for row in found] == [("3", "anna"), ("2", None), ("1", "anna")]


def test_what_changes_the_study_or_a_person_names_who_did_it(published: Store, complete: object) -> None:
    name = complete(published, "pid-of-anna")  # type: ignore[operator]
    versions.set_status(published, "paused", by="anna")
    withdrawal.erase(published, name, by="ben")
    with published.read() as connection:
        found = [(row["what"], row["detail"], row["who"]) for row in audit.entries(connection)]
    assert found == [("erase", name, "ben"), ("status", "paused", "anna")]
    assert "pid-of-anna" not in str(found)
