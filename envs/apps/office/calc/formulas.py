"""Turns formulas as people type them into the grammar of UNO's `setFormula`; no UNO.

UNO wants English function names, `;` between arguments and `Sheet.A1`, whatever the language of
the office. Typed formulas have `,` and `Sheet!A1` as well. Text in quotes stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"]|"")*")
      | (?P<array>\{[^{}"]*(?:"(?:[^"]|"")*"[^{}"]*)*\})
      | (?P<sheet>\$?(?:'(?:[^']|'')+'|[^\W\d]\w*))!(?=\$?[A-Za-z]{1,3}\$?\d|\$?[A-Za-z]{1,3}:)
      | (?P<name>'(?:[^']|'')*'|[^\W\d][\w.]*)
      | (?P<comma>,)
    """,
    re.VERBOSE,
)
_IN_ARRAY = re.compile(r'"(?:[^"]|"")*"|[,;]')


def uno_formula(formula: str, sheets: Collection[str]) -> str:
    """The formula as `setFormula` takes it; `sheets` are the names that may stand before `!`."""
    known = {name.casefold(): name for name in sheets}

    def rewrite(match: re.Match[str]) -> str:
        token = match.group()
        if match["comma"]:
            return ";"
        if match["array"]:
            return _array(token)
        if match["sheet"]:
            name = match["sheet"].removeprefix("$")
            bare = name[1:-1].replace("''", "'") if name.startswith("'") else name
            if bare.casefold() in known:
                actual = known[bare.casefold()].replace("'", "''")
                return f"$'{actual}'."
        return token

    return _TOKEN.sub(rewrite, formula)


def _array(token: str) -> str:
    """Rewrites `{1,2;3,4}` as `{1;2|3;4}`, which itself stays as it is."""
    outside_text = re.sub(r'"(?:[^"]|"")*"', "", token)
    if "|" in outside_text:
        return token
    swapped = {",": ";", ";": "|" if "," in outside_text else ";"}
    return _IN_ARRAY.sub(lambda match: swapped.get(match.group(), match.group()), token)
