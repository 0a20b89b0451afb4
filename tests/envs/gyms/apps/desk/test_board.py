"""The help desk's board, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.desk.app import DESK
from envs.gyms.apps.desk.board import CARDS_PER_COLUMN, COLUMNS, move_card, show_board
from envs.gyms.apps.desk.data import NEW, OPEN, WAITING
from envs.gyms.server.gym import NotFound
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_columns_show_the_cards_that_are_due_first() -> None:
    request = make_request(DESK, path="/board")
    text = text_of(show_board(request))
    for status in COLUMNS:
        tickets = [t for t in request.state["tickets"] if t["status"] == status]
        assert f"{status}: {len(tickets)}" in text
        assert f"and {len(tickets) - CARDS_PER_COLUMN} due later" in text
        for ticket in sorted(tickets, key=lambda t: t["due"])[:CARDS_PER_COLUMN]:
            assert f"Move {ticket['number']}" in text
    assert logged_events(request) == ["desk:board"]


def test_the_board_of_an_agent_is_searched() -> None:
    request = make_request(DESK, path="/board", query={"who": "Lina Vidal", "q": "hd-2001"})
    text = text_of(show_board(request))
    assert f"{WAITING}: 1" in text
    assert f"{OPEN}: 0" in text
    assert "due later" not in text


def test_cards_move_to_other_columns_but_never_back_to_new() -> None:
    page = show_board(make_request(DESK, path="/board", query={"q": "hd-2001"}))
    assert "HD-2001 to Open" in page
    assert "HD-2001 to Waiting" not in page
    assert "HD-2001 to New" not in page


@pytest.mark.parametrize(
    ("to", "flash"),
    [
        (OPEN, "✓ HD-2001 is now open"),
        (NEW, "HD-2001 cannot become new again"),
        ("Closed", "Choose one: Column"),
    ],
)
def test_every_move_leads_back_to_the_same_cards(to: str, flash: str) -> None:
    form = {"key": "t1", "to": to, "who": "Lina Vidal", "q": "printer"}
    request = make_request(DESK, path="/board/move", form=form)
    redirect = move_card(request)
    assert redirect.path == "/desk/board?who=Lina+Vidal&q=printer"
    assert redirect.flash == flash
    assert request.state["tickets"][0]["status"] == (OPEN if to == OPEN else WAITING)
    with pytest.raises(NotFound):
        move_card(make_request(DESK, form={**form, "key": "t999"}))
