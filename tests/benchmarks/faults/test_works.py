"""The tasks of a campaign."""

from __future__ import annotations

from benchmarks.faults.works import choose_works
from tasksets.registry import get_gym


def test_the_seed_chooses_the_tasks_and_each_is_one_that_the_gym_makes() -> None:
    works = choose_works("browser", 3, 10)
    assert choose_works("browser", 3, 10) == works
    assert choose_works("browser", 4, 10) != works
    assert len({work.name for work in works}) == 10
    for work in works:
        task = get_gym(work.body["gym"]).make_task(work.body["template"], work.body["seed"])
        assert task.id == work.name
        assert work.request()["policy"] == "oracle"


def test_a_desktop_has_tasks_of_its_own() -> None:
    works = choose_works("desktop", 1, 4)
    assert len(works) == 4
    assert all(work.body["task"]["env"] == "desktop" for work in works)
