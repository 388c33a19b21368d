"""Annotators one by one: their quality and competence, and machines beside people."""
