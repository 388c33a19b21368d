"""Coefficients of agreement, each a pure function on columns of numbers."""
