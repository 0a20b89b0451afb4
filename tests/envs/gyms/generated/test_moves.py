"""Parts of oracles on hand-written pages."""

from __future__ import annotations

import pytest

from envs.gyms.generated import moves
from envs.gyms.generated.make_schema import make_schema
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.oracle_walk import make_page, walk

SCHEMA = make_schema("gen-0003", 3)
LOOK = SCHEMA.look
ENTITY = SCHEMA.entities[0]
TITLE = ENTITY.plural.capitalize()


def test_a_list_is_opened_by_its_link_or_by_the_menu() -> None:
    direct = make_page(f"link {TITLE} #")
    assert walk(lambda page: moves.open_list(page, LOOK, ENTITY), direct)[0] == [f"click {TITLE}"]
    closed = make_page(f"button {LOOK.words['menu']} #")
    opened = make_page(f"button {LOOK.words['menu']} #", f"link {TITLE} #")
    done, _ = walk(lambda page: moves.open_list(page, LOOK, ENTITY), closed, opened)
    assert done == [f"click {LOOK.words['menu']}", f"click {TITLE}"]


def test_a_row_is_opened_on_whichever_page_it_is() -> None:
    first = make_page("link Blue room #", f"link {LOOK.words['next_page']} #")
    second = make_page("button Red room · City Graz #")
    done, _ = walk(lambda page: moves.open_row(page, LOOK, "Red room"), first, second)
    assert done == [f"click {LOOK.words['next_page']}", "click Red room · City Graz"]
    with pytest.raises(OracleLost, match="Green room"):
        walk(lambda page: moves.open_row(page, LOOK, "Green room"), second)


def test_an_option_of_a_component_library_is_clicked_in_the_list_that_opens() -> None:
    look = LOOK.model_copy(update={"family": "material"})
    closed = make_page("select Kind = ale #")
    opened = make_page("option ale (selected) #", "option wild #")
    assert walk(
        lambda page: moves.choose(page, look, next(iter(page.elements("select"))), "wild", "it is"),
        closed,
        opened,
    )[0] == ["click Kind", "click wild"]
    typed = make_page("box Vet #", "option Ada Reed #")
    assert walk(
        lambda page: moves.choose(
            page, look, next(iter(page.elements("box"))), "Ada Reed", "it is"
        ),
        make_page("box Vet = None #"),
        typed,
    )[0] == ["type Vet Ada Reed", "click Ada Reed"]


def test_a_page_is_not_turned_by_a_button_that_is_disabled() -> None:
    last = make_page("link Blue room #", f"button {LOOK.words['next_page']} (disabled) #")
    with pytest.raises(OracleLost, match="Green room"):
        walk(lambda page: moves.open_row(page, LOOK, "Green room"), last)


def test_a_form_is_filled_part_by_part() -> None:
    label = ENTITY.fields[0].label
    first = make_page(f"box {ENTITY.name_label} #", f"button {LOOK.words['continue']} #")
    second = make_page(f"select {label} = ale [ale | wild] #", "button Send #")
    texts = {ENTITY.name_label: "Blue", label: "wild"}
    done, _ = walk(
        lambda page: moves.fill_form(page, LOOK, ENTITY, texts, "Send"), first, first, second
    )
    assert done == [
        f"type {ENTITY.name_label} Blue",
        f"click {LOOK.words['continue']}",
        f"set_value {label} wild",
        "click Send",
    ]
