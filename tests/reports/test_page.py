from __future__ import annotations

import re

from empathic.reports import Material, figures, page


def test_the_page_needs_nothing_from_outside(material: Material) -> None:
    text = page(material)
    links = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert all(link.startswith("#") for link in links)
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", text)


def test_what_users_wrote_is_escaped(material: Material) -> None:
    text = page(material)
    assert "bot<1>" not in text
    assert "<sad>" not in text
    assert "My cat died &amp; I am &lt;sad&gt;." in text


def test_every_section_is_linked_and_there(material: Material) -> None:
    text = page(material)
    for name in re.findall(r'href="#([^"]+)"', text):
        assert f'id="{name}"' in text


def test_figures_show_the_estimates(material: Material) -> None:
    made = figures(material)
    assert "0.5 [0.2, 0.8]" in made["profile"]
    assert "0.3 [0.2, 0.4]" in made["spec"]


def test_missing_flags_and_reasons_are_counted(material: Material) -> None:
    text = page(material)
    assert "bot&lt;1&gt;: 1 of 20 responses missing (1 × timeout)" in text
    assert "missing: no response could be measured" in text
    assert "different N" in text


def test_a_pathology_that_never_occurs_is_not_listed(material: Material) -> None:
    text = page(material)
    assert "15 of 20" in text
    assert "0 of 20" not in text


def test_a_claim_about_a_group_needs_its_interaction(material: Material) -> None:
    assert "emotions-table" in page(material)
    quiet = material._replace(estimates=[each for each in material.estimates if each.labels["kind"] != "interaction"])
    assert 'id="emotions-table"' not in page(quiet)


def test_one_system_alone_has_a_page_too(material: Material) -> None:
    alone = material._replace(systems=["human"], estimates=material.estimates[:1], groups={}, examples=[])
    assert "nothing to compare with" in page(alone)
