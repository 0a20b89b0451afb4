"""Billing as a gym."""

from __future__ import annotations

from envs.gyms.billing.app import BILLING
from envs.gyms.billing.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("billing", (BILLING,), TEMPLATES)
