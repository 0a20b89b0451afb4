"""What a session may be asked to start with."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from agent_server.api.session_models import SessionRequest

SHOP = {"gym": "shop", "template": "price", "seed": 3}


def test_a_gym_s_task_names_its_environment() -> None:
    assert SessionRequest.model_validate(SHOP).make_task().id == "shop/price@3"
    desktop = {"gym": "desktop", "template": "calc_total", "seed": 7}
    assert SessionRequest.model_validate(desktop).make_task().env == "desktop"


def test_a_page_or_nothing_will_do() -> None:
    page = {"start_url": "https://shop.example/", "allow": ["shop.example"]}
    task = SessionRequest.model_validate(page).make_task()
    assert (task.start_url, task.allow) == ("https://shop.example/", ("shop.example",))
    assert SessionRequest(env="desktop").make_task().env == "desktop"
    assert SessionRequest(allow=("shop.example",)).make_task().start_url is None


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({"gym": "shop"}, "gym, template and seed go together"),
        ({"seed": 3}, "gym, template and seed go together"),
        (SHOP | {"start_url": "http://127.0.0.1/"}, "go with a browser, and with no gym"),
        ({"env": "desktop", "allow": ["shop.example"]}, "go with a browser, and with no gym"),
        ({"start_url": "https://shop.example/"}, "name its domain in allow"),
        ({"start_url": "http://169.254.169.254/"}, "start_url: 169.254.169.254 is not opened"),
        ({"start_url": "https://a.example/", "allow": ["b.example"]}, "on no domain of allow"),
        ({"allow": ["127.0.0.1"]}, "should match pattern"),
        ({"start_url": "file:///etc/passwd"}, "should match pattern"),
        ({"idle_s": 901}, "less than or equal to 900"),
        ({"max_s": 90_000}, "less than or equal to 86400"),
        ({"host": "http://evil.test"}, "Extra inputs are not permitted"),
    ],
)
def test_what_makes_no_sense_is_refused(request_: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        SessionRequest.model_validate(request_)
