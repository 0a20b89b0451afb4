"""All task templates of billing, in the order in which the gym lists them."""

from __future__ import annotations

from envs.gyms.apps.billing import (
    tasks_customers,
    tasks_invoices,
    tasks_payments,
    tasks_receivables,
    tasks_schedules,
)

TEMPLATES = (
    *tasks_payments.TEMPLATES,
    *tasks_invoices.TEMPLATES,
    *tasks_customers.TEMPLATES,
    *tasks_receivables.TEMPLATES,
    *tasks_schedules.TEMPLATES,
)
