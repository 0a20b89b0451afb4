"""Marks of apps: one drawing for each domain."""

from __future__ import annotations

from envs.gyms.generated.domains import read_domains
from envs.gyms.generated.pictures import PICTURES, make_picture


def test_every_domain_has_a_drawing_of_its_own() -> None:
    assert set(PICTURES) == set(read_domains())
    assert len(set(PICTURES.values())) == len(PICTURES)


def test_a_drawing_stands_out_from_the_accent_of_its_theme() -> None:
    assert "stroke='white'" in make_picture("vet", is_dark=False)
    assert "stroke='black'" in make_picture("vet", is_dark=True)


def test_a_domain_without_a_drawing_has_no_mark() -> None:
    assert make_picture("unheard of", is_dark=False) == "none"
