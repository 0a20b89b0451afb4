"""Families of markup: the same screen in different pages, and refusals on each of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from envs.contract.actions import SetValue, Target
from envs.contract.observations import parse_tree
from envs.gyms.generated.catalogue import read_catalogue
from envs.gyms.generated.families import RENDERERS
from envs.gyms.generated.frame import Frame, make_frame
from envs.gyms.generated.make_schema import make_schema
from envs.gyms.generated.render_client import render as render_client
from envs.gyms.generated.render_material import render as render_material
from envs.gyms.generated.schema import Family
from envs.gyms.generated.screens import Note, Screen
from envs.gyms.generated.site import get_tone
from envs.gyms.generated.words import STOPS
from envs.gyms.kit.request import RequestContext, Visit
from tests.envs.gyms.generated.generated_pages import get_generated, open_pages


def test_a_family_is_there_for_every_app() -> None:
    assert {row.family for row in read_catalogue().values()} == set(RENDERERS)


@pytest.mark.parametrize("name", ["gen-0000", "gen-0002", "gen-0200"])
def test_a_page_that_is_not_there_says_so(name: str) -> None:
    gym = get_generated(name)
    _, driver = open_pages(gym, gym.make_task(gym.templates[0], 1))
    driver.open(f"/{name}/nowhere")
    assert driver.status == 404
    assert "There is no page nowhere" in str(driver.observe().tree)


def test_a_session_that_was_signed_out_can_sign_in_again() -> None:
    gym = get_generated("gen-0000")
    _, driver = open_pages(gym, gym.make_task(gym.templates[0], 1))
    driver.open("/gen-0000/signed-out?to=%2Fgen-0000%2F")
    assert driver.status == 200
    assert "button Sign in again" in str(driver.observe().tree)


@pytest.mark.parametrize("name", ["gen-0000", "gen-0002", "gen-0200"])
def test_a_list_is_filtered_by_its_drop_downs(name: str) -> None:
    gym = get_generated(name)
    session, driver = open_pages(gym, gym.make_task(gym.templates[0], 1))
    state = session.state[name]
    kind = next(key for key in state if key != "starred")
    driver.open(f"/{name}/{kind}")
    tree = driver.observe().tree
    assert tree is not None
    drop_downs = [line for line in parse_tree(tree.text) if line.role == "select"]
    assert drop_downs
    first = drop_downs[0]
    assert driver.act(SetValue(target=Target(ref=first.ref), value=first.options[1])).ok


@pytest.mark.parametrize(
    ("family", "render"), [("client", render_client), ("material", render_material)]
)
def test_data_of_a_page_cannot_end_its_script(
    family: Family, render: Callable[[Frame, Screen], str]
) -> None:
    gym = get_generated("gen-0001")
    session, _ = open_pages(gym, gym.make_task(gym.templates[0], 1))
    app = gym.apps[0]
    request = RequestContext.of(app, (app,), Visit(session, "/gen-0001/", {}, {}))
    frame = make_frame(make_schema("gen-0001", 1, family=family), request)
    page = render(frame, Screen(title="</script>", blocks=(Note("</script><b>"),)))
    assert page.count("</script>") == 2
    assert "\\u003c/script>" in page


def test_the_open_record_is_marked_in_the_list_beside_it() -> None:
    gym = get_generated("gen-0200")
    session, driver = open_pages(gym, gym.make_task(gym.templates[0], 1))
    kind = gym.apps[0].nav[0][1].removeprefix("/")
    key = min(session.state["gen-0200"][kind], key=lambda item: str(item["name"]))["id"]
    page = driver.client.get(f"/gen-0200/{kind}/{key}").text
    assert f'<li class="here"><a href="/gen-0200/{kind}">' in page
    assert f'<li class="here"><a href="/gen-0200/{kind}/{key}">' in page
    assert page.count('class="here"') == 2


def test_what_style_sheets_draw_is_no_part_of_a_row_of_panes() -> None:
    gym = get_generated("gen-0200")
    _, driver = open_pages(gym, gym.make_task(gym.templates[0], 1))
    tree = driver.observe().tree
    assert tree is not None
    names = [line.name for line in parse_tree(tree.text) if " · " in line.name]
    assert names
    assert all(name.count(" · ") == 3 for name in names)


def test_a_state_says_by_its_class_how_it_is_meant() -> None:
    schema = make_schema("gen-0001", 1, family="client")
    work = next(entity for entity in schema.entities if entity.states)
    way = [state for state in work.states if state not in {state for _, state in STOPS}]
    assert [get_tone(work, state) for state in (way[0], way[1], way[-1], "withdrawn")] == [
        "new",
        "pending",
        "active",
        "declined",
    ]
