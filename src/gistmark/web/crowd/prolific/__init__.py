"""Prolific: calls to its API, studies, what becomes of submissions, reviews and bonuses."""
