"""Resampling: bootstrap, permutation, sign flips, and the tests that rest on them."""
