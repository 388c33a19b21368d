"""How sure annotators are of their ratings, and how much each dimension counts for them.

`means` has the mean confidence and weight of dimensions, systems, documents and annotators,
`halves` agreement where people are sure and where they are not, `documents` which documents are
hard to judge, and `findings` what can be said of it in words.
"""
