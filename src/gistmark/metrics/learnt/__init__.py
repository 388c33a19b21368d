"""Metrics trained on people's scores: their features, weights and checks.

`metric` has the metrics, `features`, `structure` and `wording` what they look at in `texts`,
`copies` what a copied lead is compared with, `model` the file of weights, `fitting` how these are
found, `spoiling` the spoiled summaries that must score lower.
"""
