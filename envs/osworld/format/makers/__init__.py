"""Makers of office files from a description; equal descriptions make equal bytes."""
