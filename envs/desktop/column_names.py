"""Names of spreadsheet columns; standard library only, for the office bridge reads it as well."""

from __future__ import annotations


def column_name(index: int) -> str:
    """0 is A, 25 is Z, 26 is AA."""
    letters = ""
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters
