"""MMR on examples worked by hand, and what MMR* passes over."""

from __future__ import annotations

import pytest

from gistmark.errors import UsageError
from gistmark.records import Document
from gistmark.summarizers import Limit, Outcome, Source, system_from

# The source has 8 words: a cat sat on mat red it rained. Jaccard of each sentence with it:
#   mat      {a cat sat on mat}      5/8
#   red mat  {a cat sat on red mat}  6/8
#   rain     {it rained}             2/8
# and of "red mat" with "mat" 5/6, with "rain" 0.
MAT, RED, RAIN = "A cat sat on a mat.", "A cat sat on a red mat.", "It rained."
TEXT = f"{MAT} {RED} {RAIN}"


def summary(spec: str, *texts: str, **limit: int | None) -> Outcome:
    source = Source(Document("d", texts))
    return system_from(spec).summarize(source, Limit(**{"chars": None, **limit}))


@pytest.mark.parametrize(
    ("balance", "second"),
    [
        # mat 0.5 * 5/8 - 0.5 * 5/6 = -0.104; rain 0.5 * 2/8 = 0.125
        (0.5, RAIN),
        # mat 0.9 * 5/8 - 0.1 * 5/6 = 0.479; rain 0.9 * 2/8 = 0.225
        (0.9, MAT),
        (1, MAT),
    ],
)
def test_the_balance_weighs_relevance_against_novelty(balance: float, second: str) -> None:
    found = summary(f"MMR:balance={balance}", TEXT, sentences=2)
    assert {sentence.text for sentence in found.sentences} == {RED, second}


def test_the_first_sentence_is_the_one_most_like_the_source() -> None:
    assert summary("MMR", TEXT, sentences=1).text == RED


def test_the_summary_is_in_the_documents_order() -> None:
    assert summary("MMR:balance=1", TEXT, sentences=2).text == f"{MAT} {RED}"


def test_of_equals_the_first_is_taken() -> None:
    assert summary("MMR", "Ann ran. Bob sat. Cid ate.", sentences=1).text == "Ann ran."
    assert summary("MMR:balance=0", "Ann ran. Bob sat. Cid ate.", sentences=2).text == (
        "Ann ran. Bob sat."
    )


def test_one_that_no_longer_fits_is_passed_over() -> None:
    assert summary("MMR", TEXT, chars=len(RED) + 1 + len(RAIN)).text == f"{RED} {RAIN}"
    assert summary("MMR:balance=1", TEXT, chars=len(RED) + 1 + len(RAIN)).text == f"{RED} {RAIN}"


def test_all_texts_are_the_source() -> None:
    found = summary("MMR", MAT, f"{RED} {RAIN}", sentences=2)
    assert [sentence.source for sentence in found.sentences] == [1, 1]


def test_the_star_passes_over_artefacts() -> None:
    artefact = "Copyright 2019 Example Press and all its friends, all rights reserved."
    assert summary("MMR", f"{TEXT} {artefact}", sentences=1).text == artefact
    assert summary("MMR*", f"{TEXT} {artefact}", sentences=1).text == RED


def test_the_star_rather_cuts_a_sentence_than_takes_an_artefact() -> None:
    found = summary("MMR*", f"Advertisement. {MAT}", chars=15)
    assert found.text == "A cat sat on a"


def test_where_all_are_artefacts_the_star_takes_them_and_says_so() -> None:
    found = summary("MMR*", "Skip to content. Advertisement.", sentences=2)
    assert found.text == "Skip to content. Advertisement."
    assert found.note == "every sentence looks like an artefact of a page, so none is passed over"
    assert summary("MMR*", TEXT, sentences=1).note is None


def test_a_balance_above_1_is_refused() -> None:
    with pytest.raises(UsageError, match="MMR:balance: 2 is not a number from 0 to 1"):
        system_from("MMR:balance=2")
