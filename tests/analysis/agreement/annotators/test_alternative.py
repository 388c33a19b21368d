"""The alternative annotator test, by hand and through a study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis import StudyOptions, study
from gistmark.analysis.agreement.annotators.alternative import compared, judge_tests
from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import UsageError
from gistmark.records import Rating


def test_who_is_closer_to_the_others_wins_and_both_win_a_draw():
    # Against the others' values (3, 5), (4, none) and (2, 2): the judge is off by the root of
    # mean squares (1, 1), (1) and (0, 0), the annotator by (4, 0) -> 2, (1) and (1, 1).
    table = np.array([[5.0, 3.0, 5.0], [3.0, 4.0, np.nan], [3.0, 2.0, 2.0], [1.0, np.nan, np.nan]])
    own, theirs = compared(np.array([4.0, 5.0, 2.0, 9.0]), table, 0)
    assert own.tolist() == [1.0, 1.0, 1.0]
    assert theirs.tolist() == [0.0, 1.0, 0.0]


def rated(name: str, values: np.ndarray, dimension: str = "overall") -> list[Rating]:
    return [Rating(f"d{k}", "s", name, dimension, float(value)) for k, value in enumerate(values)]


def test_a_judge_like_the_others_passes_and_a_random_one_does_not():
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 6, 200)
    people = [rating for name in "abc" for rating in rated(name, truth + rng.integers(-1, 2, 200))]
    good, bad = judge_tests(people, [*rated("good", truth), *rated("bad", rng.permutation(truth))])
    assert (good.winning_rate, good.passed, good.annotators, good.n) == (1.0, True, 3, 200)
    assert (bad.winning_rate, bad.passed) == (0.0, False)
    assert good.advantage > 0.6 > bad.advantage  # type: ignore[operator]


def test_too_few_items_have_a_reason():
    [record] = judge_tests(
        rated("a", np.ones(29)) + rated("b", np.ones(29)), rated("j", np.ones(29))
    )
    reason = "no annotator has 30 items that the judge and another person judged too"
    assert (record.passed, record.reason) == (None, reason)


@pytest.fixture(scope="module")
def sample() -> Corpus:
    return load(sample_folder())


def test_a_judge_counts_nowhere_else(sample: Corpus):
    people = sorted({rating.annotator for rating in sample.ratings})
    machine = tuple(
        replace(r, annotator="model") for r in sample.ratings if r.annotator == people[0]
    )
    mixed = replace(sample, ratings=(*sample.ratings, *machine), comparisons=())
    options = StudyOptions(resamples=20, judges=("model",))
    result = study(mixed, None, options)
    alone = study(replace(sample, comparisons=()), None, StudyOptions(resamples=20))
    told = "model is a machine, and in none of the numbers about people."
    assert [each.text for each in result.notes if each.about == "machines"] == [told]
    assert result.methods == f"{alone.methods} {told}"
    kept = {"judges": (), "machines": (), "notes": alone.notes, "methods": alone.methods}
    assert replace(result, **kept) == alone
    assert {(each.judge, each.dimension) for each in result.judges} >= {("model", "")}
    with pytest.raises(UsageError, match="There is no judge among the annotators of ratings 'gpt'"):
        study(mixed, None, StudyOptions(judges=("gpt",)))
