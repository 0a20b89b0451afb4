"""The shop's task templates."""

from __future__ import annotations

from envs.gyms.apps.shop.tasks_addresses import ADDRESS_TEMPLATES
from envs.gyms.apps.shop.tasks_cart import CART_TEMPLATES
from envs.gyms.apps.shop.tasks_orders import ORDER_TEMPLATES
from envs.gyms.apps.shop.tasks_products import PRODUCT_TEMPLATES

TEMPLATES = (*PRODUCT_TEMPLATES, *CART_TEMPLATES, *ORDER_TEMPLATES, *ADDRESS_TEMPLATES)
