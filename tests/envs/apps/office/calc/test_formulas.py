from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.apps.office.calc.formulas import uno_formula

SHEETS = ["Data", "My sheet", "It's"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("=SUM(A1,B1)", "=SUM(A1;B1)"),
        ("=SUM(A1;B1)", "=SUM(A1;B1)"),
        ("=Data!B2+data!B3", "=$'Data'.B2+$'Data'.B3"),
        ("=SUM('My sheet'!A:A)", "=SUM($'My sheet'.A:A)"),
        ("='It''s'!A1", "=$'It''s'.A1"),
        ("='My, sheet'.A1", "='My, sheet'.A1"),
        ("=A1:B2!B2:C3", "=A1:B2!B2:C3"),
        ('=IF(A1="x,y","Data!A1",2)', '=IF(A1="x,y";"Data!A1";2)'),
        ('="say ""a,b"""', '="say ""a,b"""'),
        ("=SUM({1,2;3,4})", "=SUM({1;2|3;4})"),
        ("=SUM({1;2|3;4})", "=SUM({1;2|3;4})"),
        ('=MATCH("b",{"a,b","b"},0)', '=MATCH("b";{"a,b";"b"};0)'),
    ],
)
def test_typed_formulas_become_those_of_uno(typed: str, expected: str) -> None:
    assert uno_formula(typed, SHEETS) == expected


@given(st.text(st.sampled_from("A1\"',;{}|!.()= Data"), max_size=30))
def test_a_second_pass_changes_nothing(text: str) -> None:
    once = uno_formula("=" + text, SHEETS)
    assert uno_formula(once, SHEETS) == once


@given(st.text(max_size=20))
def test_text_in_quotes_stays(text: str) -> None:
    quoted = '"' + text.replace('"', '""') + '"'
    assert uno_formula(f"=LEN({quoted},1)", SHEETS) == f"=LEN({quoted};1)"
