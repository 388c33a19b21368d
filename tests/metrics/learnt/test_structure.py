"""Measures of how a summary is put together, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.learnt import wording
from gistmark.metrics.learnt.structure import MEASURES, rest, structure
from gistmark.metrics.learnt.texts import Text

DOCUMENT = (
    "The ferry Alma left Port Ennick on Monday morning. Captain Reed steered it towards Carrow. "
    "A storm rose before noon, and the engine failed. Tugs from Carrow towed the ferry home."
)


def measured(summary: str, document: str | None = DOCUMENT) -> dict[str, float]:
    row = structure(Batch.of([Item(summary, (), document)]))[0]
    return dict(zip(MEASURES, row.tolist(), strict=True))


def test_overlap_is_the_share_of_content_words_that_stood_in_an_earlier_sentence() -> None:
    # The second sentence has ferry, engine and failed; of these three, ferry stood before.
    assert measured("The ferry left. The ferry engine failed.")["overlap"] == pytest.approx(1 / 3)
    assert measured("The ferry left Port Ennick.")["overlap"] == 0


def test_order_is_that_of_the_document() -> None:
    first, second, third = (
        "The ferry left Port Ennick.",
        "A storm rose and the engine failed.",
        "Tugs towed the ferry home.",
    )
    assert measured(f"{first} {second} {third}")["order"] == 1
    assert measured(f"{third} {second} {first}")["order"] == 0
    # Of the pairs (1, 3), (1, 2) and (3, 2), the last is the wrong way round.
    assert measured(f"{first} {third} {second}")["order"] == pytest.approx(2 / 3)
    assert measured("Nothing of that. Other words here.")["order"] == 1


def test_lead_is_about_what_is_a_copy_of_the_beginning() -> None:
    copy = "The ferry Alma left Port Ennick on Monday morning."
    assert measured(copy)["lead"] == 1
    # Of the six runs of four words, two are the document's: the ferry Alma left Port.
    assert measured("The ferry Alma left port and never came back")["lead"] == 0
    # Of the seven runs of four words, six are the document's: 5 × 6/7 - 4.
    assert measured(f"{copy[:-1]} early")["lead"] == pytest.approx(5 * 6 / 7 - 4)


def test_the_rest_is_what_a_copy_leaves_of_the_document() -> None:
    document = Text.read(DOCUMENT)
    first = "The ferry Alma left Port Ennick on Monday morning."
    assert rest(Text.read(first), document) == DOCUMENT[len(first) + 1 :]
    # Words that were left out of a copy, or put into it, change nothing.
    changed = "The ferry Alma left Port Ennick on Monday morning early. Captain Reed steered it."
    assert rest(Text.read(changed), document).startswith("towards Carrow. A storm")
    assert rest(document, document) == ""


def test_names_and_numbers_are_looked_for_in_the_document() -> None:
    # Alma and Carrow are the document's, Derry and 40 are not.
    assert measured("The Alma was towed to Carrow by Derry with 40 people.")["names"] == 0.5
    assert measured("the ferry came home")["names"] == 1


def test_a_name_in_the_wrong_place_loses_its_context() -> None:
    right = measured("The ferry of Captain Reed left Port Ennick.")
    wrong = measured("The tugs of Captain Ennick left on Monday.")
    assert right["contexts"] > wrong["contexts"]


def test_neighbours_of_names_are_looked_for_in_the_document() -> None:
    # Captain Reed and left Port are the document's; of Captain, Reed left and to Carrow are not.
    assert measured("The ferry of Captain Reed left Port")["neighbours"] == pytest.approx(2 / 4)
    assert measured("Reed came to Carrow.")["neighbours"] == 0
    assert np.isnan(measured("the ferry came home")["neighbours"])


def test_what_the_document_writes_as_a_name_is_one_in_lower_case_too() -> None:
    # Of "captain reed" and "reed steered", both the document's; "he came" has no name.
    assert measured("he came. captain reed steered")["neighbours"] == 1
    assert measured("he came. reed captain steered")["neighbours"] == 0


def test_a_summary_without_words_has_no_measures() -> None:
    assert np.isnan(list(measured("").values())).all()


@pytest.mark.parametrize("document", ["", None])
def test_without_a_document_only_the_summary_is_measured(document: str | None) -> None:
    known = {name for name, value in measured("A ferry.", document).items() if not np.isnan(value)}
    assert known == {"overlap", *wording.MEASURES}
