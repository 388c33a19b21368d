"""Machines beside people, and the alternative annotator test."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis import StudyOptions, study
from gistmark.analysis.agreement.machines import compared, judge_tests, machine_agreement
from gistmark.corpus import Corpus, load, sample_folder, save
from gistmark.errors import GistmarkError, UsageError
from gistmark.records import Comparison, Document, Machine, Rating, Response, Summary

SYSTEMS = ("a", "b", "c")
PEOPLE = {"ann": (1, 2, 3), "bob": (1, 3, 2), "cy": (2, 1, 3)}


def rated(annotator: str, values: tuple[float, ...], document: str = "d") -> list[Rating]:
    pairs = zip(SYSTEMS, values, strict=True)
    return [Rating(document, system, annotator, "overall", value) for system, value in pairs]


def make_corpus(*judgements: Rating, **more: tuple[object, ...]) -> Corpus:
    return Corpus(
        documents=(Document("d", ("A text.",)), Document("e", ("Another text.",))),
        summaries=tuple(Summary(d, s, f"{d} by {s}.") for d in "de" for s in SYSTEMS),
        ratings=tuple(each for name in PEOPLE for each in rated(name, PEOPLE[name])) + judgements,
        machines=(Machine("model", "tiny-judge", "judge|model:tiny-judge"),),
        **more,  # type: ignore[arg-type]
    )


def test_ratings_of_a_machine_are_correlated_with_the_mean_of_people():
    # In the place of ann, the machine's 1, 2, 5 is held against the means of bob and cy, (1.5, 2,
    # 2.5): Spearman is 1. In that of bob against (1.5, 1.5, 3), ranks 1.5, 1.5, 3, in that of cy
    # against (1, 2.5, 2.5), ranks 1, 2.5, 2.5: sqrt(3) / 2 each.
    # ann (1, 2, 3) has 1 there. bob (1, 3, 2): ranks 1, 3, 2 and 1.5, 1.5, 3: 0. cy (2, 1, 3): 2,
    # 1, 3 and 1, 2.5, 2.5: 0. The mean is 1/3.
    (record,) = study(make_corpus(*rated("model", (1, 2, 5)))).machines
    assert (record.machine, record.model, record.dimension) == ("model", "tiny-judge", "overall")
    assert record.n == 3
    assert record.agreement == pytest.approx((1 + 3**0.5) / 3)
    assert record.people == pytest.approx(1 / 3)


def test_only_items_that_people_judged_count():
    corpus = make_corpus(*rated("model", (1, 2, 5)), *rated("model", (5, 1, 1), "e"))
    (record,) = study(corpus).machines
    assert (record.n, record.agreement) == (3, pytest.approx((1 + 3**0.5) / 3))


def test_a_machine_that_judged_other_items_has_a_reason():
    (record,) = study(make_corpus(*rated("model", (5, 1, 1), "e"))).machines
    assert (record.agreement, record.reason) == (None, "people judged none of its items")


def test_comparisons_and_answers_of_a_machine_are_held_against_the_majority():
    def chosen(name: str, left: str, right: str, choice: str) -> Comparison:
        return Comparison("d", left, right, name, "overall", choice)  # type: ignore[arg-type]

    def said(name: str, value: str, system: str) -> Response:
        return Response("d", system, system, name, "faithful", "yes-no", value)

    people = ("ann", "bob", "cy")
    comparisons = [chosen(name, "a", "b", "left") for name in people]
    comparisons += [chosen(name, "a", "c", "left") for name in people]
    # The machine sees the first pair the other way round and agrees; on the second it does not.
    comparisons += [chosen("model", "b", "a", "right"), chosen("model", "a", "c", "right")]
    responses = [said(name, "yes", system) for name in people for system in "ab"]
    responses += [said("model", "yes", "a"), said("model", "no", "b")]
    corpus = make_corpus(comparisons=tuple(comparisons), responses=tuple(responses))
    records = {each.subject: each for each in study(corpus).machines}
    assert {name: each.agreement for name, each in records.items()} == {
        "comparisons": pytest.approx(0.5),
        "answers": pytest.approx(0.5),
    }
    assert all(each.people == pytest.approx(1) for each in records.values())


def test_machines_are_in_no_number_about_people_unless_that_is_asked():
    corpus = make_corpus(*rated("model", (5, 5, 1)))
    apart, alone = study(corpus), study(make_corpus())
    assert apart.human_scores == alone.human_scores
    assert apart.agreement == alone.agreement
    assert apart.annotators == alone.annotators
    assert apart.variance == alone.variance
    together = study(corpus, None, StudyOptions(with_machines=True))
    assert together.human_scores != alone.human_scores
    assert (together.machines, together.judges) == ((), ())
    told = [each.text for each in together.notes if each.about == "machines"]
    assert told == ["model is a machine that counts like people, as requested."]


def test_a_corpus_that_only_machines_judged_has_nothing_to_study():
    corpus = replace(make_corpus(), ratings=tuple(rated("model", (1, 2, 3))))
    with pytest.raises(GistmarkError, match="model is a machine and left out of all numbers"):
        study(corpus)


def test_who_is_a_machine_is_kept_in_the_folder(tmp_path):
    corpus = make_corpus(*rated("model", (1, 2, 5)))
    save(corpus, tmp_path / "corpus")
    read = load(tmp_path / "corpus")
    assert read.machines == corpus.machines
    assert read.machine_names == {"model"}
    assert {each.annotator for each in read.by_people().ratings} == set(PEOPLE)
    people, machines = read.split({"model"})
    assert machines.ratings == tuple(rated("model", (1, 2, 5)))
    assert not people.machines


def test_no_machine_gives_no_record():
    corpus = make_corpus()
    assert machine_agreement(*corpus.split({"model"})) == ()


def test_who_is_closer_to_the_others_wins_and_both_win_a_draw():
    # Against the others' values (3, 5), (4, none) and (2, 2): the judge is off by the root of
    # mean squares (1, 1), (1) and (0, 0), the annotator by (4, 0) -> 2, (1) and (1, 1).
    table = np.array([[5.0, 3.0, 5.0], [3.0, 4.0, np.nan], [3.0, 2.0, 2.0], [1.0, np.nan, np.nan]])
    own, theirs = compared(np.array([4.0, 5.0, 2.0, 9.0]), table, 0)
    assert own.tolist() == [1.0, 1.0, 1.0]
    assert theirs.tolist() == [0.0, 1.0, 0.0]


def test_beside_one_person_a_machine_agrees_with_that_person():
    corpus = make_corpus(*rated("model", (1, 2, 5)))
    corpus = replace(corpus, ratings=tuple(r for r in corpus.ratings if r.annotator != "bob"))
    corpus = replace(corpus, ratings=tuple(r for r in corpus.ratings if r.annotator != "cy"))
    (record,) = study(corpus).machines
    assert (record.agreement, record.people) == (pytest.approx(1), None)


def rated_by(name: str, values: np.ndarray, dimension: str = "overall") -> list[Rating]:
    return [Rating(f"d{k}", "s", name, dimension, float(value)) for k, value in enumerate(values)]


def test_a_judge_like_the_others_passes_and_a_random_one_does_not():
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 6, 200)
    people = [
        rating for name in "abc" for rating in rated_by(name, truth + rng.integers(-1, 2, 200))
    ]
    good, bad = judge_tests(
        people, [*rated_by("good", truth), *rated_by("bad", rng.permutation(truth))]
    )
    assert (good.winning_rate, good.passed, good.annotators, good.n) == (1.0, True, 3, 200)
    assert (bad.winning_rate, bad.passed) == (0.0, False)
    assert good.advantage > 0.6 > bad.advantage  # type: ignore[operator]


def test_one_value_for_everything_has_no_verdict():
    """Two people who hardly agree: always 3 is as close to either as the other one is."""
    rng = np.random.default_rng(5)
    people = [rating for name in "ab" for rating in rated_by(name, rng.integers(1, 6, 100))]
    (record,) = judge_tests(people, rated_by("judge", np.full(100, 3)))
    assert (record.winning_rate, record.passed, record.correlation) == (1.0, None, None)
    assert (record.constant, record.shuffled) == pytest.approx((record.advantage,) * 2)
    assert record.reason is not None
    assert "cannot be shown to be closer to people than one value for everything" in record.reason
    assert "one of the two gave the same value throughout" in record.reason


def test_baselines_by_hand():
    """Three kinds of items, ten times each: people (1, 2), (1, 3), (3, 2), the judge 1, 3, 2.

    Against either annotator a value v wins where it is at least as close to the other one:
    items (1, 2): within 1 of 2, within 1 of 1; (1, 3): within 2 of 3, within 2 of 1; (3, 2): within
    1 of 2, within 1 of 3. So 1 wins in 2, 2, 1 of the 2 comparisons, 2 in 2, 2, 2, 3 in 1, 2, 2:
    the best constant is 2, with 1. The judge has 1: 2, 3: 2, 2: 2, so its advantage is 1, too. Each
    value is a third of its own, shuffled that is (5 + 6 + 5) / 18.
    """
    table = np.tile([[1, 2], [1, 3], [3, 2]], (10, 1))
    judge = rated_by("judge", np.tile([1, 3, 2], 10))
    people = [rating for k, name in enumerate("ab") for rating in rated_by(name, table[:, k])]
    (record,) = judge_tests(people, judge)
    assert (record.advantage, record.constant) == (1.0, 1.0)
    assert record.shuffled == pytest.approx(16 / 18)
    assert (record.n, record.documents) == (30, 30)


def test_one_document_gives_no_verdict():
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 6, 40)
    ratings = [
        Rating("d", f"s{k}", name, "overall", float(value))
        for name in ("a", "b", "judge")
        for k, value in enumerate(truth + rng.integers(0, 2, 40))
    ]
    people = [rating for rating in ratings if rating.annotator != "judge"]
    (record,) = judge_tests(people, [rating for rating in ratings if rating not in people])
    assert record.winning_rate == 1.0
    assert record.passed is None
    assert record.reason == "one document cannot tell it from a judge that knows nothing"


def test_too_few_items_have_a_reason():
    [record] = judge_tests(
        rated_by("a", np.ones(29)) + rated_by("b", np.ones(29)), rated_by("j", np.ones(29))
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
    told = "model is a machine and left out of all numbers about people."
    assert [each.text for each in result.notes if each.about == "machines"] == [told]
    assert result.methods == f"{alone.methods} {told}"
    kept = {"judges": (), "machines": (), "notes": alone.notes, "methods": alone.methods}
    assert replace(result, **kept) == alone
    assert {(each.judge, each.dimension) for each in result.judges} >= {("model", "")}
    with pytest.raises(UsageError, match="There is no judge among the annotators of ratings 'gpt'"):
        study(mixed, None, StudyOptions(judges=("gpt",)))
