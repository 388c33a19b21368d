"""The BLANC family: how much a summary helps a language model with the words of its document.

Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC: Human-free quality estimation of document
summaries" (2020).
"""
