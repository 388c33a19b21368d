"""What the tests of judgements share: the sample corpus, and a small one made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.records import ContentUnit, Document, Highlight, Planted, Question, Summary
from gistmark.text.sentences import sentences


@pytest.fixture(scope="session")
def sample() -> Corpus:
    """The sample, with the sentences of its references as content units."""
    corpus = load(sample_folder())
    units = tuple(
        ContentUnit(document, f"u{number}", text, reference=reference.system)
        for document, references in corpus.references.items()
        for reference in references
        for number, text in enumerate(sentences(reference.text), start=1)
    )
    return replace(corpus, units=units)


@pytest.fixture
def small() -> Corpus:
    """Two documents; three systems and a reference for the first, one system for the second."""
    return Corpus(
        documents=(
            Document("bridge", ("The old bridge was closed on Tuesday.",), title="A bridge"),
            Document("cave", ("A stone from the cave tells of dry years.",)),
        ),
        summaries=(
            Summary("bridge", "lead", "The old bridge was closed."),
            Summary("bridge", "terse", "Bridge closed."),
            Summary("bridge", "garbled", "Closed old was bridge."),
            Summary("bridge", "gold", "An old bridge is shut.", reference=True),
            Summary("cave", "lead", "A stone tells."),
        ),
        highlights=(Highlight("bridge", "ann", 4, 14, 30),),
        questions=(
            Question("bridge", "The bridge was closed on a Tuesday.", True),
            Question("cave", "The stone tells of wet years.", False),
        ),
        planted=(
            Planted("A good one.", "A mediocre ones.", "One a bad.", "cave"),
            Planted("Another good one.", "Another ones mediocre.", "Bad one another."),
        ),
    )
