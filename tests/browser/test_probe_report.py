"""The report of bias probes in a real browser: nobody shut out, nothing fetched, nothing of a model's text executed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import probe_runs
from empathic.probing.report import page as write


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = probe_runs.folder(tmp_path_factory.mktemp("browser") / "run", less=0.35, systems=("bot<1>", "other/bot"))
    probe_runs.analysed(run)
    return write(run)


def test_text_of_a_model_stays_text(page: Any) -> None:
    for details in page.locator("details").all():
        details.evaluate("each => each.open = true")
    assert page.locator("script").count() == 1
    assert page.locator(".answers img").count() == 0
    assert "<script>alert(1)</script>" in page.locator(".answers p").first.inner_text()


def test_the_verdict_is_what_is_seen_first(page: Any) -> None:
    lead = page.locator(".lead").first
    assert "makes a difference" in lead.inner_text()
    assert lead.bounding_box()["y"] < 900


def test_pointing_at_a_group_tells_its_difference(page: Any) -> None:
    dot = page.locator("#groups-0 details[open] .dot").first
    dot.scroll_into_view_if_needed()
    dot.locator("circle, path, rect").first.hover()
    assert page.locator(".tip").inner_text() == dot.get_attribute("data-tip")


def test_the_verdicts_can_be_had_as_data(page: Any) -> None:
    with page.expect_download() as download:
        page.locator('button[data-table="verdict-table-0"]').click()
    assert Path(download.value.path()).read_text().startswith("measure,verdict,worst group")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "light"), (1280, "dark"), (360, "dark")])
def test_nobody_is_shut_out(page: Any, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="install empathic[browser]")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    for details in page.locator("details").all():
        details.evaluate("each => each.open = true")
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", [390, 360])
def test_the_page_fits_a_telephone(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
