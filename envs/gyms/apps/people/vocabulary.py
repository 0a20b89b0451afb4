"""The words that the portal knows: statuses, kinds, bands, roles and what texts are made of."""

from __future__ import annotations

from typing import Any

from envs.contract.task import Split
from envs.gyms.kit.names import DEPARTMENTS

Item = dict[str, Any]
PENDING, APPROVED, REJECTED, CANCELLED = "Pending", "Approved", "Rejected", "Cancelled"
LEAVE_STATUSES = (PENDING, APPROVED, REJECTED, CANCELLED)
VACATION = "Vacation"
LEAVE_TYPES = (VACATION, "Sick leave", "Training", "Unpaid leave")
DRAFT, SUBMITTED, SENT_BACK = "Draft", "Submitted", "Sent back"
REPORT_STATUSES = (DRAFT, SUBMITTED, APPROVED, SENT_BACK)
CATEGORIES = ("Travel", "Hotel", "Meals", "Taxi", "Books", "Software")
PURPOSES = (
    "Trade fair",
    "Customer visit",
    "Team meeting",
    "Language course",
    "Office supplies",
    "Conference",
    "Site inspection",
    "Recruiting day",
)
RECEIPT_REQUIRED_FROM = 5000
"""Lines of this many cents or more need a receipt."""
BANDS = {
    "B1": (2_400_000, 3_600_000),
    "B2": (3_200_000, 4_800_000),
    "B3": (4_400_000, 6_400_000),
    "B4": (6_000_000, 8_600_000),
    "B5": (8_000_000, 12_000_000),
}
CONTRACTS = ("Permanent", "Fixed term", "Part time", "Internship")
STAGES = ("Applied", "Screening", "Interview", "Offer", "Rejected")
ROLES = {
    "Leave approver": "decides on leave requests",
    "Expense approver": "decides on expense reports",
    "Payroll viewer": "sees salaries",
    "Payroll editor": "changes salaries and accounts",
    "Recruiter": "moves candidates",
    "Portal admin": "may do everything here",
}
EXCLUSIVE_ROLES = ("Expense approver", "Payroll editor")
"""Nobody may have both."""
ONBOARDING_TASKS = (
    "Sign the contract",
    "Sign the privacy notice",
    "Order the laptop",
    "Order the building pass",
    "Meet the manager",
    "Meet the team",
    "Safety training",
    "Set up payroll",
)
LAPTOPS = ("None", "Light laptop", "Large laptop", "Workstation")
PHONES = ("None", "Basic phone", "Smartphone")
SUBJECTS: dict[Split, tuple[str, ...]] = {
    "train": (
        "Office closed",
        "Fire drill",
        "Summer party",
        "New canteen menu",
        "Payroll cut-off",
        "Car park repairs",
        "Flu vaccination",
    ),
    "dev": (
        "Lift out of order",
        "Blood donation",
        "Football match",
        "New coffee bar",
        "Time sheet deadline",
        "Roof repairs",
        "Eye tests",
    ),
    "test": (
        "Power cut",
        "Charity run",
        "Harvest dinner",
        "New bike racks",
        "Bonus payment",
        "Window cleaning",
        "First aid course",
    ),
}
"""Subjects of announcements. No two splits share one."""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
CONTACT_FIELDS = ("email", "phone", "street", "postal", "city", "kin", "kin_phone")
AUDIENCES = ("Everybody", *DEPARTMENTS)
