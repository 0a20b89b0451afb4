"""What the tracker of a world says."""

from __future__ import annotations

from envs.contract.task import SPLIT_BASES
from envs.gyms.apps.trac.content import TICKETS, make_tracker
from envs.gyms.kit.company import get_company
from envs.gyms.real.logins import login_of

NOW = 1_750_000_000


def test_a_seed_always_makes_the_same_tracker() -> None:
    for base in SPLIT_BASES.values():
        first, second = (make_tracker(get_company(base + 4), NOW) for _ in range(2))
        assert first == second


def test_tickets_have_summaries_of_their_own_and_nothing_lies_ahead() -> None:
    tracker = make_tracker(get_company(4), NOW)
    for status, count in TICKETS.items():
        assert len(tracker.tickets_of(status)) == count
    summaries = [ticket.summary for ticket in tracker.tickets]
    assert len(set(summaries)) == len(summaries)
    assert not any(firm.name in summary for firm in tracker.unnamed for summary in summaries)
    logins = {login_of(person) for person in tracker.staff}
    for ticket in tracker.tickets:
        assert {ticket.owner, ticket.reporter} <= logins
        assert all(ticket.at < remark.at < NOW for remark in ticket.remarks)
