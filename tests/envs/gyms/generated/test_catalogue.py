"""The frozen apps: what is in the file, and that the generator still makes them."""

from __future__ import annotations

from collections import Counter

import pytest

from envs.gyms.generated.catalogue import (
    FILE,
    HELD_OUT_FAMILIES,
    Catalogue,
    expand_set,
    find_gym,
    get_schema,
    list_names,
    make_catalogue,
    read_catalogue,
)


def test_the_generator_makes_what_is_frozen() -> None:
    frozen = Catalogue.model_validate_json(FILE.read_bytes())
    made = make_catalogue()
    assert made.rows == frozen.rows
    assert made.hash == frozen.hash, "run scripts/freeze_worlds.py if the apps are to change"


def test_there_are_200_apps_and_2000_programs() -> None:
    rows = read_catalogue().values()
    assert len(rows) >= 200
    assert sum(row.programs for row in rows) >= 2000


def test_the_sets_share_no_domain_with_training_and_two_families_are_held_out() -> None:
    rows = read_catalogue().values()
    domains = {
        name: {row.domain for row in rows if row.set == name}
        for name in ("train", "dev", "test", "family", "material")
    }
    assert not domains["train"] & (domains["dev"] | domains["test"])
    assert not domains["dev"] & domains["test"]
    assert domains["test"] == domains["family"] == domains["material"]
    families = {row.set: Counter[str]() for row in rows}
    for row in rows:
        families[row.set][row.family] += 1
    for held_out, family in HELD_OUT_FAMILIES.items():
        assert set(families[held_out]) == {family}
    for name in ("train", "dev", "test"):
        assert not set(HELD_OUT_FAMILIES.values()) & set(families[name])
        assert len(families[name]) == 3


def test_the_first_apps_of_a_set_are_mixed() -> None:
    rows = [read_catalogue()[name] for name in expand_set("gen-train:10")]
    assert len({row.family for row in rows}) == 3
    assert len({row.domain for row in rows}) == 10


def test_a_set_stands_for_its_apps() -> None:
    assert expand_set("gen-train") == list_names("train")
    assert expand_set("gen-train:40") == list_names("train")[:40]
    assert expand_set("gen-0001") == ()
    assert expand_set("shop") == ()


def test_a_gym_is_made_when_it_is_asked_for() -> None:
    gym = find_gym("gen-0004")
    assert gym is find_gym("gen-0004")
    assert gym is not None
    assert gym.name == "gen-0004"
    assert len(gym.templates) == read_catalogue()["gen-0004"].programs
    assert find_gym("gen-9999") is None
    assert find_gym("shop") is None


def test_a_folder_is_asked_first(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("worlds")
    schema = get_schema("gen-0007")
    assert schema is not None
    (folder / "gen-0007").mkdir()
    changed = schema.model_copy(update={"title": "Changed by hand"})
    (folder / "gen-0007" / "schema.json").write_text(changed.model_dump_json())
    monkeypatch.setenv("DESKHAND_WORLDS", str(folder))
    served = get_schema("gen-0007")
    assert served is not None
    assert served.title == "Changed by hand"
    other = get_schema("gen-0008")
    assert other is not None
    assert other.title != "Changed by hand"
