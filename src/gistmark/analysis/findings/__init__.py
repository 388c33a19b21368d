"""Findings: what a study puts first, what it says in words, and notes on data and methods."""
