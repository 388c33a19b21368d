"""Content units without people: units of references, and whether a summary states them.

clauses    units from a parsed sentence
units      the units of an item: those that people wrote, or those of its references
presence   whether a text states a unit: by words, embeddings, a language model, or inference
pyramid    the metric
"""
