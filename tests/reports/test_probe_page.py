from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from empathic.reports import probe_page
from reports.probed import EVIL, material


class Checked(HTMLParser):
    """Every element that is opened is closed, and ids are unique."""

    VOID = {"meta", "br", "img", "link", "input"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("parts", [1, 2])
def test_the_page_is_well_formed_and_its_ids_are_unique(parts: int) -> None:
    found = Checked()
    found.feed(probe_page(material(parts=parts)))
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))


def test_every_link_leads_somewhere() -> None:
    text = probe_page(material())
    assert all(f'id="{name}"' in text for name in re.findall(r'href="#([^"]+)"', text))


def test_no_text_of_a_model_becomes_markup_and_nothing_is_fetched() -> None:
    text = probe_page(material())
    assert EVIL not in text
    assert text.count("<script>") == 1
    assert "src=" not in text
    assert not re.search(r'(href|url)[=(]"?https?:', text)


def test_the_verdict_is_told_before_the_evidence() -> None:
    text = probe_page(material())
    assert text.index("makes a difference") < text.index("Groups: bot") < text.index("Methods and limits</h2>")
    assert '<span class="verdict different">different</span>' in text
    assert "age=70 × pronouns=they (−0.2; 97%)" in text


def test_the_published_rule_stands_beside_our_verdict() -> None:
    text = probe_page(material("inconclusive"))
    row = re.search(r'id="published-table-0".*?</table>', text, re.DOTALL).group(0)
    assert "age=70 (z = 3.40)" in row
    assert "19%" in row
    assert "inconclusive" in row


def test_groups_and_intersections_are_drawn() -> None:
    text = probe_page(material())
    assert 'aria-label="Groups: understanding"' in text
    assert 'class="heat"' in text
    assert "Beyond the two main effects:" in text
    assert "No intersection is established" in probe_page(material("inconclusive"))


def test_a_measure_without_values_says_why_below_the_table() -> None:
    assert "refusals: too few" in probe_page(material())


def test_without_crossed_dimensions_there_is_no_heat_map() -> None:
    one = material()
    alone = [each for each in one.parts[0].estimates if len(each.labels.get("factors", [])) < 2]
    text = probe_page(one._replace(parts=[one.parts[0]._replace(estimates=alone)]))
    assert "No two dimensions were crossed" in text
