"""The order of a form's questions on a screen."""

from __future__ import annotations

from typing import Any

import numpy as np

from gistmark.corpus import Corpus
from gistmark.judgements import Entry, Task, payload
from gistmark.judgements.forms.form import shuffled_order
from judgements.forms.composed import SUMMARY, form


def asking(name: str, after: str | None = None) -> dict[str, Any]:
    when = None if after is None else {"question": after, "values": ["yes"]}
    return {"type": "yes-no", "name": name, "question": f"{name}?", "when": when}


BLOCKS = (
    {"type": "note", "text": "First"},
    asking("a"),
    asking("b"),
    SUMMARY,
    asking("a1", after="a"),
    asking("c"),
    asking("a2", after="a1"),
    {"type": "note", "text": "Last"},
)
A, B, A1, C, A2 = 1, 2, 4, 5, 6


def test_only_questions_move_and_conditional_ones_stay_behind_what_they_depend_on():
    blocks = form(*BLOCKS).blocks
    orders = {tuple(shuffled_order(blocks, np.random.default_rng(n))) for n in range(200)}
    for order in orders:
        assert sorted(order) == list(range(len(blocks)))
        assert [order[n] for n in (0, 3, 7)] == [0, 3, 7]
        asked = [n for n in order if n not in (0, 3, 7)]
        start = asked.index(A)
        assert asked[start : start + 3] == [A, A1, A2]
    # Three groups of questions (a with what depends on it, b, c) have 3! = 6 orders.
    assert len(orders) == 6


def test_an_order_is_the_annotators_own_and_the_same_at_every_visit(small: Corpus):
    protocol = form(SUMMARY, *(asking(name) for name in "abcdefgh"), order="shuffled")

    def orders(annotator: str) -> list[list[int]]:
        entries = (Entry("1", "bridge", ("lead",)), Entry("2", "cave", ("lead",)))
        seen = payload(Task("1.1", annotator, 7, entries), protocol, small)
        return [item["order"] for item in seen["items"]]

    first, second = orders("ann")
    assert orders("ann") == [first, second]
    assert first != second
    assert orders("bob") != [first, second]


def test_without_shuffling_no_order_is_sent(small: Corpus):
    task = Task("1.1", "ann", 7, (Entry("1", "bridge", ("lead",)),))
    seen = payload(task, form(SUMMARY, asking("a")), small)
    assert not {"order", "questions"} & set(seen["items"][0])
