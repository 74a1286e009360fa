"""The last step of a probe run: estimates, declared in the manifest."""

from __future__ import annotations

from pathlib import Path

from empathic import files, probing_report
from empathic.records import Estimate
from empathic.runs import Run


def test_the_estimates_are_written_and_declared(tmp_path: Path) -> None:
    run = Run(tmp_path)
    (tmp_path / "measured.jsonl").write_text("")
    first = [Estimate(name="ce.accuracy", value=0.5, method="share")]
    found = probing_report.write(run, [], first, probes=[], references={"age": "45"}, focal=["age"], seed=1)
    assert found[0] == first[0]
    assert files.read_json(tmp_path / "estimates.json", list[Estimate])[0] == first[0]
    assert run.stage("analyze") is not None
    run.check()
