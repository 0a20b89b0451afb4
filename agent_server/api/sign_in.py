"""Who is signed in to the console: a cookie that proves the API key was known, without having it.

The value is the second until which it holds and an HMAC of that under the API key: a new key ends
all sessions, and nothing is stored.
"""

from __future__ import annotations

import hashlib
import hmac

COOKIE = "deskhand_console"
HOLDS_S = 12 * 3600
_PURPOSE = b"deskhand console "


def is_key(sent: str, api_key: str) -> bool:
    """Whether it is the API key, compared in constant time; without a key nothing is."""
    return bool(api_key) and hmac.compare_digest(sent.encode(), api_key.encode())


def make_cookie(api_key: str, now_s: float) -> str:
    """A value that holds for `HOLDS_S` from now on."""
    until = str(int(now_s) + HOLDS_S)
    return f"{until}.{_sign(api_key, until)}"


def is_valid(value: str, api_key: str, now_s: float) -> bool:
    """Whether the value was made with this key and still holds."""
    until, _, signature = value.partition(".")
    if not api_key or not (until.isascii() and until.isdecimal() and len(until) < 20):
        return False
    genuine = hmac.compare_digest(signature.encode(), _sign(api_key, until).encode())
    return genuine and now_s < int(until)


def _sign(api_key: str, until: str) -> str:
    return hmac.new(api_key.encode(), _PURPOSE + until.encode(), hashlib.sha256).hexdigest()
