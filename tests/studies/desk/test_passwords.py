"""Passwords: what is kept tells nothing, what everybody tries first is refused."""

from __future__ import annotations

import hashlib

import pytest

from empathic.studies.desk import passwords

GOOD = "violet harbour 9 spoons"


def test_a_password_fits_its_hash_and_no_other_does() -> None:
    kept = passwords.hashed(GOOD)
    assert passwords.fits(GOOD, kept)
    assert not passwords.fits(GOOD + " ", kept)
    assert not passwords.fits("", kept)
    assert GOOD not in kept


def test_the_same_password_has_another_hash_each_time() -> None:
    assert passwords.hashed(GOOD) != passwords.hashed(GOOD)


def test_the_key_is_scrypt_s_with_the_settings_the_hash_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the real cost
    name, n, r, p, salt, key = passwords.hashed(GOOD).split("$")
    assert (name, int(n), int(r), int(p), len(salt)) == ("scrypt", 2**15, 8, 3, 32)
    made = hashlib.scrypt(GOOD.encode(), salt=bytes.fromhex(salt), n=int(n), r=int(r), p=int(p), maxmem=2**27, dklen=32)
    assert made.hex() == key


def test_an_old_hash_of_other_settings_still_fits() -> None:
    salt = bytes(16)
    old = hashlib.scrypt(GOOD.encode(), salt=salt, n=16, r=1, p=1, dklen=32).hex()
    assert passwords.fits(GOOD, f"scrypt$16$1$1${salt.hex()}${old}")


def test_accents_fit_however_the_keyboard_composes_them() -> None:
    assert passwords.fits("cafe\u0301 violet spoons", passwords.hashed("caf\u00e9 violet spoons"))


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("", "0 characters"),
        ("password", "8 characters"),
        ("aaaaaaaaaaaa", "different"),
        ("abababababab", "different"),
        ("123456789012", "in a row"),
        ("qwertyuiopasdf", "in a row"),
        ("zyxwvutsrqponm", "in a row"),
        ("passwordpassword", "everybody tries first"),
        ("Password2026!", "everybody tries first"),
        ("p4ssw0rd-4dm1n", "everybody tries first"),
        ("P4$$w0rd!2026", "everybody tries first"),
        ("admin1234567!", "everybody tries first"),
        ("empathic-study-2026", "everybody tries first"),
        ("researcher123456", "everybody tries first"),
        ("annaanna123456", "everybody tries first"),
        ("Kindness of strangers 1", "everybody tries first"),
        ("x" * 30 + "abcdefghij" * 20, "at most"),
    ],
)
def test_a_default_or_weak_password_is_refused_with_the_reason(password: str, why: str) -> None:
    reason = passwords.weakness(password, "anna", "The kindness of strangers")
    assert reason is not None
    assert why in reason


@pytest.mark.parametrize(
    "password", [GOOD, "tr0ub4dor&3horse", "482915730164", "Über sieben Brücken", "密码是一个很长的句子对不对呀"]
)
def test_a_good_password_is_taken(password: str) -> None:
    assert passwords.weakness(password, "anna", "The kindness of strangers") is None
