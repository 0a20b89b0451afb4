"""What redaction takes out, whatever way a page writes it; what is revealed, and where."""

from __future__ import annotations

import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from envs.browser.secret_book import SecretBook, SecretRefused
from envs.contract.secret import Secret

SITE = "https://shop.example"
NAME = "{secret:password}"


def make_book(value: str) -> SecretBook:
    book = SecretBook()
    book.lend({"password": Secret.model_validate({"value": value, "allow": ["shop.example"]})})
    book.begin()
    return book


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("it is Hunter&22!", f"it is {NAME}!"),
        ("HUNTER&22 and hunter&22", f"{NAME} and {NAME}"),
        ("?p=Hunter%2622", f"?p={NAME}"),
        ("Hunter&amp;22", NAME),
        ("box = Hunt…", "box = Hunt…"),
        (f"text {'x' * 24} Hunt…", f"text {'x' * 12}…"),
        (f"text {'x' * 24} Hunx…", f"text {'x' * 12}…"),
        (f"one\n{'x' * 24} Hunt… two Hunt…", f"one\n{'x' * 12}… two Hunt…"),
        ("Hun-ter &\u00ad22", NAME),
        ("H u n t e r & 2 2", NAME),
        ("%48unter&#38;\\u0032\\x32", NAME),
        ("Hunt is a word", "Hunt is a word"),
        ("hu…", "hu…"),
        ("hunter&22", NAME),
    ],
)
def test_texts_lose_the_value(text: str, redacted: str) -> None:
    assert make_book("Hunter&22").redact(text) == redacted


@pytest.mark.parametrize("value", ["000İ", "Straße", "fiſh"])
def test_letters_whose_small_ones_differ_in_length_are_found(value: str) -> None:
    assert make_book(value).redact(f"x{value}y") == f"x{NAME}y"


def test_a_value_is_found_as_the_tree_writes_it() -> None:
    assert make_book("#pass =word").redact("box = pass word #3") == f"box = {NAME} #3"
    assert make_book("pass (abc)").redact("box = pass abc #3") == f"box = {NAME} #3"


def test_the_longer_of_two_values_is_named() -> None:
    book = SecretBook()
    for_shop = {"allow": ["shop.example"]}
    book.lend(
        {
            "short": Secret.model_validate({"value": "hunter", **for_shop}),
            "long": Secret.model_validate({"value": "hunter22", **for_shop}),
        }
    )
    book.begin()
    assert book.redact("hunter22 hunter2") == "{secret:long} {secret:short}2"


def test_objects_lose_the_value_in_keys_lists_and_tuples() -> None:
    book = make_book("Hunter&22")
    assert book.redact({"Hunter&22": ["x Hunter&22", 3, None, ("Hunter&22",)]}) == {
        NAME: [f"x {NAME}", 3, None, (NAME,)]
    }


def test_a_value_is_revealed_on_its_sites_only() -> None:
    book = make_book("Hunter&22")
    assert book.reveal(f"<{NAME}>", SITE) == "<Hunter&22>"
    with pytest.raises(SecretRefused, match=r"not for https://evil\.test"):
        book.reveal(NAME, "https://evil.test")
    with pytest.raises(SecretRefused, match="has no secret other; it has: password"):
        book.reveal("{secret:other}", SITE)


def test_the_next_task_knows_nothing_of_it() -> None:
    book = make_book("Hunter&22")
    book.begin()
    assert book.redact("Hunter&22") == "Hunter&22"
    with pytest.raises(SecretRefused, match="it has: none"):
        book.reveal(NAME, SITE)


@given(
    value=st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=4, max_size=60),
    before=st.text(max_size=20),
    after=st.text(max_size=20),
)
def test_no_spelling_of_a_value_passes(value: str, before: str, after: str) -> None:
    try:
        book = make_book(value)
    except ValidationError:
        return
    for spelling in (value, quote(value), quote_plus(value), html.escape(value)):
        redacted = book.redact(f"{before}{spelling}{after}")
        assert spelling not in redacted.replace(NAME, "\0")
    assert json.dumps(value)[1:-1] not in book.redact(json.dumps(value)).replace(NAME, "\0")
