"""Training a learnt metric on people's scores of several corpora, and judging it.

`sets` turns corpora into features and scores, `training` fits and holds corpora out.
"""
