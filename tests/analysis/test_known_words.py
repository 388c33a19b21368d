"""The note on known words."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.data_notes import data_notes
from gistmark.analysis.known_words import known_word_notes
from gistmark.corpus import Corpus
from gistmark.scoring import Scores
from gistmark.scoring.scores import Column


def scores_of(*shares: float) -> Scores:
    values = np.array([[1.0 if share >= 0.5 else np.nan, share] for share in shares])
    reasons = {place: "too little" for place, share in enumerate(shares) if not share >= 0.5}
    column = Column("wmd|v:1", ("value", "known"), "value", "lower", values, reasons)
    count = len(shares)
    return Scores([str(number) for number in range(count)], ["sys"] * count, {"wmd": column})


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((1.0, 0.9, 0.8), "know 90 % of the words on average (least: 80 %)"),
        ((1.0, 0.2), "know 60 % of the words on average (least: 20 %)"),
        ((1.0,) * 999 + (0.9,), "know over 99 % of the words on average (least: 90 %)"),
        ((0.5, 0.001), "know 25 % of the words on average (least: less than 1 %)"),
        ((0.5, 0.0, np.nan), "know 25 % of the words on average (least: 0 %)"),
    ],
)
def test_mean_and_least_share_are_told(shares: tuple[float, ...], said: str):
    (note,) = known_word_notes(scores_of(*shares))
    assert note.about == "wmd"
    assert said in note.text


@pytest.mark.parametrize("shares", [(1.0, 1.0), (np.nan,)])
def test_nothing_is_said_where_every_word_is_known_or_no_share_is(shares: tuple[float, ...]):
    assert list(known_word_notes(scores_of(*shares))) == []


def test_the_note_is_among_those_of_a_study():
    texts = [note.text for note in data_notes(Corpus(), scores_of(1.0, 0.6))]
    assert any("least: 60 %" in text for text in texts)
