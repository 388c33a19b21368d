"""Ranking: systems in order, every pair tested, and letters for those that cannot be told apart."""
