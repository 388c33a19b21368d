"""Readers and writers of formats, one file each; `gistmark.corpus.formats` lists them."""
