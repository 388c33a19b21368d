"""Summarisers: systems that write summaries, so that there is something to evaluate and to beat.

A plugin subclasses `Summarizer` and names the class in the entry-point group `gistmark.systems`.
"""

from gistmark.summarizers.catalogue import SYSTEMS
from gistmark.summarizers.summarizer import Limit, Summarizer

__all__ = ["SYSTEMS", "Limit", "Summarizer"]
