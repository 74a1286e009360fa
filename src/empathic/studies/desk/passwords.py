"""A password becomes a hash that says how it was made; a weak one becomes the reason why it is refused.

scrypt (RFC 7914) with N = 2¹⁵, r = 8, p = 3: 32 MB and about a quarter of a second per guess, one of the settings OWASP's
Password Storage Cheat Sheet names as equally strong. It is in the standard library, so no dependency is added.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from pathlib import Path

N, R, P, LENGTH = 2**15, 8, 3, 32
SHORTEST, LONGEST, FEWEST_DIFFERENT = 12, 200, 6
COMMON = frozenset((Path(__file__).parent / "common_words.txt").read_text(encoding="utf-8").split())
ROWS = ("0123456789" * 3, "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm")
LEET = (str.maketrans("013457@$", "oleastas"), str.maketrans("013457@$!", "oieastasi"))


def hashed(password: str) -> str:
    """`scrypt$N$r$p$salt$key`, with a salt of its own."""
    salt = secrets.token_bytes(16)
    return f"scrypt${N}${R}${P}${salt.hex()}${_key(password, salt, N, R, P).hex()}"


def fits(password: str, kept: str) -> bool:
    """Whether a password is the one behind a hash, compared in constant time."""
    _, n, r, p, salt, key = kept.split("$")
    return hmac.compare_digest(_key(password, bytes.fromhex(salt), int(n), int(r), int(p)), bytes.fromhex(key))


def weakness(password: str, *words: str) -> str | None:
    """Why a password is refused, None if it is good; `words` are names it must not be made of."""
    text = _normal(password)
    if len(text) < SHORTEST:
        return f"it has {len(text)} characters, at least {SHORTEST} are needed; several words make a good one"
    if len(text) > LONGEST:
        return f"it has {len(text)} characters, at most {LONGEST} are kept"
    if len(set(text.lower())) < FEWEST_DIFFERENT:
        return f"it has fewer than {FEWEST_DIFFERENT} different characters"
    if any(text.lower() in row or text.lower() in row[::-1] for row in ROWS):
        return "its characters stand in a row on the keyboard or in the alphabet"
    if _only_words(text, COMMON | {part for word in words for part in _letters(word).split() if part}):
        return "it is made of words that everybody tries first"
    return None


def _key(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    given = _normal(password)[:LONGEST].encode("utf-8", "replace")
    return hashlib.scrypt(given, salt=salt, n=n, r=r, p=p, maxmem=2 * 128 * n * r * p, dklen=LENGTH)


def _normal(password: str) -> str:
    """The same password however a keyboard composes its accents."""
    return unicodedata.normalize("NFKC", password)


def _letters(text: str) -> str:
    return "".join(each if each.isalpha() else " " for each in text.lower())


def _only_words(text: str, words: frozenset[str] | set[str]) -> bool:
    """Whether the letters, digits for letters included, are nothing but known words one after another."""
    core = text.lower().strip("0123456789 .,;:!?_-*#+$@")
    forms = (core, *(core.translate(table) for table in LEET))
    return any(_splits("".join(_letters(form).split()), words) for form in forms)


def _splits(text: str, words: frozenset[str] | set[str]) -> bool:
    """Whether a text without blanks can be cut into known words; a text of no letters cannot."""
    reached = {0}
    for end in range(1, len(text) + 1):
        if any(end - len(word) in reached and text.endswith(word, 0, end) for word in words):
            reached.add(end)
    return bool(text) and len(text) in reached
