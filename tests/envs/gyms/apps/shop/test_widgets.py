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
    token = form.partition('name="token" value="')[2].partition('"')[0]
    assert request.visit.session.owns_token("/shop/cart/coupon", token)
    assert not request.visit.session.owns_token("/shop/cart/update", token)
    assert "<button>&lt;Apply&gt;</button>" in form
