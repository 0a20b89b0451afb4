"""The pages of openings and candidates."""

from __future__ import annotations

from envs.gyms.apps.people import pages_openings as pages
from envs.gyms.apps.people.app import PEOPLE
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_a_board_has_a_column_for_each_stage() -> None:
    request = make_request(PEOPLE)
    assert "10 found" in text_of(pages.show_openings(request))
    html = pages.show_opening(request, "o1")
    assert html.count('class="column"') == 5
    candidates = [c for c in request.state["candidates"] if c["opening"] == "o1"]
    assert html.count('draggable="true"') == len(candidates)
    assert f"{len(candidates)} found" in text_of(pages.show_candidates(request, "o1"))
    assert logged_events(request) == ["people:hiring", "people:opening:o1", "people:candidates:o1"]


def test_cards_and_forms_move_by_the_same_rule() -> None:
    request = make_request(PEOPLE)
    candidate = next(c for c in request.state["candidates"] if c["opening"] == "o1")
    key, stages = candidate["id"], ["Offer", "Applied"]
    if candidate["stage"] == "Offer":
        stages.reverse()
    request.form.update({"to": stages[0], "candidate": key})
    assert pages.move_card(request, "o1").path == "/people/hiring/o1"
    request.form["to"] = stages[1]
    assert (
        pages.move_candidate(request, key).flash == f"✓ {candidate['name']} is in {stages[1]} now"
    )
    assert f"Now in {stages[1]}" in text_of(pages.show_candidate(request, key))
