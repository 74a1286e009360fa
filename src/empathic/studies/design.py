"""A study as data: the frozen records a study file is read into, one per design, and the plan made of it."""

from __future__ import annotations

from typing import Literal

from empathic.records import Instrument, Polarity, Record, Turn

Outcome = Literal["complete", "screened_out", "failed", "withdrawn"]
Mode = Literal["live", "preview", "simulated"]


class Consent(Record, frozen=True):
    """What a participant agrees to; a changed text needs a new version, its hash is kept with every participant."""

    version: str
    text: str


class Question(Record, frozen=True):
    """A question about the participant, asked before the task."""

    id: str
    text: str
    kind: Literal["choice", "number", "text"] = "choice"
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    required: bool = True


class Balance(Record, frozen=True):
    """Which groups of participants are filled evenly within each condition; empty: no groups."""

    gender: tuple[str, ...] = ()
    age: tuple[str, ...] = ()  # bands such as "19-25" and "65+"
    others: int = 0  # places per condition for people of no listed group; they are screened out beyond


class Platform(Record, frozen=True):
    """Where participants come from and where they are sent with their code."""

    kind: Literal["prolific", "url", "direct"] = "direct"
    parameter: str = "id"  # the name of the id in the link, for `url`
    redirect: str = ""  # `{code}` is replaced; empty: the code is shown to be copied


class Codes(Record, frozen=True):
    """One completion code per outcome, shown by the server when the outcome is certain."""

    complete: str
    screened_out: str
    failed: str
    withdrawn: str


class Payment(Record, frozen=True):
    """What one participant is paid, and how long the study is said to take."""

    amount: float
    currency: str = "EUR"
    minutes: float = 15.0


class Check(Record, frozen=True):
    """An attention check: an instruction among the ratings with the point that follows it."""

    id: str
    text: str
    expect: float
    page: int  # on which rating page it stands, from 0


class Example(Record, frozen=True):
    """A worked example of the tutorial."""

    turns: tuple[Turn, ...]
    note: str = ""


class Study(Record, frozen=True, kw_only=True, tag_field="design"):
    """What all designs share."""

    title: str
    description: str
    consent: Consent
    codes: Codes
    help: str  # where a person in distress finds help; always within reach
    debrief: str
    questions: tuple[Question, ...] = ()
    tutorial: str = ""
    examples: tuple[Example, ...] = ()
    about_rater: tuple[str, ...] = ()  # instruments about the participant, e.g. teq
    checks: tuple[Check, ...] = ()
    failed_checks: int = 2  # so many wrong checks end in the outcome `failed`
    comment: str = ""  # the optional free question at the end; empty: none
    balance: Balance = Balance()
    platform: Platform = Platform()
    payment: Payment | None = None
    raters: int = 1  # how many people rate each batch
    lease_minutes: float = 60.0  # how long a place waits for a silent participant
    language: str = "en"
    seed: int = 1


class Between(Study, frozen=True, kw_only=True, tag="between"):
    """Each participant rates one batch of responses of one condition (Welivita & Pu, 2024)."""

    responses: str  # file of Response records beside the study file
    instrument: str = "bad-okay-good"
    conditions: tuple[str, ...] = ()  # systems in the file; empty: all of them
    batch: int = 10


class Bot(Record, frozen=True):
    """A chatbot of an iEval study: its name in the data and the system that speaks."""

    name: str
    system: str


class Ieval(Study, frozen=True, kw_only=True, tag="ieval"):
    """Each participant chats with every bot in a positive and a negative scenario (Svikhnushina et al., 2022)."""

    bots: tuple[Bot, ...]
    scenarios: str  # file of Dialogue records with polarity, beside the study file
    likert: str = "ieval-likert"
    ranking: str = "bad-okay-good"
    turns: int = 3  # fewest bot turns per chat
    most_turns: int = 30  # so many bot turns end a chat, which bounds what it can cost
    longest: int = 2000  # characters of one message


class Observer(Study, frozen=True, kw_only=True, tag="observer"):
    """Each participant rates whole transcripts as a third person (Concannon & Tomalin, 2023)."""

    transcripts: str  # file of Dialogue records beside the study file; metadata.system names the system
    instrument: str = "eshcc"
    per_rater: int = 5  # transcripts each participant rates
    raters: int = 3  # how many people rate each transcript


AnyStudy = Between | Ieval | Observer


class Thing(Record, frozen=True):
    """What is shown and rated: a response in its context, a transcript, or a scenario to chat about."""

    id: str
    turns: tuple[Turn, ...]
    dialogue: str
    system: str | None = None
    emotion: str | None = None
    polarity: Polarity | None = None
    situation: str | None = None


class Batch(Record, frozen=True):
    """The things one participant gets; its name carries the hash of its content."""

    name: str
    condition: str
    things: tuple[str, ...]


class Plan(Record, frozen=True):
    """A study with everything it needs, frozen: what a version of the study is."""

    study: AnyStudy
    instruments: tuple[Instrument, ...]
    things: dict[str, Thing]
    batches: tuple[Batch, ...]
    copies: int  # how many people may take each batch


class Seat(Record, frozen=True):
    """What one participant was assigned, in the order it is shown; stored with the participant."""

    condition: str
    batch: str
    things: tuple[str, ...]
    bots: tuple[str, ...] = ()  # iEval: the order in the first scenario, reversed in the second
    colours: dict[str, str] = {}  # bot → colour
