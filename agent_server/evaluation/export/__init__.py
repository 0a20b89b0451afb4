"""Exports of an evaluation in other projects' formats."""
