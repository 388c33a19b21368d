"""Plain facts about summaries: by hand, and fragments against the published pseudo-code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.text import ngrams

Row = Callable[..., list[float]]
Reason = Callable[..., str | None]


@pytest.mark.parametrize(
    ("spec", "summary", "expected"),
    [
        ("chars", "Zoë 😀\n", 6),
        ("chars", "", 0),
        ("words", "The U.S. won; don't ask!", 6),  # the, u, s, won, don't, ask
        ("words:tok=space", "The U.S. won; don't ask!", 5),
        ("words:stop=yes", "The cat and the dog", 2),
        ("words", "東京タワー", 5),
        ("words", "👍 ❤\ufe0f", 0),
        ("words", "", 0),
        ("sentences", "Mr. Fox ran. He sat!", 2),
        ("sentences", "", 0),
        ("repeated1", "a b a a", 1 - 2 / 4),  # 2 different of 4
        ("repeated2", "a b a b a", 1 - 2 / 4),  # a b, b a of 4
        ("repeated3", "a b c", 0),
        ("repeated4", "a b c d a b c d", 1 - 4 / 5),
    ],
)
def test_facts_of_a_summary_alone(row: Row, spec: str, summary: str, expected: float) -> None:
    assert row(spec, summary) == pytest.approx([expected])


@pytest.mark.parametrize(
    ("spec", "summary", "document", "expected"),
    [
        ("compression", "abc", "abcdefghij", 3 / 10),
        ("compression", "", "abc", 0),
        ("compression", "abcd", "ab", 2),
        # b c is copied as one fragment, x is new, a is copied: lengths 2 + 1 of 4 words.
        ("coverage", "b c x a", "a b c d", 3 / 4),
        # The squares of 2 and 1 over 4 words.
        ("density", "b c x a", "a b c d", 5 / 4),
        # a b c is longer than the a b that comes first.
        ("density", "a b c", "a b x a b c", 9 / 3),
        ("coverage", "x y", "a b", 0),
        ("density", "a b c d", "a b c d", 4),
        # x of 4 words; c x and x a of 3 pairs; all triples.
        ("novel1", "b c x a", "a b c d", 1 / 4),
        ("novel2", "b c x a", "a b c d", 2 / 3),
        ("novel3", "b c x a", "a b c d", 1),
        ("novel4", "a b c d e", "a b c d", 1 / 2),
        # Not clipped: a stands in the document, however often.
        ("novel1", "a a a x", "a", 1 / 4),
    ],
)
def test_facts_of_a_summary_and_its_document(
    row: Row, spec: str, summary: str, document: str, expected: float
) -> None:
    assert row(spec, summary, document=document) == pytest.approx([expected])


AGAINST = ["compression", "coverage", "density", "novel1", "novel2"]


class TestWhatCannotBeScored:
    """Missing values and their reasons."""

    @pytest.mark.parametrize("spec", AGAINST)
    def test_without_a_document_there_is_no_value(self, reason: Reason, spec: str) -> None:
        assert reason(spec, "a b", "a b") == "the document has no text"

    @pytest.mark.parametrize("spec", ["coverage", "density", "novel1", "novel2"])
    def test_a_document_without_words_gives_no_value(
        self, row: Row, reason: Reason, spec: str
    ) -> None:
        for document in ("", "…"):
            assert np.isnan(row(spec, "a b", document=document)).all()
            assert reason(spec, "a b", document=document) == "the document has no words"

    def test_an_empty_document_cannot_be_compressed(self, reason: Reason) -> None:
        assert reason("compression", "a b", document="") == "the document is empty"

    @pytest.mark.parametrize("spec", ["coverage", "density"])
    def test_a_summary_without_words_gives_no_value(self, reason: Reason, spec: str) -> None:
        assert reason(spec, "…", document="a b") == "the summary has no words"

    @pytest.mark.parametrize("n", [1, 2, 3, 4])
    @pytest.mark.parametrize("name", ["novel", "repeated"])
    def test_a_summary_shorter_than_the_ngram_gives_no_value(
        self, row: Row, reason: Reason, name: str, n: int
    ) -> None:
        short, enough = " ".join("a" * (n - 1)), " ".join("a" * n)
        expected = f"the summary has fewer than {n} words"
        assert np.isnan(row(f"{name}{n}", short, document="a b")).all()
        assert reason(f"{name}{n}", short, document="a b") == expected
        assert reason(f"{name}{n}", enough, document="a b") is None

    def test_a_short_document_has_none_of_the_summarys_ngrams(self, row: Row) -> None:
        assert row("novel3", "a b c", document="a b") == [1.0]


def fragments(article: list[str], summary: list[str]) -> list[list[str]]:
    """F(A, S) of the Newsroom paper, figure 3, line by line."""
    result: list[list[str]] = []
    i = j = 0
    while i < len(summary):
        f: list[str] = []
        while j < len(article):
            if summary[i] == article[j]:
                i2, j2 = i, j
                while i2 < len(summary) and j2 < len(article) and summary[i2] == article[j2]:
                    i2, j2 = i2 + 1, j2 + 1
                if len(f) < i2 - i:
                    f = summary[i:i2]
                j = j2
            else:
                j += 1
        i, j = i + max(len(f), 1), 0
        if f:
            result.append(f)
    return result


TEXTS = st.lists(st.sampled_from("abc"), min_size=1, max_size=14)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
@example([(list("abac"), list("abababac"))])
def test_fragments_are_those_of_the_pseudo_code(pairs: list[tuple[list[str], list[str]]]) -> None:
    batch = Batch.of([Item(" ".join(s), document=" ".join(d)) for s, d in pairs])
    coverage = metric_from("coverage").score(batch).values[:, 0]
    density = metric_from("density").score(batch).values[:, 0]
    for index, (summary, document) in enumerate(pairs):
        lengths = [len(f) for f in fragments(document, summary)]
        assert coverage[index] == pytest.approx(sum(lengths) / len(summary))
        assert density[index] == pytest.approx(sum(k * k for k in lengths) / len(summary))


def test_the_search_goes_on_behind_a_match_as_published(row: Row) -> None:
    # For the summary a b at the document a a b: the match of the first a ends before the second
    # a, where a b is found. In "a a a b" for the summary a a b, the match a a swallows the place
    # where a a b starts, so the fragments are a a and b: squares 4 + 1 of 3 words.
    assert row("density", "a b", document="a a b") == [2.0]
    assert row("density", "a a b", document="a a a b") == pytest.approx([5 / 3])


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4), st.integers(1, 4))
def test_novel_and_repeated_ngrams_are_counted(
    pairs: list[tuple[list[str], list[str]]], n: int
) -> None:
    batch = Batch.of([Item(" ".join(s), document=" ".join(d)) for s, d in pairs])
    novel = metric_from(f"novel{n}").score(batch).values[:, 0]
    repeated = metric_from(f"repeated{n}").score(batch).values[:, 0]
    for index, (summary, document) in enumerate(pairs):
        grams = Counter(ngrams(summary, n))
        if not grams:
            assert np.isnan([novel[index], repeated[index]]).all()
            continue
        known = set(ngrams(document, n))
        new = sum(count for gram, count in grams.items() if gram not in known)
        assert novel[index] == pytest.approx(new / grams.total())
        assert repeated[index] == pytest.approx(1 - len(grams) / grams.total())


def test_a_summary_of_the_document_itself_is_wholly_copied(row: Row) -> None:
    text = "The cat sat on the mat. It ran."
    assert row("coverage", text, document=text) == [1.0]
    assert row("density", text, document=text) == [8.0]
    assert row("novel2", text, document=text) == [0.0]
    assert row("compression", text, document=text) == [1.0]
