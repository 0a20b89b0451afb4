"""Names and settings of algorithms, and what is said of wrong ones."""

from __future__ import annotations

import re

import pytest

from trainer.algorithms.gspo import Gspo
from trainer.algorithms.table import ALGORITHMS, make_algorithm


def test_a_name_gives_its_algorithm_with_its_settings() -> None:
    assert make_algorithm("gspo", {"eps_low": 1e-3}) == Gspo(eps_low=1e-3)
    for name in ALGORITHMS:
        make_algorithm(name, {})


def test_an_unknown_name_is_refused_with_the_list_of_names() -> None:
    with pytest.raises(ValueError, match=r"^no algorithm is called 'grop'; there are same_state, "):
        make_algorithm("grop", {})


def test_an_unknown_setting_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"^rloo has no option 'eps' \(its options: none\)$"):
        make_algorithm("rloo", {"eps": 1})
    with pytest.raises(ValueError, match=r"its options: scale, eps_low, eps_high"):
        make_algorithm("gspo", {"eps": 1})


def test_a_value_that_cannot_be_used_is_named() -> None:
    with pytest.raises(ValueError, match=r"^options of gspo: eps_low: Input should be greater"):
        make_algorithm("gspo", {"eps_low": -1})


def test_every_algorithm_names_its_source() -> None:
    for name, kind in ALGORITHMS.items():
        module = __import__(kind.__module__, fromlist=["__doc__"])
        assert re.search(r"arXiv:\d{4}\.\d{5}|\b(19|20)\d\d\b", module.__doc__ or ""), name
