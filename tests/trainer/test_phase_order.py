"""Orders of phases that cannot be are refused, and it is known what goes on between two."""

from __future__ import annotations

import pytest

from trainer.phase_order import carried_over, phase_names, unused_sections, why_impossible


def test_phases_that_occur_twice_are_numbered() -> None:
    names = phase_names(["imitate", "reinforce", "pulse", "reinforce"])
    assert names == ["imitate", "reinforce-1", "pulse", "reinforce-2"]


@pytest.mark.parametrize(
    ("schedule", "reason"),
    [
        (["imitate", "reinforce", "pulse", "reinforce"], ""),
        (["expert_iteration", "pulse"], ""),
        (["reinforce", "reset", "interleave", "reset", "reinforce"], ""),
        (["imitate", "pulse"], "pulse imitates kept successes, and no phase before it keeps any"),
        (["reset", "reinforce"], "reset has no effect there"),
        (["reinforce", "reset"], "reset has no effect there"),
        (["reinforce", "reset", "pulse"], "reset has no effect there"),
        (["imitate", "reset", "reinforce"], "put|belongs directly between two phases"),
        (
            ["reinforce", "reset", "reinforce", "pulse", "reset", "reinforce"],
            "reset-2 has no effect there",
        ),
    ],
)
def test_a_phase_that_cannot_be_where_it_is_is_named(schedule: list[str], reason: str) -> None:
    sentence = why_impossible(schedule)
    assert bool(sentence) is bool(reason)
    assert any(part in sentence for part in reason.split("|"))
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("schedule", "carried"),
    [
        (["reinforce"], set()),
        (["reinforce", "reinforce"], {"optimizer", "reference"}),
        (["reinforce", "interleave"], {"optimizer", "reference"}),
        (["reinforce", "pulse", "reinforce"], set()),
        (["reinforce", "reinforce", "pulse"], set()),
        (["reinforce", "reset", "reinforce"], {"reference"}),
    ],
)
def test_reinforcement_goes_on_directly_after_reinforcement(
    schedule: list[str], carried: set[str]
) -> None:
    assert carried_over(schedule, len(schedule) - 1, ["optimizer"]) == carried


def test_settings_of_other_phases_matter_to_no_phase_of_a_schedule() -> None:
    assert {"reinforce", "pulse", "feedback"} < unused_sections(["imitate"])
    assert not {"imitate", "reinforce", "feedback"} & unused_sections(["imitate", "reinforce"])
    assert not {"reinforce", "pulse", "feedback"} & unused_sections(["interleave"])
