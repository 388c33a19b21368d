"""All summarisers by name."""

from __future__ import annotations

from gistmark.registry import Registry
from gistmark.summarizers.summarizer import Summarizer

SYSTEMS: Registry[type[Summarizer]] = Registry(
    "system",
    "gistmark.systems",
    {"LeadFirst": "gistmark.summarizers.lead:LeadFirst"},
    base=Summarizer,
)
