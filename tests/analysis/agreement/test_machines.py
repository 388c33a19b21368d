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
    # Means of people are 4/3, 2, 8/3: in the order of the machine's 1, 2, 5, so Spearman is 1.
    # ann (1, 2, 3) against the others' means (1.5, 2, 2.5): 1. bob (1, 3, 2) against (1.5, 1.5, 3):
    # ranks 1, 3, 2 and 1.5, 1.5, 3: 0. cy (2, 1, 3) against (1, 2.5, 2.5): ranks 2, 1, 3 and 1,
    # 2.5, 2.5: 0. The mean is 1/3.
    (record,) = study(make_corpus(*rated("model", (1, 2, 5)))).machines
    assert (record.machine, record.model, record.dimension) == ("model", "tiny-judge", "overall")
    assert record.n == 3
    assert record.agreement == pytest.approx(1)
    assert record.people == pytest.approx(1 / 3)


def test_only_items_that_people_judged_count():
    corpus = make_corpus(*rated("model", (1, 2, 5)), *rated("model", (5, 1, 1), "e"))
    (record,) = study(corpus).machines
    assert (record.n, record.agreement) == (3, pytest.approx(1))


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
