"""Trac as a gym: the tracker of a company, with Trac's own pages and database."""
