"""Visits of participants: how they arrive, how they prove who they are, and how a visit ends."""
