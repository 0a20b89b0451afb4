"""Ways to files that the drive's oracles share."""

from __future__ import annotations

from envs.gyms.apps.drive import oracle_moves
from tests.envs.gyms.apps.oracle_walk import make_page, walk

PARAMS = {"name": "plan", "other_name": "logo", "path": "My Drive / Old"}


def test_a_file_is_searched_by_the_param_that_names_it() -> None:
    start = make_page("link All files #")
    files = make_page("box Search #", "link plan #", "link logo #")
    moves, page = walk(lambda page: oracle_moves.open_file(page, PARAMS), start, files)
    assert moves == ["click All files", "type Search plan", "click plan"]
    assert page is files
    moves, _ = walk(lambda page: oracle_moves.open_file(page, PARAMS, "other_name"), start, files)
    assert moves[1:] == ["type Search logo", "click logo"]


def test_the_menu_and_the_form_of_the_open_file() -> None:
    file = make_page("link Move #", "button More #", "link Make a copy #")
    moves, _ = walk(lambda page: oracle_moves.open_in_menu(page, "Make a copy", "copy"), file)
    assert moves == ["click More", "click Make a copy"]
    form = make_page("select Folder = My Drive #", "button Move here #")
    moves, _ = walk(lambda page: oracle_moves.move_open_file(page, PARAMS), file, form)
    assert moves == ["click Move", "set_value Folder My Drive / Old", "click Move here"]
