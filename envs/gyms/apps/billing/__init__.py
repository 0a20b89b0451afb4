"""Billing: customers, invoices, payments and recurring schedules."""
