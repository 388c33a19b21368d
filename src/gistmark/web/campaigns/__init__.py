"""Campaigns: a protocol run on a corpus, and what it is made of."""
