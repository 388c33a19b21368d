"""Summarisers: systems that write summaries, so that there is something to evaluate and to beat.

A plugin subclasses `Summarizer` or `Extractive` and names the class in the entry-point group
`gistmark.systems`.
"""

from gistmark.summarizers.catalogue import (
    GROUPS,
    SYSTEMS,
    system_from,
    system_from_signature,
    systems_from,
)
from gistmark.summarizers.extractive.selection import Choice, Extractive
from gistmark.summarizers.run import summarize
from gistmark.summarizers.summaries import Summaries
from gistmark.summarizers.summarizer import Limit, Node, Outcome, Sentence, Source, Summarizer

__all__ = [
    "GROUPS",
    "SYSTEMS",
    "Choice",
    "Extractive",
    "Limit",
    "Node",
    "Outcome",
    "Sentence",
    "Source",
    "Summaries",
    "Summarizer",
    "summarize",
    "system_from",
    "system_from_signature",
    "systems_from",
]
