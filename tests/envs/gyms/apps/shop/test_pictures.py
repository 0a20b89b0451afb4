"""Every category has a picture, in the product's color."""

from __future__ import annotations

from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.apps.shop.names import CATEGORIES, COLORS
from envs.gyms.apps.shop.pictures import OUTLINES, PAINTS, picture, stars


def test_every_category_and_color_can_be_drawn() -> None:
    assert set(OUTLINES) == set(CATEGORIES)
    assert set(PAINTS) == set(COLORS)


def test_a_picture_has_the_outline_of_its_category_and_the_first_color() -> None:
    product = get_catalogue(1).products[0]
    html = picture(product)
    assert OUTLINES[product.category][0] in html
    assert PAINTS[product.colors[0]] in html
    assert stars(product) == f'<span class="stars" style="--part:{product.rating * 2}%"></span>'
