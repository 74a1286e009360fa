"""A name becomes an invitation that only this study can have written, and back."""

from __future__ import annotations

import hashlib
import hmac
import secrets

LENGTH = 20


def invite(key: bytes, name: str) -> str:
    """The token in a personal link: the name and its signature."""
    return f"{name}.{_sign(key, name)}"


def invited(key: bytes, token: str) -> str | None:
    """The name in a token; None if this study did not sign it."""
    name, _, signature = token.rpartition(".")
    if not name or not hmac.compare_digest(signature.encode(), _sign(key, name).encode()):
        return None
    return name


def anyone() -> str:
    """A new name for somebody who comes without an invitation."""
    return f"open-{secrets.token_hex(8)}"


def _sign(key: bytes, name: str) -> str:
    return hmac.new(key, f"invitation\n{name}".encode(), hashlib.sha256).hexdigest()[:LENGTH]
