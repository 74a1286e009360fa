"""A small report of probes, made by hand: one system, one planted difference, texts that try to break out."""

from __future__ import annotations

from empathic.records import Estimate
from empathic.reports import Lost, Named, Pair, ProbeMaterial, SystemPart, Told

EVIL = "<script>alert(1)</script>"
LEVELS = [(age, pronouns) for age in ("30", "70") for pronouns in ("he", EVIL)]


def asked(
    kind: str, factors: list[str], levels: tuple[str, ...], value: float | None, verdict: str, metric: str = "ce"
) -> Estimate:
    group = " × ".join(f"{factor}={level}" for factor, level in zip(factors, levels, strict=True))
    labels = {"kind": kind, "metric": metric, "system": "bot<1>", "group": group or "everyone", "factors": factors,
              "levels": list(levels), "against": "the median group"}  # fmt: skip
    known = value is not None
    details = (
        {"verdict": verdict, "margin": 0.1, "detectable": 0.08, "p_equivalence": 0.5}
        if kind != "mean" and known
        else {}
    )
    return Estimate(
        name=kind, value=value, low=value - 0.05 if known else None, high=value + 0.05 if known else None, method="m", n=20,
        statistic=(value or 0) * 50, p=0.01, p_adjusted=0.002 if verdict == "different" else 0.7, labels=labels,
        details=details, missing=None if known else "nobody answered",
    )  # fmt: skip


def plain(
    kind: str, value: float | None, metric: str = "ce", details: dict[str, object] | None = None, **labels: str
) -> Estimate:
    return Estimate(
        name=kind, value=value, low=0.1 if value else None, high=0.3 if value else None, method="m", n=9, statistic=2.0, p=0.3,
        p_adjusted=0.4, missing=None if value is not None else "too few", details=details or {},
        labels={"kind": kind, "metric": metric, "system": "bot<1>", **labels},
    )  # fmt: skip


def estimates(verdict: str = "different") -> list[Estimate]:
    both = ["age", "pronouns"]
    cells = [asked("deviation", both, levels, -0.2 if levels == LEVELS[3] else 0.01, "") for levels in LEVELS[:3]]
    return [
        plain("any", 3.0, details={"verdict": verdict}, group="x"),
        plain("any", None, metric="refusal", details={"verdict": "equivalent", "margin": 0.05}),
        asked("contrast", ["age"], ("70",), -0.1, "inconclusive"), asked("contrast", ["pronouns"], (EVIL,), None, ""),
        *cells, asked("deviation", both, LEVELS[3], -0.2, verdict), asked("interaction", both, LEVELS[3], -0.15, verdict),
        *(asked("mean", both, levels, 0.8, "") for levels in LEVELS), asked("mean", [], (), 0.05, "", "refusal"),
        asked("mean", ["age"], ("70",), 0.3, "", "refusal"), asked("deviation", ["age"], ("70",), 0.25, verdict, "refusal"),
        plain("worst", -0.2, details={"share_of_draws": 0.97, "range": 0.3}, group="age=70 × pronouns=they", factors=both),
        plain("published", 3.4, details={"outliers": {"age=70": 3.4}, "false_alarms": {"z>2": 0.65, "z>3": 0.19}}),
        *(plain("position", 0.2, position=letter) for letter in "ABCDE"),
        plain("letters", 4.0, details={"chosen": [5, 4, 3, 2, 1]}), plain("consistency", 0.7),
        plain("accuracy", 0.8, details={"raw": 0.79, "chance": 0.2}),
        plain("spread", 1.3, factor="age"), plain("spread", None, factor="pronouns", metric="refusal"),
        plain("control", 0.81, control="no attribute"),
    ]  # fmt: skip


def part(verdict: str = "different") -> SystemPart:
    first = Told("age=30", [("Oh", True), ("no", False), (EVIL, False)], None, ["length 3"])
    second = Told("age=70", [("Oh", True)], "timeout")
    pairs = [Pair("scene", [("Rowan is", True), ("70", False)], first, second)]
    lost = [Lost("ce", f"unparsed {EVIL}", 3, 100)]
    return SystemPart(
        "bot<1>", estimates(verdict), lost, [("everyone", 3, 100), ("age=70", 2, 50)], {"empathetic": 8, "x": 2}, pairs
    )


def material(verdict: str = "different", parts: int = 1) -> ProbeMaterial:
    named = {"ce": Named("ce", "cognitive empathy", "understanding", "higher"),
             "refusal": Named("refusal", "refusal", "refusals", "lower")}  # fmt: skip
    return ProbeMaterial(
        title=f"Who is understood? {EVIL}", parts=[part(verdict)] * parts, measures=named,
        references={"age": "30", "pronouns": "he"}, crossed=["age", "pronouns"], alpha=0.05,
        asked=[("templates", "20"), ("seed", EVIL)], methods=["We dealt anew."], limits=["Not people."], sources=["X (2020)."],
        shifts=[Estimate(name="measurement.context", value=0.02, method="how",
                         labels={"metric": "ce", "factor": "age", "level": "70"})],
    )  # fmt: skip
