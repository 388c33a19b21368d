"""The platform: evaluation campaigns on the web, with Django.

The rules of evaluation are in `gistmark.judgements`; this layer stores, serves and locks.
"""
