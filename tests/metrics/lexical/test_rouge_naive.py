"""ROUGE against plain Python that follows the definitions word by word."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.lexical.rouge import (
    RougeL,
    RougeLsum,
    RougeN,
    RougeNOptions,
    RougeS,
    RougeSOptions,
    RougeW,
    RougeWOptions,
)
from gistmark.metrics.metric import Values

Words = list[str]
TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=9), max_size=4).map(
    lambda lines: "\n".join(map(" ".join, lines))
)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5)


def batch_of(pairs: list[tuple[str, str]]) -> Batch:
    return Batch.of([Item(summary, (reference,)) for summary, reference in pairs])


def ratios(hits: float, in_summary: float, in_reference: float) -> list[float]:
    precision = hits / in_summary if in_summary else 0.0
    recall = hits / in_reference if in_reference else 0.0
    total = precision + recall
    return [precision, recall, 2 * precision * recall / total if total else 0.0]


def check(actual: Values, expected: list[list[float] | None]) -> None:
    """Every row equals; None stands for a row that is missing."""
    for index, (values, wanted) in enumerate(zip(actual.values, expected, strict=True)):
        if wanted is None:
            assert np.isnan(values).all()
            assert index in actual.reasons
        else:
            assert values.tolist() == pytest.approx(wanted, abs=1e-12)
            assert index not in actual.reasons


def overlap(summary: Counter[object], reference: Counter[object]) -> list[float] | None:
    if not reference:
        return None
    shared = (summary & reference).total()
    return ratios(shared, summary.total(), reference.total())


@given(pairs=PAIRS, n=st.integers(1, 6))
def test_ngrams_are_counted_and_clipped(pairs: list[tuple[str, str]], n: int) -> None:
    def grams(text: str) -> Counter[object]:
        result = text.split()
        return Counter(tuple(result[i : i + n]) for i in range(len(result) - n + 1))

    check(
        RougeN(RougeNOptions(n=n)).score(batch_of(pairs)),
        [overlap(grams(summary), grams(reference)) for summary, reference in pairs],
    )


@given(pairs=PAIRS, gap=st.integers(0, 12), unigrams=st.booleans())
def test_skip_bigrams_are_counted_and_clipped(
    pairs: list[tuple[str, str]], gap: int, unigrams: bool
) -> None:
    def grams(text: str) -> Counter[object]:
        result = text.split()
        counted: Counter[object] = Counter(
            (result[i], result[j])
            for i, j in combinations(range(len(result)), 2)
            if j - i - 1 <= gap
        )
        if unigrams:
            counted.update(result[:-1])
        return counted

    check(
        RougeS(RougeSOptions(gap=gap, unigrams=unigrams)).score(batch_of(pairs)),
        [overlap(grams(summary), grams(reference)) for summary, reference in pairs],
    )


def lcs_table(a: Words, b: Words) -> list[list[int]]:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, word in enumerate(a):
        for j, other in enumerate(b):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if word == other else max(table[i][j + 1], table[i + 1][j])
            )
    return table


def lcs_row(summary: str, reference: str) -> list[float] | None:
    a, b = summary.split(), reference.split()
    return ratios(lcs_table(a, b)[-1][-1], len(a), len(b)) if b else None


@given(pairs=PAIRS)
def test_the_longest_common_subsequence(pairs: list[tuple[str, str]]) -> None:
    check(RougeL().score(batch_of(pairs)), [lcs_row(*pair) for pair in pairs])


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 40))
def test_the_longest_common_subsequence_of_long_texts(seed: int, size: int) -> None:
    """64 words of the target are handled at a time: lengths around 64, 128, 192 and above 200."""
    rng = np.random.default_rng(seed)
    lengths = rng.choice([1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 230, 260], size=(3, 2))
    pairs = [
        (" ".join(f"w{k}" for k in rng.integers(size, size=a)),
         " ".join(f"w{k}" for k in rng.integers(size, size=b)))
        for a, b in lengths.tolist()
    ]  # fmt: skip
    check(RougeL().score(batch_of(pairs)), [lcs_row(*pair) for pair in pairs])


@pytest.mark.parametrize("length", [64, 65, 128, 129, 200, 1_000])
def test_a_long_text_is_wholly_in_itself(length: int) -> None:
    text = " ".join(f"w{k}" for k in range(length))
    backwards = " ".join(f"w{k}" for k in range(length)[::-1])
    result = RougeL().score(batch_of([(text, text), (backwards, text)]))
    assert result.values[0].tolist() == [1, 1, 1]
    assert result.values[1].tolist() == pytest.approx([1 / length] * 3)


def marked(line: Words, other: Words, power: float) -> set[int]:
    """The places of `line` in its weighted LCS with `other`; on a tie the last word of it goes."""
    best = [[0.0] * (len(other) + 1) for _ in range(len(line) + 1)]
    run = [[0] * (len(other) + 1) for _ in range(len(line) + 1)]
    for i, word in enumerate(line, 1):
        for j, there in enumerate(other, 1):
            if word == there:
                k = run[i - 1][j - 1]
                best[i][j] = best[i - 1][j - 1] + (k + 1) ** power - k**power
                run[i][j] = k + 1
            else:
                best[i][j] = max(best[i - 1][j], best[i][j - 1])
    positions = set()
    i, j = len(line), len(other)
    while i and j:
        if line[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            positions.add(i)
        elif best[i - 1][j] >= best[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return positions


def union_row(
    summary: str, reference: str, power: float = 1.0, *, twice: bool = False
) -> list[float] | None:
    """ROUGE-Lsum (power 1) and ROUGE-W as the script computes them, line by line."""
    lines = [line.split() for line in reference.split("\n")]
    others = [line.split() for line in summary.split("\n")]
    left_there = Counter(summary.split())
    left_here = Counter(reference.split())
    in_summary, in_reference = left_there.total(), left_here.total()
    if not in_reference:
        return None
    hits = 0.0
    for line in lines:
        union = set().union(*(marked(line, other, power) for other in others))
        run = 0
        for position, word in enumerate(line):
            if position in union and left_here[word] > 0 and left_there[word] > 0:
                left_here[word] -= 1
                left_there[word] -= 1
                if power == 1:
                    hits += 1
                    continue
                run += 1
                if position + 1 == len(line) or position + 1 not in union:
                    hits += run**power
                    run = 0
    base = sum(len(line) ** power for line in lines)
    base = base**power if twice else base
    above = in_summary**power
    precision = (hits / above) ** (1 / power) if above else 0.0
    recall = (hits / base) ** (1 / power)
    return ratios_of(precision, recall)


def ratios_of(precision: float, recall: float) -> list[float]:
    total = precision + recall
    return [precision, recall, 2 * precision * recall / total if total else 0.0]


@given(pairs=PAIRS)
def test_the_union_of_subsequences_line_by_line(pairs: list[tuple[str, str]]) -> None:
    check(RougeLsum().score(batch_of(pairs)), [union_row(*pair) for pair in pairs])


@given(pairs=PAIRS, weight=st.sampled_from([1.0, 1.2, 1.5, 2.0]))
@example(pairs=[("a b a b a a", "a a b b a")], weight=1.5)  # a tie but for rounding
def test_the_weighted_union_line_by_line(pairs: list[tuple[str, str]], weight: float) -> None:
    batch = batch_of(pairs)
    paper = RougeW(RougeWOptions(weight=weight, base="paper")).score(batch)
    check(paper, [union_row(*pair, weight) for pair in pairs])
    script = RougeW(RougeWOptions(weight=weight)).score(batch)
    check(script, [union_row(*pair, weight, twice=True) for pair in pairs])


@given(pairs=PAIRS)
def test_subsequences_never_score_above_unigrams(pairs: list[tuple[str, str]]) -> None:
    batch = batch_of(pairs)
    unigrams = RougeN(RougeNOptions(n=1)).score(batch).values
    whole = RougeL().score(batch).values
    lines = RougeLsum().score(batch).values
    assert not (whole > unigrams).any()
    assert not (lines > unigrams).any()


@given(pairs=PAIRS, n=st.integers(1, 4))
def test_precision_and_recall_change_places_with_the_texts(
    pairs: list[tuple[str, str]], n: int
) -> None:
    metric = RougeN(RougeNOptions(n=n))
    there = metric.score(batch_of(pairs)).values
    back = metric.score(batch_of([(reference, summary) for summary, reference in pairs])).values
    both = ~np.isnan(there[:, 0]) & ~np.isnan(back[:, 0])
    np.testing.assert_allclose(there[both][:, [1, 0, 2]], back[both], rtol=0, atol=1e-15)
