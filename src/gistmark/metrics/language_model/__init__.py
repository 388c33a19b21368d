"""Metrics on what a language model predicts: the BLANC family and the Shannon scores."""
