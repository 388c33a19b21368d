"""Adjudication: items by disagreement, one with all its answers, and the decisions in exports."""

from gistmark.web.results.adjudication.disagreement import DEFINITIONS, Disputed, disputed_items
from gistmark.web.results.adjudication.item import DisputedItem, Opinion, disputed_item
from gistmark.web.results.adjudication.records import adjudicated, adjudication_rows

__all__ = [
    "DEFINITIONS",
    "Disputed",
    "DisputedItem",
    "Opinion",
    "adjudicated",
    "adjudication_rows",
    "disputed_item",
    "disputed_items",
]
