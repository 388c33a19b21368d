"""What the tests of the hierarchical systems share: texts, examples, and trained systems."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gistmark
from gistmark.records import Document
from gistmark.summarizers import Source, Summarizer, system_from
from gistmark.summarizers.run import sources_of

STORY = (
    "The old bridge over the river was closed on Monday. Engineers found a crack in the bridge. "
    "The crack runs along a steel arm of the bridge. However, the ferry will carry passengers. "
    "The ferry is free and leaves every hour. Shops near the river fear for their trade. "
    "A baker said that few customers cross the river now. Repairs of the bridge take ten weeks. "
    "The weather was fine. Nobody was hurt."
)


@pytest.fixture(scope="session")
def story() -> Source:
    """A short text with a subject, a side issue and a cue phrase."""
    return Source(Document("story", (STORY,)))


@pytest.fixture(scope="session")
def examples() -> list[Source]:
    """The bundled sample's documents with their references and highlights."""
    return sources_of(gistmark.load(gistmark.sample_folder()))


@pytest.fixture(scope="session")
def trained_system(examples: list[Source]) -> Callable[[str], Summarizer]:
    """A system of a name, trained once on the sample."""
    output: dict[str, Summarizer] = {}

    def trained(name: str) -> Summarizer:
        if name not in output:
            output[name] = system_from(name).trained(examples)
        return output[name]

    return trained
