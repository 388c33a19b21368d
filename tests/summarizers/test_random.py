"""Random: every sentence has the same chance, and a seed repeats the draw."""

from __future__ import annotations

from collections import Counter

from gistmark.records import Document
from gistmark.summarizers import Limit, Source, system_from

TEXT = "Ann ran. Bob sat. Cid ate. Dan hid. Eva won."
ONE = Limit(chars=None, sentences=1)


def test_sentences_stand_in_the_order_of_the_document() -> None:
    for seed in range(20):
        outcome = system_from(f"Random:seed={seed}").summarize(
            Source(Document("d", (TEXT,))), Limit(chars=None, sentences=3)
        )
        starts = [sentence.start for sentence in outcome.sentences]
        assert starts == sorted(starts)
        assert len(starts) == 3


def test_every_sentence_is_drawn_about_as_often() -> None:
    """1,000 draws of one in five: 200 each, give or take five standard deviations of 12.6."""
    system = system_from("Random")
    drawn = Counter(
        system.summarize(Source(Document(str(number), (TEXT,))), ONE).text for number in range(1000)
    )
    assert len(drawn) == 5
    assert all(137 <= count <= 263 for count in drawn.values())


def test_what_does_not_fit_is_passed_over_and_the_room_is_filled() -> None:
    text = "A sentence that is much too long for what is left. Go. Run."
    source = Source(Document("d", (text,)))
    for seed in range(10):
        found = system_from(f"Random:seed={seed}").summarize(source, Limit(chars=52)).text
        assert found in ("A sentence that is much too long for what is left.", "Go. Run.")
