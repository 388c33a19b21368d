"""Metrics on words: ROUGE, HROUGE, divergences of word distributions, and plain statistics."""
