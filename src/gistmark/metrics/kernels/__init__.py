"""The compiled inner loops of the lexical metrics, on word numbers instead of strings.

All of them take pairs of texts, sorted by target: what is built from a target (its n-gram
numbers, its counts) is built once and serves every summary that is compared with it.
"""
