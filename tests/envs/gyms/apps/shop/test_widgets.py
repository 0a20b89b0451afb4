"""The shop's controls as HTML."""

from __future__ import annotations

from envs.gyms.apps.shop import widgets
from tests.envs.gyms.apps.shop.shop_requests import make_shop_request


def test_a_drop_down_marks_what_is_chosen() -> None:
    assert widgets.dropdown("Size", "size", ("S", "M"), "M", "Choose") == (
        '<label class="field">Size <select name="size"><option value="">Choose</option>'
        "<option>S</option><option selected>M</option></select></label>"
    )
    assert "selected" not in widgets.dropdown("Size", "size", ("S",), "L")


def test_radio_buttons_mark_what_is_chosen() -> None:
    html = widgets.radio_buttons("Size", "size", ("S", "M"), "S")
    assert html.count("checked") == 1
    assert '<input type="radio" name="size" value="S" checked>S</label>' in html


def test_a_form_carries_the_token_of_its_own_path() -> None:
    request = make_shop_request("/cart")
    form = widgets.post_form(request, "/shop/cart/coupon", widgets.submit(request, "<Apply>"))
    token = request.visit.token("/shop/cart/coupon")
    assert f'name="token" value="{token}"' in form
    assert "<button>&lt;Apply&gt;</button>" in form
    assert token != request.visit.token("/shop/cart/update")
