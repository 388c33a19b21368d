"""Measures of how a summary is worded, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.metrics.learnt.texts import Text
from gistmark.metrics.learnt.wording import wording


def measured(summary: str, lang: str = "en") -> dict[str, float]:
    return wording(Text.read(summary, lang))


def test_a_summary_that_begins_with_a_pronoun_or_a_connective_is_told() -> None:
    assert measured("It left Port Ennick.")["opening"] == 1
    assert measured("The ferry left.")["opening"] == 0


def test_person_is_the_share_of_words_in_the_first_or_second_person() -> None:
    # I, you and my, of eight words.
    assert measured("I told you that my ferry had left.")["person"] == pytest.approx(3 / 8)
    assert measured("He told them that his ferry left.")["person"] == 0


def test_what_is_about_english_is_not_known_of_other_languages() -> None:
    assert measured("Ich sah die Fähre.", "de") == {"opening": 0, "quotation": 0}


@pytest.mark.parametrize(
    ("summary", "marks"),
    [
        ('"Home," he said.', 2),
        ("“Home,” he said.", 2),
        ("‘Home,’ he said.", 2),
        ("'Home,' he said.", 2),
        ("He didn't go, he’s here.", 0),
    ],
)
def test_quotation_counts_marks_but_not_apostrophes(summary: str, marks: int) -> None:
    assert measured(summary)["quotation"] == pytest.approx(marks / len(summary.split()))


@pytest.mark.parametrize(
    ("summary", "share"),
    [
        # a, the, of, the: none stands before a word that cannot follow.
        ("A crack in the steel of the bridge.", 0),
        # Of the five, only "of an" may be: the of, an was, of and, and the last at the end.
        ("Bridge the of an was of and the.", 4 / 5),
        # the in, but not the US, which is no pronoun, nor the WHO.
        ("He told the US and the WHO about the in.", 1 / 3),
        ("One in every ten of at least forty ferries.", 0),
    ],
)
def test_broken_is_about_articles_and_of_before_what_cannot_follow(
    summary: str, share: float
) -> None:
    assert measured(summary)["broken"] == pytest.approx(share)


def test_broken_is_not_known_without_such_words() -> None:
    assert np.isnan(measured("Ferries run.")["broken"])


@pytest.mark.parametrize(
    ("summary", "count"),
    [
        ("Police found the man on Monday The trial begins in May He denies it.", 2),
        ("Police found the man on Monday. The trial begins in May. He denies it.", 0),
        ("He said: 'The trial begins.' So, In Rome, They say so", 0),
        ("Ferries run\nThe bridge is shut", 0),
        ("Summer On The Water In Port Ennick", 0),
    ],
)
def test_joined_counts_sentences_that_begin_within_another(summary: str, count: int) -> None:
    assert measured(summary)["joined"] == pytest.approx(count / len(summary.split()))


def test_label_is_the_share_of_sentences_that_begin_with_one() -> None:
    # The first of two; a colon later in a sentence, or in a time, is no label.
    assert measured("Guilty: Reed left court. It ended at 10:30 today.")["label"] == 0.5
    assert measured("Reed told the court in Port Ennick, where it had met again that week: no.")[
        "label"
    ] == 0  # fmt: skip
