from __future__ import annotations

from pathlib import Path

import pytest

from empathic.reports import Material, exports, figures, write_figures, write_tables


def test_a_table_is_csv_and_latex(material: Material) -> None:
    head, rows = exports.profile_rows(material, material.sections[0])
    assert exports.as_csv(head, rows) == ',human,bot<1>\nspecificity,"0.3 [0.2, 0.4]","0.5 [0.4, 0.6]"\n'
    latex = exports.as_latex(["a_b", "50 %"], [["x & y", "1"]], caption="C", label="l")
    assert r"a\_b & 50 \% \\" in latex
    assert r"x \& y & 1 \\" in latex
    assert latex.index(r"\toprule") < latex.index(r"\midrule") < latex.index(r"\bottomrule")


def test_pairs_of_the_headline_numbers_are_listed(material: Material) -> None:
    _, rows = exports.pair_rows(material)
    assert rows == [["specificity", "bot<1> − human", "0.25", "[0.1, 0.4]", "0.4", ".012", "20"]]


def test_every_table_is_written(material: Material, tmp_path: Path) -> None:
    written = write_tables(material, tmp_path / "tables")
    assert sorted(path.name for path in written) == [
        "behaviour.csv", "behaviour.tex", "pairs.csv", "pairs.tex", "spec.csv", "spec.tex"
    ]  # fmt: skip


def test_every_figure_is_written_in_three_forms(material: Material, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="install empathic[report] to write figures")
    written = write_figures(figures(material), tmp_path)
    starts = {path.suffix: path.read_bytes()[:5] for path in written}
    assert starts == {".svg": b"<svg ", ".pdf": b"%PDF-", ".png": b"\x89PNG\r"}
