"""How a page may write a value without meaning to hide it.

Guarantees: the pattern of a value finds it in other capitals, with the characters of it written in
any mixture of plain, percent-encoded, as HTML entity and as escape of JSON or JavaScript, as the
walker writes it, in both normal forms of Unicode, and, from `GROUPED` characters on, in groups
(`4111 1111`) or split over elements.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from html.entities import codepoint2name
from urllib.parse import quote, quote_plus

GROUPED = 6
"""Characters of a value that is also found in groups. A shorter one, as a PIN is, would be found in
a list of pages: `1 2 3 4`."""
_BETWEEN = r"[\s\u00a0\u00ad\u200b-\u200d\u2060\ufeff-]{0,4}"
_DROPPED = re.compile(r"(^| )[#=\[|]+")
"""What the walker leaves out of names, so that they can be told from the rest of a line."""
_STATES = re.compile(r"\(([a-z, ]+)\)$")
"""What the walker takes for a list of states at the end of a name, and frees of its brackets."""


def make_pattern(value: str) -> str:
    """A regular expression without groups of its own, to be used with IGNORECASE."""
    between = _BETWEEN if len(value) >= GROUPED else ""
    walked = _STATES.sub(r"\1", _DROPPED.sub(r"\1", value)).strip()
    plain = {value, unicodedata.normalize("NFC", value), walked or value}
    longest_first = sorted(plain, key=len, reverse=True)
    return "|".join(between.join(map(_pattern_of, text)) for text in longest_first)


def list_spellings(value: str) -> set[str]:
    """The value as it may stand in texts and addresses, one way throughout."""
    plain = {value, *(unicodedata.normalize(form, value) for form in ("NFC", "NFD"))}
    encoded = {
        encode(text)
        for text in plain
        for encode in (quote, quote_plus, html.escape, lambda text: json.dumps(text)[1:-1])
    }
    return plain | encoded | {quote(value, safe="")}


def _pattern_of(character: str) -> str:
    """All ways to write one character."""
    code = ord(character)
    if character == " ":
        return r"(?:[\s\u00a0]|\+|%20|&nbsp;|&#160;)+"
    units = character.encode("utf-16-be")
    ways = {
        re.escape(way)
        for way in (
            # Capitals of some letters are several: the small ones of them are not these again.
            character,
            character.upper(),
            character.lower(),
            unicodedata.normalize("NFD", character),
            "".join(f"%{byte:02x}" for byte in character.encode()),
            "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)),
            f"\\{character}",
        )
    }
    ways |= {f"&#0*{code};?", f"&#x0*{code:x};?"}
    if code < 256:
        ways.add(re.escape(f"\\x{code:02x}"))
    if code in codepoint2name:
        ways.add(f"&{codepoint2name[code]};")
    # The longest first, so that `%26` is not taken for a `%` and the rest.
    return f"(?:{'|'.join(sorted(ways, key=len, reverse=True))})"
