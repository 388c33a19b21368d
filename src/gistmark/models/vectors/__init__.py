"""Word vectors: their files, the tables that open at once, and the pipelines of spaCy."""
