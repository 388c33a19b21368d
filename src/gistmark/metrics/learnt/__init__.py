"""Metrics that learnt from people's scores: their features, weights and checks.

`metric` has the metrics, `features` and `structure` what they look at, `model` the file of weights,
`fitting` how weights are found, `spoiling` the spoiled summaries that must score lower.
"""
