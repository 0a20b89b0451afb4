"""The reverse curriculum: where leads go by results."""

from __future__ import annotations

from trainer.leads import Leads

TEMPLATE = "shop/checkout"


def test_the_oracle_leads_further_while_all_fail_and_less_when_most_succeed() -> None:
    leads = Leads()
    assert leads.steps(TEMPLATE) == 0
    lengths = []
    for lead, successes in ((0, 0), (1, 0), (2, 1), (2, 2), (2, 3), (1, 4), (0, 4)):
        leads.record(TEMPLATE, lead, successes, episodes=4)
        lengths.append(leads.steps(TEMPLATE))
    # Fails, fails, some, half: stays; three of four: back, and on to none.
    assert lengths == [1, 2, 2, 2, 1, 0, 0]


def test_a_result_counts_from_where_its_group_was() -> None:
    leads = Leads()
    leads.load_state_dict({TEMPLATE: 5})
    leads.record(TEMPLATE, lead=0, successes=0, episodes=4)
    assert leads.steps(TEMPLATE) == 5, "that it fails alone is known"
    leads.record(TEMPLATE, lead=7, successes=4, episodes=4)
    assert leads.steps(TEMPLATE) == 5, "that it succeeds further on is known, too"
    leads.record(TEMPLATE, lead=3, successes=4, episodes=4)
    assert leads.steps(TEMPLATE) == 2
    leads.record("shop/price", lead=0, successes=0, episodes=0)
    assert leads.state_dict() == {TEMPLATE: 2}, "a group that was lost says nothing"
