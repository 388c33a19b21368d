"""A story of the sentences that the tiny models know, and summaries of it."""

from __future__ import annotations

from tiny_models import SENTENCES

STORY = " ".join(SENTENCES)
GISTS = (
    "The bridge is shut for eleven weeks, and the ferries run.",
    "Engineers found a crack in the steel of the swing bridge. Nobody was hurt.",
    "Money for the library paid for ferries.",
)
