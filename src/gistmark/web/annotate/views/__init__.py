"""The annotator's pages: what there is to do, and one task at a time."""
