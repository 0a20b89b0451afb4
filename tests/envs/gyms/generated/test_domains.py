"""The vocabulary of domains."""

from __future__ import annotations

from envs.gyms.generated.domains import make_plural, parse_choice, parse_size, read_domains


def test_lines_of_the_file_are_read() -> None:
    assert parse_choice("Species: dog, cat") == ("Species", ("dog", "cat"))
    assert parse_size("Weight: 1-60 kg") == ("Weight", 1, 60, "kg")
    assert parse_size("Renewals: 0-9") == ("Renewals", 0, 9, "")


def test_regular_nouns_have_plurals() -> None:
    assert [
        make_plural(noun) for noun in ("visit", "box", "party", "display", "branch", "foreman")
    ] == [
        "visits",
        "boxes",
        "parties",
        "displays",
        "branches",
        "foremen",
    ]


def test_every_domain_has_a_verb_from_each_state_to_the_next() -> None:
    for name, domain in read_domains().items():
        assert domain.work.states.count(",") == domain.work.verbs.count(",") + 1, name
        label, low, high, _ = parse_size(domain.work.size)
        assert label, name
        assert low < high, name
        assert len(set(parse_choice(domain.thing.kind)[1])) == 4, name
