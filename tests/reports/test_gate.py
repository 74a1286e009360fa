from __future__ import annotations

from xml.etree import ElementTree

from empathic.reports import Row, junit, markdown

GOOD = Row("length.words", True, "either", 0.1, 0.0, 0.4, 0.5, "not worse beyond the tolerance")
BAD = Row("specificity", False, "higher", 0.2, 0.1, 0.3, 0.05, "worse by <0.1> & more")
NONE = Row("mechanisms.er", False, "higher", None, None, None, 0.05, "cannot be judged: no dialogues in common")


def test_a_failed_rule_is_a_failed_test_case() -> None:
    suite = ElementTree.fromstring(junit([GOOD, BAD, NONE], title="a → b"))
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    cases = {case.get("name"): case.find("failure") for case in suite}
    assert cases["length.words"] is None
    failure = cases["specificity"]
    assert failure is not None
    assert failure.get("message") == "worse by <0.1> & more"
    assert "interval 0.1 to 0.3" in (failure.text or "")


def test_the_summary_names_what_failed_first() -> None:
    text = markdown([GOOD, BAD], title="a → b")
    assert "**Failed:** specificity." in text
    assert "| ✓ | `length.words` | either | 0.1 | 0 to 0.4 | 0.5 |" in text
    assert "All 1 rules hold." in markdown([GOOD], title="x")
    assert "| – | – |" in markdown([NONE], title="x")
