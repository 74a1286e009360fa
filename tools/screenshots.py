"""The three example studies become the pictures of docs/studies.md: python tools/screenshots.py [between|ieval|observer].

A participant takes each study in Chromium against the real server, as in tests/browser; every picture is reduced to a few
colours, because it is mostly plain.
"""

from __future__ import annotations

import io
import signal
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsing import ARGUMENTS, CHROMIUM, Person, Study  # noqa: E402
from empathic.cli import rooms  # noqa: E402

WIDE, NARROW = (880, 300), (360, 740)  # a low screen, because wide pictures show the whole page
SAID = ("I keep thinking about it, even on the tram.", "My sister. She cried before I had finished the sentence.")
BOTS = [{"name": name, "system": "builtin/eliza"} for name in ("one", "two", "three", "four")]


class Picture(Person):
    """A person who stops to take pictures."""

    def take_picture(self, name, size=WIDE, scheme="light", top=True):
        self.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        self.page.emulate_media(color_scheme=scheme)
        if top:
            self.page.mouse.move(0, 0)
            self.page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
        self.page.wait_for_timeout(200)
        image = Image.open(io.BytesIO(self.page.screenshot(full_page=size == WIDE))).convert("RGB")
        path = ROOT / "docs" / "images" / f"study-{name}.png"
        image.quantize(255).save(path, optimize=True)
        print(f"{path.name} {image.width}×{image.height} {path.stat().st_size // 1024} KB")


def between(person):
    person.open().take_picture("welcome")
    person.begin()
    person.press("Continue")
    person.fill({name: 1 + number % 3 for number, name in enumerate(person.names()[:4])})
    person.saved()
    person.take_picture("questionnaire-phone", NARROW)
    person.page.set_viewport_size({"width": 1280, "height": 900})
    person.choose()
    person.press("Continue")
    person.choose()
    person.saved()
    person.take_picture("rating")
    person.take()
    person.take_picture("code")


def ieval(person):
    person.begin()
    person.press("Send it and begin")
    person.quiet()
    for text in SAID:
        person.say(text)
    person.take_picture("chat")
    person.page.locator("textarea").focus()
    person.take_picture("chat-phone", NARROW, "dark", top=False)
    person.page.set_viewport_size({"width": 1280, "height": 900})
    person.press("End the chat")
    while not person.step.startswith("rank"):
        if person.chatting():
            person.chat()
        else:
            person.choose()
            person.press("Continue")
    names = person.names()
    person.fill({names[0]: 3, names[1]: 1, names[2]: 3})
    person.saved()
    person.take_picture("ranking")
    person.take_picture("ranking-phone", NARROW)


def observer(person):
    person.begin()
    while not person.heading.startswith("Conversation"):
        person.press("Continue")
    person.fill(dict(zip(person.names()[:3], (6, 5, 6), strict=True)))
    person.saved()
    person.take_picture("observer", (1280, 860))


def main(wanted):
    rooms.load()
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for walk in (between, ieval, observer):
            if wanted and walk.__name__ not in wanted:
                continue
            changes = {"bots": BOTS} if walk is ieval else {}
            study = Study(walk.__name__, Path(folder) / walk.__name__, **changes)
            study.start()
            context = browser.new_context(device_scale_factor=1.25, reduced_motion="reduce")
            walk(Picture(study, context.new_page()))
            context.close()
            study.end(signal.SIGINT)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
