"""The report in a real browser: sorted, pointed at, opened, printed, without a console error or a barrier."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser") / "run"
    systems = ["--system", "human/reference", "--system", "builtin/if-else", "--system", "builtin/eliza"]
    command = [sys.executable, "-m", "empathic", "evaluate", *systems, "--per-emotion", "1", "--draws", "100"]
    subprocess.run([*command, "-o", str(folder)], check=True, capture_output=True)
    return folder / "report.html"


def test_a_table_is_sorted_by_its_head(page: Any) -> None:
    button = page.locator("#pairs-table thead button").nth(2)
    button.click()
    column = page.locator("#pairs-table tbody tr td:nth-child(3)")
    values = [float(text) for text in column.all_inner_texts()]
    assert values == sorted(values)
    button.click()
    values = [float(text) for text in column.all_inner_texts()]
    assert values == sorted(values, reverse=True)


def test_pointing_at_a_dot_tells_its_value(page: Any) -> None:
    dot = page.locator("#profile .dot").first
    dot.scroll_into_view_if_needed()
    dot.locator("circle, path, rect").first.hover()
    assert page.locator(".tip").is_visible()
    assert dot.get_attribute("data-tip") == page.locator(".tip").inner_text()


def test_a_dialogue_opens_with_every_answer(page: Any) -> None:
    place = page.locator("#dialogues details").first
    place.locator("summary").click()
    assert place.locator("dt").all_inner_texts() == ["human/reference", "builtin/if-else", "builtin/eliza"]
    page.select_option("#choose-emotion", "angry")
    shown = [each for each in page.locator("#dialogues details").all() if each.is_visible()]
    assert shown
    assert all(each.get_attribute("data-emotion") == "angry" for each in shown)


def test_the_data_of_a_table_can_be_had(page: Any) -> None:
    with page.expect_download() as download:
        page.locator('button[data-table="pairs-table"]').click()
    assert Path(download.value.path()).read_text().startswith("metric,systems,difference")


def test_the_page_prints(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    page.pdf(path=str(path))
    assert path.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "light"), (1280, "dark")])
def test_nobody_is_shut_out(page: Any, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="install empathic[browser]")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_the_page_fits_a_telephone(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
