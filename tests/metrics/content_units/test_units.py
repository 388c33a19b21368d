"""The units of an item: weights, likes in other references, and the ideal summary."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.metrics.content_units.units import (
    Unit,
    assigned,
    extracted_units,
    merged,
    page_rank,
    written_units,
)
from gistmark.records import ContentUnit


def test_written_units_keep_their_weights() -> None:
    units = written_units([
        ContentUnit("d", "1", "A crack.", 2.0), ContentUnit("d", "2", "Ferries run."),
        ContentUnit("d", "3", "  "),
    ])  # fmt: skip
    assert units.units == (Unit("A crack.", 2.0), Unit("Ferries run.", 1.0))
    assert units.ideal == 3.0


def test_what_several_references_say_weighs_as_many() -> None:
    lists = [
        [Unit("the bridge closed"), Unit("a painter found a crack")],
        [Unit("ferries run"), Unit("the old bridge closed")],
        [Unit("the bridge closed on Tuesday")],
    ]
    weights = {unit.text: unit.weight for unit in merged(lists, "en")}
    # {bridg, close} has 2 of 3 words in common with {old, bridg, close} and with {.., tuesday};
    # these two have 2 of 4, so each is alike to both others, but the first is most central.
    assert weights == {
        "the bridge closed": 3.0, "a painter found a crack": 1.0, "ferries run": 1.0,
    }  # fmt: skip


def test_units_of_one_reference_are_never_merged() -> None:
    lists = [[Unit("the bridge closed"), Unit("the bridge closed again")], [Unit("boats run")]]
    assert len(merged(lists, "en")) == 3


def test_an_ideal_summary_has_as_many_units_as_a_reference() -> None:
    """Two references of one unit each, which differ: stating one of them is ideal."""
    units = extracted_units(
        ["Ferries run.", "A painter found it."], pipeline="en_core_web_sm", lang="en"
    )
    assert [unit.weight for unit in units.units] == [1.0, 1.0]
    assert units.ideal == 1.0


def test_the_ideal_counts_a_share_of_the_last_unit() -> None:
    units = extracted_units(
        ["Ferries run.", "Ferries run. A painter found it."], pipeline="en_core_web_sm", lang="en"
    )
    # Ferries weigh 2, the painter 1; a reference has 1.5 units on average: 2 + 0.5 * 1.
    assert sorted(unit.weight for unit in units.units) == [1.0, 2.0]
    assert units.ideal == 2.5


def test_a_language_without_a_parser_has_its_sentences_for_units() -> None:
    units = extracted_units(["Die Brücke ist zu. Ende."], pipeline="en_core_web_sm", lang="de")
    assert [unit.text for unit in units.units] == ["Die Brücke ist zu.", "Ende."]


def test_references_without_words_have_no_units() -> None:
    assert extracted_units(["", "..."], pipeline="en_core_web_sm", lang="en").units == ()


def test_ranks_add_up_to_one_and_the_middle_of_a_chain_leads() -> None:
    chain = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    ranks = page_rank(chain)
    assert ranks.sum() == pytest.approx(1.0)
    # r = 0.05 + 0.85 * 2 * (half of the middle's) ...: middle m = 0.05 + 0.85 (1 - m).
    assert ranks[1] == pytest.approx(0.9 / 1.85, abs=1e-3)
    assert ranks[0] == pytest.approx(ranks[2])


def test_without_edges_all_ranks_are_equal() -> None:
    assert page_rank(np.zeros((4, 4))) == pytest.approx(np.full(4, 0.25))


def test_an_assignment_has_the_greatest_sum_and_leaves_out_what_weighs_nothing() -> None:
    # Greedily 0.9 + 0.1 = 1.0; the best is 0.8 + 0.7 = 1.5.
    assert assigned(np.array([[0.9, 0.8], [0.7, 0.1]])) == [(0, 1), (1, 0)]
    assert assigned(np.array([[0.0, 0.5]])) == [(0, 1)]
    assert assigned(np.zeros((2, 2))) == []
    assert assigned(np.zeros((2, 0))) == []
