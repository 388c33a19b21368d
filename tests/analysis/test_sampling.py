"""Which documents are judged, with which probabilities, and what a study makes of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis import StudyOptions, people_study, study
from gistmark.analysis.data.weights import (
    not_at_random,
    sampling_methods,
    sampling_notes,
    weights_of,
)
from gistmark.analysis.sampling import (
    Request,
    consistency,
    inclusion_probabilities,
    metric_variance,
    sample,
    sampled_corpus,
    systematic,
)
from gistmark.corpus import Corpus, load, sample_folder, save
from gistmark.errors import CorpusError, UsageError
from gistmark.records import Comparison, Document, Rating, Sampled, Summary, Turn
from gistmark.scoring import score


@pytest.fixture(scope="module")
def corpus():
    return load(sample_folder())


@pytest.fixture(scope="module")
def scores(corpus):
    return score(corpus, metrics=["rouge1"])


def rated(values, sampling=()):
    """Documents d0, d1, ... with the ratings of system a and 0 for system b."""
    names = [f"d{number}" for number in range(len(values))]
    ratings = [
        Rating(name, system, "ann", "overall", value if system == "a" else 0.0)
        for name, value in zip(names, values, strict=True)
        for system in "ab"
    ]
    return Corpus(
        documents=tuple(Document(name, ("text",)) for name in names),
        summaries=tuple(Summary(name, system, system) for name in names for system in "ab"),
        ratings=tuple(ratings),
        sampling=tuple(sampling),
    )


def test_probabilities_sum_to_the_size_and_have_a_floor():
    found = inclusion_probabilities(np.array([10.0, 1.0, 1.0, 1.0, 1.0, 0.0]), 3)
    # sizes: floor .5/6 each, and half of the shares 10/14, 1/14 (four times), 0; the first would be
    # above 1, so it is certain, and the others share 2 in proportion.
    others = np.array([0.5 / 6 + 0.5 / 14] * 4 + [0.5 / 6])
    assert found == pytest.approx([1.0, *(2 * others / others.sum())])


def test_documents_are_drawn_as_often_as_their_probability_says():
    probabilities = inclusion_probabilities(np.array([5.0, 3.0, 1.0, 1.0, 0.0]), 2)
    counts = np.zeros(5)
    for seed in range(4000):
        drawn = systematic(probabilities, np.random.default_rng(seed))
        assert len(set(drawn)) == 2
        counts[drawn] += 1
    assert counts / 4000 == pytest.approx(probabilities, abs=4 * 0.5 / np.sqrt(4000))


def test_utilities_by_hand():
    cells = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [2.0, 2.0, 2.0], [1.0, np.nan, 3.0]])
    assert metric_variance(cells) == pytest.approx([2 / 3, 2 / 3, 0.0, 1.0])
    # Means 7/4, 2, 9/4 order the systems as the first document does, against the second.
    assert consistency(cells) == pytest.approx([1.0, -1.0, 0.0, 1.0])


@pytest.mark.parametrize("by", ["random", "stratified", "metric-variance", "diversity"])
def test_a_sample_has_its_size_and_probabilities_that_a_seed_gives_again(corpus, scores, by):
    request = Request(5, by, seed=3)
    chosen = sample(corpus, request, scores)
    assert len(chosen) == 5
    assert all(0 < each.probability <= 1 for each in chosen)
    other = sample(corpus, replace(request, seed=4), scores)
    assert chosen == sample(corpus, request, scores) != other


def test_a_ranking_takes_the_documents_that_tell_most_and_gives_no_probability(corpus, scores):
    request = Request(3, "metric-variance", "ranking")
    chosen = {each.document for each in sample(corpus, request, scores)}
    variances = {
        name: np.var([v for d, v in zip(scores.documents, values, strict=True) if d == name])
        for name in corpus.document_ids
        for values in [scores.columns["rouge1"].part("f")]
    }
    assert chosen == set(sorted(variances, key=variances.__getitem__)[-3:])
    assert all(each.probability is None for each in sample(corpus, request, scores))


def test_strata_get_their_share(corpus):
    lengths = {each.id: len(each.text) for each in corpus.documents}
    order = sorted(lengths, key=lengths.__getitem__)
    chosen = sample(corpus, Request(4, "stratified", seed=1))
    quarters = sorted(order.index(each.document) * 4 // len(order) for each in chosen)
    assert quarters == [0, 1, 2, 3]


def test_what_cannot_be_sampled_is_a_sentence(corpus, scores):
    single = corpus.only(corpus.document_ids)
    single = replace(single, summaries=tuple(s for s in single.summaries if s.system == "lead"))
    alike = rated([1.0, 2.0])
    some = replace(corpus, documents=(*corpus.documents, Document("new", ("text",))))
    cases = [
        (corpus, Request(0), "At least one document"),
        (corpus, Request(15), "15 documents are wanted, but the corpus has 14"),
        (Corpus(), Request(1), "The corpus has no documents to choose from"),
        (corpus, Request(3, "metric-variance"), "scores of a metric are needed"),
        (corpus, Request(3, "stratified"), "4 strata, so at least 4 documents must be chosen"),
        (single, Request(3, "diversity"), "two or more systems; the corpus has 1"),
        (alike, Request(1, "diversity"), "All documents are alike"),
        (sampled_corpus(corpus, Request(5)), Request(3), "a sample already"),
        (some, Request(3, "diversity"), "One document has fewer than two summaries"),
    ]
    for given, request, sentence in cases:
        with pytest.raises(UsageError, match=sentence):
            sample(given, request)
    with pytest.raises(UsageError, match=r"One document has scores .* 'new'"):
        sample(some, Request(3, "metric-variance"), scores)


def test_a_sampled_corpus_is_read_back_and_its_rows_are_checked(corpus, tmp_path):
    chosen = sampled_corpus(corpus, Request(5, "diversity"))
    save(chosen, tmp_path / "chosen")
    assert load(tmp_path / "chosen") == chosen
    rows = (tmp_path / "chosen" / "sampling.csv").read_text().splitlines()
    rows[1] = rows[1].replace(rows[1].split(",")[2], "1.5")
    rows[2] = ",".join(value if k != 2 else "" for k, value in enumerate(rows[2].split(",")))
    (tmp_path / "chosen" / "sampling.csv").write_text("\n".join(rows))
    with pytest.raises(CorpusError, match=r"above 0 and at most 1, but is 1\.5"):
        load(tmp_path / "chosen")
    rows.pop(1)
    (tmp_path / "chosen" / "sampling.csv").write_text("\n".join(rows))
    with pytest.raises(CorpusError, match="The probability is missing"):
        load(tmp_path / "chosen")


def test_a_study_weighs_documents_by_their_probability():
    sampling = [Sampled("d0", "diversity", 0.5), Sampled("d1", "diversity", 0.25)]
    study = people_study(rated([1.0, 4.0], sampling), StudyOptions(resamples=200))
    means = [r for r in study.ranking if (r.dimension, r.method) == ("overall", "mean")]
    # (1 / 0.5 + 4 / 0.25) / (1 / 0.5 + 1 / 0.25) = 18 / 6
    assert [(r.system, r.value) for r in means] == [("a", pytest.approx(3.0)), ("b", 0.0)]
    pair = next(p for p in study.pairs if (p.dimension, p.method) == ("overall", "mean"))
    assert pair.difference == pytest.approx(3.0)
    assert pair.wins == 1.0


def test_weighted_means_are_right_on_average_where_plain_ones_are_not():
    rng = np.random.default_rng(1)
    utility = rng.gamma(1.0, size=60)
    values = 1.0 + utility + rng.normal(0, 0.2, 60)
    probabilities = inclusion_probabilities(utility, 20)
    plain, weighted = [], []
    for seed in range(1000):
        drawn = systematic(probabilities, np.random.default_rng(seed))
        plain.append(values[drawn].mean())
        weighted.append(np.average(values[drawn], weights=1 / probabilities[drawn]))
    error = np.std(weighted) / np.sqrt(1000)
    assert abs(np.mean(weighted) - values.mean()) < 4 * error + 0.01
    assert np.mean(plain) - values.mean() > 0.1


def test_intervals_of_weighted_means_hold_the_mean_of_the_corpus():
    rng = np.random.default_rng(2)
    utility = rng.gamma(2.0, size=120)
    values = utility + rng.normal(0, 1, 120)
    probabilities = inclusion_probabilities(utility, 40)
    held = 0
    for seed in range(100):
        drawn = systematic(probabilities, np.random.default_rng(seed))
        sampling = [
            Sampled(f"d{k}", "x", float(probabilities[index])) for k, index in enumerate(drawn)
        ]
        study = people_study(rated(values[drawn], sampling), StudyOptions(resamples=200))
        mean = next(r for r in study.ranking if r.system == "a" and r.method == "mean")
        held += mean.low <= values.mean() <= mean.high
    assert held >= 90


def test_equal_probabilities_and_unknown_ones_weigh_nothing():
    equal = [Sampled("d0", "random", 0.5), Sampled("d1", "random", 0.5)]
    assert weights_of(rated([1.0, 4.0], equal)).documents == {}
    partial = rated([1.0, 4.0, 2.0], [Sampled("d0", "x", 0.5), Sampled("d1", "x", 0.25)])
    assert weights_of(partial).documents == {}
    assert ["1 document that people judged" in n.text for n in sampling_notes(partial)] == [True]


def test_a_choice_by_utility_is_noted_and_not_weighted():
    sampling = [Sampled("d0", "metric-variance"), Sampled("d1", "metric-variance")]
    corpus = rated([1.0, 4.0], sampling)
    (note,) = sampling_notes(corpus)
    assert "means are those of the chosen documents, not of the corpus" in note.text
    assert weights_of(corpus).documents == {}


def test_a_study_says_how_its_documents_were_chosen_and_what_is_weighted():
    unequal = [Sampled("d0", "random", 0.5, 7), Sampled("d1", "random", 0.25, 7)]
    chosen = study(rated([1.0, 4.0], unequal), None, StudyOptions(resamples=20))
    (note,) = [each.text for each in chosen.notes if each.about == "sampling"]
    assert note.startswith("2 documents were chosen at random with known, unequal probabilities")
    sentence = (
        "2 documents to be judged were chosen at random with known probabilities "
        "(seed 7), and weighted by their inverse (Hájek)"
    )
    assert sentence in chosen.methods
    single = rated([1.0], [Sampled("d0", "metric-variance")])
    assert next(sampling_notes(single)).text.startswith("1 document was chosen by metric-variance")
    alone = rated([1.0], [Sampled("d0", "random", 0.5)])
    assert [each.text for each in sampling_notes(alone)] == [
        "One document says nothing about others."
    ]
    for_ranking = next(iter(sampling_methods(single)))
    assert "for what they tell about the ranking of systems; intervals" in for_ranking
    assert "chosen for the ranking, not at random" in not_at_random(single)
    turn = Turn(1, "d0", "a/b", "ann", 0.5, 4, "rule")
    assert "chosen adaptively" in not_at_random(replace(rated([1.0]), sequence=(turn,)))
    assert not_at_random(alone) is None


def test_comparisons_of_an_adaptive_campaign_count_by_their_probability():
    turns = (
        Turn(1, "d0", "a/b", "ann", 0.5, 4, "rule"),  # chance: 1/4, so the weight is 1/2
        Turn(2, "d1", "a/b", "ann", 0.125, 4, "rule"),  # the weight is 2
    )
    comparisons = (
        Comparison("d0", "a", "b", "ann", "overall", "left"),
        Comparison("d1", "b", "a", "ann", "overall", "left"),
    )
    corpus = replace(rated([1.0, 2.0]), ratings=(), comparisons=comparisons, sequence=turns)
    study = people_study(corpus, StudyOptions(resamples=50))
    strengths = {r.system: r for r in study.ranking if r.method == "Bradley-Terry"}
    assert strengths["b"].value > strengths["a"].value
    # 2 wins against 1/2: the difference of strengths is log 4, less a little for the penalty.
    gap = strengths["b"].value - strengths["a"].value
    assert 1.3 < gap < np.log(4)
    assert strengths["a"].n == 2
