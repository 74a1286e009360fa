"""A page of the study becomes its forms: what a simulated participant can fill in and send."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """One form as it stands on the page."""

    action: str
    hidden: dict[str, str] = field(default_factory=dict)
    radios: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, tuple[float, float]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    buttons: dict[str, str] = field(default_factory=dict)  # value → name


@dataclass
class Page:
    """What a participant sees."""

    status: int = 200
    owner: str | None = None
    csrf: str | None = None
    forms: list[Form] = field(default_factory=list)
    progress: float | None = None
    code: str | None = None
    chat: int | None = None
    waiting: bool = False
    heard: dict[int, str] = field(default_factory=dict)  # number of the turn → what the bot has said, when it is whole

    def form_with(self, button: str) -> Form | None:
        """The form that has a button of this value."""
        return next((form for form in self.forms if button in form.buttons), None)


def read(html: str, status: int = 200) -> Page:
    """The page of an answer of the server."""
    reader = _Reader(Page(status=status))
    reader.feed(html)
    reader.close()
    return reader.page


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self._in_code = False
        self._turn: int | None = None
        self._in_text = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "body":
            self.page.owner, self.page.csrf = given.get("data-owner"), given.get("data-csrf")
        elif tag == "form":
            self.page.forms.append(Form(given.get("action", "")))
        elif tag == "progress":
            self.page.progress = float(given["value"]) / float(given["max"])
        elif tag in ("input", "textarea", "button") and self.page.forms:
            _control(self.page.forms[-1], tag, given)
        if "data-chat" in given:
            self.page.chat, self.page.waiting = int(given["data-chat"]), given.get("data-waiting") == "yes"
        if tag == "li" and "data-n" in given:
            self._turn = int(given["data-n"]) if given.get("class") == "bot" else None
        self._in_text = "data-text" in given
        self._in_code = "data-code" in given

    def handle_data(self, data: str) -> None:
        if self._in_code:
            self.page.code, self._in_code = data.strip(), False
        if self._in_text and self._turn is not None:
            self.page.heard[self._turn], self._in_text = data, False


def _control(form: Form, tag: str, given: dict[str, str]) -> None:
    name, kind = given.get("name", ""), given.get("type", "")
    if tag == "button":
        form.buttons[given.get("value", "")] = name
    elif tag == "textarea":
        form.texts.append(name)
    elif kind == "radio":
        form.radios.setdefault(name, []).append(given["value"])
    elif kind == "number":
        form.numbers[name] = (float(given.get("min") or 0), float(given.get("max") or 100))
    else:
        form.hidden[name] = given.get("value", "")
