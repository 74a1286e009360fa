"""What a model, a system, a procedure, a metric and a rater must be able to do: one small Protocol each.

Rooms do not know each other; what one needs from another it receives as an argument typed here.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from empathic.records import Dialogue, Estimate, Generation, Instrument, Rater, Rating, Record, Response, Turn

T = TypeVar("T")


class Message(Record, frozen=True):
    """One message of a chat request."""

    role: Literal["system", "user", "assistant"]
    content: str


class Sampling(Record, frozen=True):
    """How a model chooses its words; None leaves the model's own default."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    json_schema: Mapping[str, Any] | None = None  # constrain the answer to this JSON schema, where offered
    logprobs: int | None = None  # how many alternatives per token, where offered
    repeat: int = 0  # which of several samples this is: never sent, but part of the cache key


class Reply(Record, frozen=True):
    """What a model or a system answered: a text, or the reason why there is none."""

    text: str | None
    missing: str | None = None
    generation: Generation = Generation()
    transient: bool = False  # it failed on the way (network, server, limits): the next run asks again
    logprobs: tuple[Mapping[str, float], ...] | None = None  # per token: alternative → log-probability


class Request(Record, frozen=True):
    """One listener turn that a procedure wants from a system."""

    dialogue: str
    position: int
    turns: tuple[Turn, ...]
    situation: str | None = None
    emotion: str | None = None
    reference: str | None = None
    repeat: int = 0


@runtime_checkable
class Model(Protocol):
    """Text in, text out."""

    name: str
    concurrency: int | None  # how many calls at once make sense; None leaves it to the user

    def settings(self) -> Mapping[str, Any]:
        """Everything besides messages and sampling that decides the answer, for the cache key (never a secret)."""
        ...

    async def check(self) -> None:
        """Before anything is sent: raise one clear error if it cannot be used (host, key, model name)."""
        ...

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        """Answer a chat; raise nothing for one failed call, return the reason as missing."""
        ...

    async def close(self) -> None:
        """Free connections and memory."""
        ...


@runtime_checkable
class StreamingModel(Protocol):
    """A model that can also answer piece by piece."""

    def stream(self, messages: Sequence[Message], sampling: Sampling) -> AsyncGenerator[str | Reply, None]:
        """The pieces of the answer; the Reply at the end is what `complete` would have returned."""
        ...


@runtime_checkable
class Speaker(Protocol):
    """Takes the person's turn in a simulated conversation."""

    def settings(self) -> Mapping[str, Any]:
        """Everything that decides what is said."""
        ...

    async def say(self, dialogue: Dialogue, turns: Sequence[Turn], *, repeat: int) -> Reply | None:
        """The speaker's next turn, a missing reply if there can be none, None when nothing is left to say."""
        ...


@runtime_checkable
class System(Protocol):
    """Takes the listener's turn: the thing that is measured."""

    name: str
    concurrency: int | None  # how many calls at once make sense; None leaves it to the user

    def settings(self) -> Mapping[str, Any]:
        """Everything that decides the answer, for the cache key and the manifest (never a secret)."""
        ...

    async def check(self) -> None:
        """Before anything is sent: raise one clear error if it cannot be used."""
        ...

    async def respond(self, request: Request) -> Reply:
        """The listener's next turn."""
        ...

    async def close(self) -> None:
        """Free connections and memory."""
        ...


@runtime_checkable
class Streaming(Protocol):
    """A system that can also say its turn piece by piece."""

    def stream(self, request: Request) -> AsyncGenerator[str | Reply, None]:
        """The pieces of the listener's next turn; a Reply at the end is what counts.

        A reply that breaks off is missing with its reason; the pieces before it are not begun again.
        """
        ...


@runtime_checkable
class Procedure(Protocol):
    """How responses are obtained from a system about a dialogue."""

    name: str
    turn_by_turn: bool  # whether an answer decides what is asked next; `follow` is called only then

    def settings(self) -> Mapping[str, Any]:
        """The procedure as data; its hash goes into every response."""
        ...

    def requests(self, dialogue: Dialogue) -> Iterator[Request]:
        """The listener turns that can be asked for at once."""
        ...

    async def follow(self, dialogue: Dialogue, request: Request, reply: Reply) -> Request | Reply | None:
        """What comes after an answer: the next listener turn, the reason why there can be none, or the end."""
        ...


class Missing(Record, frozen=True):
    """Why one thing could not be measured."""

    reason: str


@runtime_checkable
class Likelihood(Protocol):
    """Tells how likely a text is under a language model, token by token.

    A registered model that can do this has a class method `likelihood(name)`, which gives one.
    """

    def settings(self) -> Mapping[str, Any]:
        """Everything that decides the numbers (never a secret)."""
        ...

    def logprobs(self, context: str, text: str) -> Sequence[float] | Missing:
        """ln p of each token of `text`, given the context and the tokens before it."""
        ...


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into rows of numbers that stand for what they say."""

    label: str  # NAME@HASH: what decides the numbers

    def encode(self, texts: Sequence[str]) -> Any:
        """One row per text, as a two-dimensional array; a text's row does not depend on the other texts."""
        ...


Value = float | Missing | None  # None: could not be measured, and the metric does not say why
Better = Literal["higher", "lower", "zero", "human", "neither"]


class Column(Record, frozen=True):
    """One number (or text) a metric gives: its range, and which way is better."""

    name: str = ""  # the number is called METRIC.name, or METRIC alone if empty
    low: float | None = None
    high: float | None = None
    better: Better = "neither"
    summary: str = ""
    text: bool = False  # evidence in words: goes to the table of scores, not into summaries


class Texts(Protocol):
    """A batch of responses that have a text, and the views of it every metric shares, each computed once."""

    responses: Sequence[Response]
    tokens: str  # how texts were cut into words: ptb or split

    @property
    def texts(self) -> Sequence[str]:
        """The responses."""
        ...

    @property
    def words(self) -> Sequence[Sequence[str]]:
        """The words of each response."""
        ...

    @property
    def lower(self) -> Sequence[Sequence[str]]:
        """The same in lower case."""
        ...

    @property
    def sentences(self) -> Sequence[Sequence[str]]:
        """The sentences of each response."""
        ...

    @property
    def sentence_lower(self) -> Sequence[Sequence[Sequence[str]]]:
        """The words of each sentence of each response, in lower case."""
        ...

    def view(self, make: Callable[[Texts], T]) -> T:
        """What `make` makes of the batch, made once and shared by the metrics that ask for it."""
        ...

    @property
    def prompts(self) -> Sequence[str]:
        """The speaker's utterance that is answered ("" if there is none)."""
        ...

    @property
    def prompt_words(self) -> Sequence[Sequence[str]]:
        """The words of the utterance that is answered."""
        ...

    @property
    def prompt_lower(self) -> Sequence[Sequence[str]]:
        """The same in lower case."""
        ...

    @property
    def references(self) -> Sequence[str | None]:
        """What a person answered there."""
        ...

    @property
    def reference_words(self) -> Sequence[Sequence[str] | None]:
        """The words of what a person answered."""
        ...


@runtime_checkable
class ResponseMetric(Protocol):
    """Gives every response of a batch its values: column → one value per response."""

    @property
    def columns(self) -> Sequence[Column]:
        """The numbers it gives."""
        ...

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value | str]]:
        """The values by column name, in the order of the batch."""
        ...


@runtime_checkable
class CorpusMetric(Protocol):
    """Gives all responses of one system together its values; batches are gathered apart, then finished as one."""

    @property
    def columns(self) -> Sequence[Column]:
        """The numbers it gives."""
        ...

    def gather(self, batch: Texts) -> Any:
        """What must be known of one batch: small, and able to travel between processes (pickle)."""
        ...

    def finish(self, gathered: Sequence[Any]) -> Mapping[str, Value]:
        """The values by column name; `gathered` is in the order of the batches."""
        ...


class Subject(Record, frozen=True):
    """What one questionnaire is filled about: a conversation, or one response with what came before it."""

    target: str  # id of the response or dialogue
    turns: tuple[Turn, ...]
    rated: tuple[int, ...]  # the places of the turns that are rated; the others are context
    missing: str | None = None  # why there is nothing to rate
    system: str | None = None
    dialogue: str | None = None


@runtime_checkable
class Judge(Protocol):
    """A rater that is a model: fills the same instrument a person would."""

    name: str  # judge:provider/model#repeat

    async def rate(self, instrument: Instrument, subject: Subject) -> Sequence[Rating]:
        """One rating per item."""
        ...


class Flag(Record, frozen=True):
    """A reason to look at some raters again; it excludes nobody."""

    name: str
    rule: str
    about: str = ""  # the instrument it was seen on
    raters: tuple[str, ...] = ()
    counts: Mapping[str, int] = {}  # rater → how often, where that can be more than once
    groups: tuple[tuple[str, ...], ...] = ()  # raters that belong together
    share: Estimate | None = None
    by_chance: Estimate | None = None


@runtime_checkable
class Oversight(Protocol):
    """Tells how good the ratings of a running study are; it may take a while."""

    def agreement(self, instruments: Sequence[Instrument], ratings: Sequence[Rating]) -> Sequence[Estimate]:
        """How far raters agree and items hold together; labels: instrument, measure, kind, unit."""
        ...

    def flags(
        self, instruments: Sequence[Instrument], raters: Sequence[Rater], ratings: Sequence[Rating]
    ) -> Sequence[Flag]:
        """Whom to look at again, rule by rule; rules that catch nobody are told too."""
        ...
