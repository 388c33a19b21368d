"""Systems with a hierarchy, H1 to H5: select nuggets, build a tree of them, generate.

Ideas and names are from "Dip-SumEval" (section 3.2), which builds on Tauchmann et al., "Beyond
Generic Summarization: A Multi-faceted Hierarchical Summarization Corpus of Large Heterogeneous
Data" (2018).
"""
