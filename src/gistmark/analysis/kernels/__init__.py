"""Compiled inner loops of the study: coefficients of resampled and of swapped data."""
