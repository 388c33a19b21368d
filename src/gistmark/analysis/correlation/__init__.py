"""Correlation: coefficients, levels, subsets of summaries, and differences between metrics.

The parts that a study is made of; other packages use their records.
"""
