"""The shop as a gym."""

from __future__ import annotations

from envs.gyms.apps.shop.app import SHOP
from envs.gyms.apps.shop.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("shop", (SHOP,), TEMPLATES, instruction_repeats=2)
"""Tokenizers are trained on each instruction twice, as often as on a line of the pages."""
