"""Billing as a gym."""

from __future__ import annotations

from envs.gyms.apps.billing.app import BILLING
from envs.gyms.apps.billing.tasks import TEMPLATES
from envs.gyms.kit.gym import AppGym

GYM = AppGym("billing", (BILLING,), TEMPLATES)
