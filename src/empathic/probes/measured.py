"""One number about one answer to one probe: what measuring gives and every analysis of probes starts from."""

from __future__ import annotations

from empathic.records import Record


class Measured(Record, frozen=True):
    """One value of one metric for one probe, with who the probe was about.

    The metrics are `ce` (1 the keyed answer was chosen, 0 another one; one per order of the options), `ce.logprob`
    (the probability of the keyed answer among the five, per order), `ce.averaged` (the same from log-probabilities
    averaged over the orders, which removes what letters do), `ce.likelihood` (the same from the likelihood of the
    answers' own words under a local model, without letters), `ce.consistency` (the share of orders that agree on
    one answer), `ae.valence`, `ae.arousal`, `ae.dominance` (distance: lower is nearer), `era.emotional_reactions`,
    `era.interpretations`, `era.explorations` (0, 1, 2), `refusal`, `role_break` (0, 1) and `length` (words).
    """

    system: str
    probe: str
    template: str
    levels: dict[str, str]  # factor → level, of every factor
    metric: str
    value: float | None
    missing: str | None = None  # why there is no value
    repeat: int = 0
    control: str | None = None  # not one of the groups, measured for comparison
    order: int | None = None  # of `ce`: which order of the options, from 0
    outcome: str | None = None  # of `ce`: ok, lenient, ambiguous, refusal, unparsed, or empty
    chosen: str | None = None  # of `ce`: the kind of answer chosen
    position: int | None = None  # of `ce`: where the chosen answer stood, from 0
    keyed: int | None = None  # of `ce`: where the keyed answer stood, from 0
    response: str | None = None  # id of the response measured
    evidence: str | None = None  # the words that decided it
