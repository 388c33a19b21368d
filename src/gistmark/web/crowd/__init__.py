"""Crowd workers: completion codes, and approvals for the market that they come from."""
