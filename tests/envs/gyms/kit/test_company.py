"""The company of a seed."""

from __future__ import annotations

from envs.gyms.kit.company import get_company


def test_a_seed_makes_one_world_and_another_seed_another() -> None:
    get_company.cache_clear()
    company = get_company(11)
    get_company.cache_clear()
    assert get_company(11) == company
    assert get_company(12).people != company.people
    assert len({person.name for person in company.people}) == len(company.people)
    assert len({firm.name for firm in company.firms}) == len(company.firms)
    firsts = [firm.name.split()[0] for firm in company.firms]
    assert len(set(firsts)) < len(firsts), "names that are near one another punish carelessness"
