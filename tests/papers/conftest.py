"""The papers' data, read once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.papers.ieval2022 import published
from empathic.papers.ieval2022_cells import Cells, compute
from empathic.papers.ieval2022_data import Study, read


@pytest.fixture(scope="session")
def ieval(shared: Path) -> Study:
    return read(shared / "data" / "ieval2022")


@pytest.fixture(scope="session")
def ieval_cells(ieval: Study) -> Cells:
    return compute(ieval, published())
