"""Systems that take whole sentences of the document: baselines, MMR, coverage and graphs.

Public names are in `gistmark.summarizers`; these modules are private.
"""
