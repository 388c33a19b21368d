"""Crowd workers: studies on markets, arrival, outcomes and codes, approvals for the market."""
