"""Systems that let a language model write the summary.

Public names are in `gistmark.summarizers`; these modules are private.
"""
