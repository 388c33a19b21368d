"""Labels from highlights and references, worked by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.records import Document, Highlight
from gistmark.summarizers import Source
from gistmark.summarizers.hierarchical.labels import digest, lesson_from, relevant_counts

TEXT = "Cats sleep all day. Dogs bark."
DOCUMENT = Document("d", (TEXT,))


def mark(annotator: str, part: str) -> Highlight:
    start = TEXT.index(part)
    return Highlight("d", annotator, start, start + len(part))


def test_a_sentence_is_as_relevant_as_the_share_of_its_words_that_annotators_marked():
    lesson = lesson_from(Source(DOCUMENT, (), (mark("a", "Cats sleep"), mark("b", "Cats"))))
    # Of two annotators both marked the first word and one the second: (1 + 1/2 + 0 + 0) / 4.
    assert lesson.words[0].tolist() == [1, 0.5, 0, 0]
    assert lesson.relevance.tolist() == [0.375, 0]
    assert lesson.targets.tolist() == [1, 0]


def test_highlights_come_before_references():
    lesson = lesson_from(Source(DOCUMENT, ("Cats sleep.",), (mark("a", "Dogs bark"),)))
    assert lesson.relevance.tolist() == [0, 1]


def test_without_highlights_a_sentence_is_aligned_to_the_references():
    lesson = lesson_from(Source(DOCUMENT, ("The cat sleeps.", "A dog!")))
    # Content stems: cat sleep day | dog bark; references: cat sleep | dog.
    # First sentence: P = 2/3, R = 2/2, F = 4/5 and 0. Second: 0, and P = 1/2, R = 1, F = 2/3.
    assert lesson.relevance.tolist() == pytest.approx([0.4, 1 / 3])
    assert [labels.tolist() for labels in lesson.words] == [[0.5, 0.5, 0, 0], [0.5, 0]]


@pytest.mark.parametrize(
    "source",
    [
        Source(DOCUMENT),
        Source(DOCUMENT, ("Something else entirely.",)),
        Source(DOCUMENT, ("...",)),
        Source(Document("d", ("",)), ("Cats sleep.",)),
    ],
)
def test_what_people_gave_may_teach_nothing(source: Source):
    assert lesson_from(source) is None


def test_words_are_counted_by_the_relevance_of_their_sentences():
    lesson = lesson_from(Source(DOCUMENT, ("The cat sleeps.", "A dog!")))
    counts = relevant_counts([lesson])
    # Relative to the highest label the second sentence has (1/3) / (2/5) = 5/6.
    assert counts["cat"] == (1, 1)
    assert counts["bark"] == pytest.approx((5 / 6, 1))


def test_the_digest_tells_texts_and_labels_apart():
    one = lesson_from(Source(DOCUMENT, ("The cat sleeps.",)))
    other = lesson_from(Source(DOCUMENT, ("A dog!",)))
    renamed = replace(one, document=replace(DOCUMENT, id="e"))
    assert digest([one]) != digest([other])
    assert digest([one]) == digest([renamed])
    assert len(digest([one])) == 8
