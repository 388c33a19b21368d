"""HROUGE: the properties that must hold, and a naive implementation."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.text import ngrams
from metrics.lexical.highlighting import mark, rows

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=12).map(" ".join)
DOCUMENTS = TEXTS.filter(bool)


def highlights_on(document: str, *, budget: st.SearchStrategy[int | None]) -> st.SearchStrategy:
    positions = st.integers(0, len(document))
    spans = st.tuples(positions, positions).map(sorted)
    return st.lists(
        st.builds(
            lambda annotator, span, allowed: mark(annotator, *span, allowed),
            st.sampled_from(["ann", "bob", "cat"]),
            spans.filter(lambda span: span[0] < span[1]),
            budget,
        ),
        min_size=1,
        max_size=6,
    ).map(tuple)


@st.composite
def items(draw: st.DrawFn) -> Item:
    document = draw(DOCUMENTS)
    budget = draw(st.one_of(st.none(), st.integers(1, 20)))
    marks = draw(highlights_on(document, budget=st.just(budget)))
    return Item(draw(TEXTS), document=document, highlights=marks)


def naive(item: Item, n: int) -> list[float] | None:
    """The paper's formulas with Counters, for tokens that stand between spaces."""
    assert item.document is not None
    tokens = item.document.split()
    starts = []
    at = 0
    for token in tokens:
        at = item.document.index(token, at)
        starts.append(at)
        at += len(token)
    people = sorted({highlight.annotator for highlight in item.highlights})
    num_h = [0.0] * len(tokens)
    for person in people:
        own = [highlight for highlight in item.highlights if highlight.annotator == person]
        touched = [
            any(h.start < start + len(token) and h.end > start for h in own)
            for token, start in zip(tokens, starts, strict=True)
        ]
        for position, hit in enumerate(touched):
            num_h[position] += hit * sum(touched) / (own[0].budget or 30)
    occurrences: dict[tuple[str, ...], list[float]] = {}
    for position, gram in enumerate(ngrams(tokens, n)):
        weight = sum(num_h[position : position + n]) / len(people) / n
        occurrences.setdefault(gram, []).append(weight)
    beta = {gram: sum(weights) / len(weights) for gram, weights in occurrences.items()}
    in_document = Counter(ngrams(tokens, n))
    in_summary = Counter(ngrams(item.summary.split(), n))
    shared = sum(beta[gram] * count for gram, count in (in_document & in_summary).items())
    total = sum(beta[gram] * count for gram, count in in_document.items())
    if total == 0:
        return None
    precision = shared / in_summary.total() if in_summary else 0.0
    recall = shared / total
    both = precision + recall
    return [precision, recall, 2 * precision * recall / both if both else 0.0]


@given(batch=st.lists(items(), min_size=1, max_size=3), n=st.integers(1, 4))
def test_any_document_scores_as_the_formulas_say(batch: list[Item], n: int) -> None:
    result = metric_from(f"hrouge{n}").score(Batch.of(batch))
    for index, item in enumerate(batch):
        expected = naive(item, n)
        if expected is None:
            assert index in result.reasons
            assert np.isnan(result.values[index]).all()
        else:
            assert result.values[index].tolist() == pytest.approx(expected, abs=1e-12)


@given(document=DOCUMENTS, summary=TEXTS, people=st.integers(1, 4), n=st.integers(1, 4))
def test_when_everyone_highlights_everything_it_is_rouge_against_the_document(
    document: str, summary: str, people: int, n: int
) -> None:
    words = len(document.split())
    marks = tuple(mark(f"a{k}", 0, len(document), words) for k in range(people))
    item = Item(summary, document=document, highlights=marks)
    highlighted = rows(f"hrouge{n}", item)
    np.testing.assert_array_equal(highlighted, rows(f"hrouge{n}:beta=one", item))
    np.testing.assert_array_equal(highlighted, rows(f"rouge{n}:against=document,tok=space", item))
    np.testing.assert_array_equal(highlighted, rows(f"hrouge{n}:budget={words}", item))


@given(item=items(), n=st.integers(1, 3), order=st.randoms(use_true_random=False))
def test_the_order_and_the_names_of_annotators_do_not_matter(
    item: Item, n: int, order: random.Random
) -> None:
    names = {"ann": "zed", "bob": "ann", "cat": "m"}
    marks = [
        replace(highlight, annotator=names[highlight.annotator]) for highlight in item.highlights
    ]
    order.shuffle(marks)
    shuffled = rows(f"hrouge{n}", replace(item, highlights=tuple(marks)))
    assert shuffled == pytest.approx(rows(f"hrouge{n}", item), abs=1e-12, nan_ok=True)


class TestMoreHighlights:
    """More highlights never lower precision while N and K stay as they are.

    If an annotator who has highlights extends them, his len(H_k)/K grows and so does the set of
    his words: no NumH falls, so no beta falls, and precision, whose denominator counts words
    only, cannot fall, for any summary. Recall can, because its denominator grows with beta; and
    a new annotator raises N, which may lower everything.
    """

    @given(data=st.data(), n=st.integers(1, 3))
    def test_precision_does_not_fall_when_an_annotator_extends_his_highlights(
        self, data: st.DataObject, n: int
    ) -> None:
        item = data.draw(items())
        assert item.document is not None
        known = [highlight.annotator for highlight in item.highlights]
        more = data.draw(highlights_on(item.document, budget=st.just(item.highlights[0].budget)))
        more = tuple(highlight for highlight in more if highlight.annotator in known)
        assume(more)
        before = rows(f"hrouge{n}", item)[0]
        after = rows(f"hrouge{n}", replace(item, highlights=item.highlights + more))[0]
        assume(not np.isnan(before))
        assert after >= before - 1e-12

    @given(data=st.data(), n=st.integers(1, 2))
    def test_precision_does_not_fall_with_a_new_annotator_where_the_number_is_given(
        self, data: st.DataObject, n: int
    ) -> None:
        item = data.draw(items())
        assert item.document is not None
        more = data.draw(highlights_on(item.document, budget=st.just(item.highlights[0].budget)))
        spec = f"hrouge{n}:annotators=3"
        before = rows(spec, item)[0]
        after = rows(spec, replace(item, highlights=item.highlights + more))[0]
        assume(not np.isnan(before))
        assert after >= before - 1e-12

    def test_highlighting_the_phrase_of_a_summary_raises_its_precision(self) -> None:
        few = Item("b c", document="a b c d", highlights=(mark("ann", 2, 3, 4),))
        more = replace(few, highlights=(*few.highlights, mark("ann", 4, 5, 4)))
        # beta b 1/4, c 0: 1/8. Then b and c 2/4 each: 1/2.
        assert rows("hrouge1", few)[0] == pytest.approx(1 / 8)
        assert rows("hrouge1", more)[0] == pytest.approx(1 / 2)

    def test_recall_falls_when_something_else_is_highlighted(self) -> None:
        few = Item("a", document="a b", highlights=(mark("ann", 0, 1, 2),))
        more = replace(few, highlights=(*few.highlights, mark("ann", 2, 3, 2)))
        # a is all that is highlighted, then half of it.
        assert rows("hrouge1", few)[1] == pytest.approx(1)
        assert rows("hrouge1", more)[1] == pytest.approx(1 / 2)

    def test_precision_falls_when_a_new_annotator_sees_something_else(self) -> None:
        one = Item("a", document="a b", highlights=(mark("ann", 0, 1, 1),))
        two = replace(one, highlights=(*one.highlights, mark("bob", 2, 3, 1)))
        # NumH(a) stays 1, N becomes 2.
        assert rows("hrouge1", one)[0] == pytest.approx(1)
        assert rows("hrouge1", two)[0] == pytest.approx(1 / 2)


@given(item=items(), n=st.integers(1, 3))
@example(
    item=Item("a a b a", document="a a b a", highlights=(mark("x", 0, 1), mark("y", 2, 6))), n=1
)
def test_recall_is_never_above_one(item: Item, n: int) -> None:
    whole = replace(item, summary=item.document or "")
    for tried in (item, whole):
        recall = rows(f"hrouge{n}", tried)[1]
        assert np.isnan(recall) or 0 <= recall <= 1
    if not np.isnan(recall):
        assert recall == pytest.approx(1)
