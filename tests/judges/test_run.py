from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gistmark.analysis.agreement.machines import judge_tests, without_machines
from gistmark.cli.main import main
from gistmark.corpus import Corpus, load, save
from gistmark.judgements import get_protocol
from gistmark.judges import Limits, limited
from gistmark.judges.budget import metric_budget
from gistmark.judges.run import (
    batches_of,
    compare_corpus,
    pair_metrics,
    pairs_of,
    rate_corpus,
    rating_metrics,
)
from gistmark.records import Document, Rating, Summary
from gistmark.runtime.seeds import generator
from judges.server import JudgeServer, prompt_of

Serve = Callable[..., JudgeServer]

DIMENSIONS = ("Coherence", "Readability")
SYSTEMS = ("one", "two", "three")


def quality_of(text: str) -> float:
    """What a summary says of itself, from 0 to 1."""
    return float(text.split()[-1].rstrip(".")) / 100


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Three systems on twelve documents, and three people who see the quality with some noise."""
    rng = generator(0, "judges")
    documents = tuple(Document(f"d{n}", (f"Story {n}.",)) for n in range(12))
    summaries = tuple(
        Summary(each.id, system, f"Summary with quality {rng.integers(0, 101)}.")
        for each in documents
        for system in SYSTEMS
    )
    ratings = tuple(
        Rating(each.document, each.system, person, dimension,
               float(np.clip(round(1 + 4 * quality_of(each.text) + rng.normal(0, 0.8)), 1, 5)))
        for each in summaries
        for person in ("ann", "bob", "cid")
        for dimension in DIMENSIONS
    )  # fmt: skip
    return Corpus(documents, summaries, ratings=ratings)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GISTMARK_CACHE", str(tmp_path / "cache"))


def at(server: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> JudgeServer:
    monkeypatch.setenv("GISTMARK_JUDGE_URL", server.url)
    monkeypatch.setenv("GISTMARK_JUDGE_MODEL", "tiny")
    return server


@pytest.mark.parametrize(
    ("quality", "passes"), [(quality_of, True), (lambda text: 1 - quality_of(text), False)],
    ids=["sees", "inverts"],
)  # fmt: skip
def test_from_a_server_to_the_alternative_annotator_test(
    serve: Serve, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    quality: Callable[[str], float], passes: bool,
) -> None:  # fmt: skip
    """The whole way: a judge that sees the quality may stand in, one that inverts it may not."""
    server = at(serve(quality=quality), monkeypatch)
    save(corpus, tmp_path / "corpus")
    arguments = ["judge", str(tmp_path / "corpus"), "-p", "likert", "-o", str(tmp_path / "judged")]
    for dimension in DIMENSIONS:
        arguments += ["-d", dimension]
    with pytest.raises(SystemExit) as done:
        main([*arguments, "--yes"])
    assert done.value.code == 0
    assert len(server.judged) == 12 * 3 * 2
    judged = load(tmp_path / "judged")
    people = {each.annotator for each in corpus.ratings}
    assert {each.annotator for each in judged.ratings} == {*people, "machine:tiny"}
    assert [(each.annotator, each.model) for each in judged.machines] == [("machine:tiny", "tiny")]
    alone, machines = without_machines(judged, ())
    tests = {each.dimension: each for each in judge_tests(alone.ratings, machines.ratings)}
    assert set(tests) == {"", *DIMENSIONS}
    assert {each.passed for each in tests.values()} == {passes}
    assert all(each.annotators == 3 for each in tests.values())


def test_ratings_have_the_names_of_the_dimensions(
    serve: Serve, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(serve(quality=quality_of), monkeypatch)
    metrics = rating_metrics("likert", ["coherence"], {})
    verdicts = rate_corpus(corpus, metrics, "machine:tiny")
    assert len(verdicts.ratings) == 36
    assert {each.dimension for each in verdicts.ratings} == {"Coherence"}
    assert all(1 <= each.value <= 5 for each in verdicts.ratings)
    both = verdicts.added_to(corpus)
    assert len(both.ratings) == len(corpus.ratings) + 36
    assert verdicts.added_to(both) == both, "a second time replaces the first"


def test_pairs_are_every_two_systems_in_both_orders(
    serve: Serve, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = at(serve(quality=quality_of), monkeypatch)
    metrics = pair_metrics("pairwise", ["structure"], {})
    verdicts = compare_corpus(corpus, metrics, "machine:tiny")
    assert len(verdicts.comparisons) == 12 * 3
    assert len(server.judged) == 12 * 3 * 2
    texts = {(each.document, each.system): quality_of(each.text) for each in corpus.summaries}
    for each in verdicts.comparisons:
        left, right = (texts[each.document, name] for name in (each.left, each.right))
        expected = "tie" if left == right else "left" if left > right else "right"
        assert each.choice == expected
    again = compare_corpus(corpus, metrics, "machine:tiny")
    assert again.comparisons == verdicts.comparisons
    assert len(server.judged) == 12 * 3 * 2, "the second time, all are in the cache"


def test_who_prefers_the_first_in_close_pairs_ties_there(
    serve: Serve, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(serve(quality=quality_of, prefers_first=0.3), monkeypatch)
    verdicts = compare_corpus(corpus, pair_metrics("pairwise", ["structure"], {}), "m")
    texts = {(each.document, each.system): quality_of(each.text) for each in corpus.summaries}
    for each in verdicts.comparisons:
        gap = abs(texts[each.document, each.left] - texts[each.document, each.right])
        assert (each.choice == "tie") == (gap < 0.3) or gap == pytest.approx(0.3)


def test_the_budget_counts_what_is_not_cached(
    serve: Serve, corpus: Corpus, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server = at(serve(quality=quality_of), monkeypatch)
    metrics = rating_metrics("likert", DIMENSIONS, {})
    first = next(iter(metrics.values()))
    folder = tmp_path / "cache"
    with limited(Limits(price_in=1.0, price_out=2.0)) as meter:
        budget = metric_budget(metrics, lambda: batches_of(corpus, first), folder)
        assert (budget.prompts, budget.requests, budget.tokens_out) == (72, 72, 72 * 64)
        words = sum(len(prompt_of(body)) for body in server.judged)
        assert words == 0, "an estimate asks nothing"
        line = budget.in_words(meter.limits)
        assert "72 questions: 72 requests" in line
        assert "which cost at most about" in line
        rate_corpus(corpus, {next(iter(metrics)): first}, "m", cache=folder)
        budget = metric_budget(metrics, lambda: batches_of(corpus, first), folder)
        assert budget.requests == 36


def test_samples_and_long_documents_are_in_the_budget(
    serve: Serve, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(serve(quality=quality_of, logprobs=False), monkeypatch)
    metrics = rating_metrics("overall", None, {"samples": "3", "words": "1"})
    first = next(iter(metrics.values()))
    budget = metric_budget(metrics, lambda: batches_of(corpus, first), None)
    assert (budget.prompts, budget.requests, budget.cut) == (36, 108, 36)
    assert "In 36 questions the document is longer than 1 words" in budget.in_words(Limits())


def test_a_pair_shows_what_the_protocol_shows(corpus: Corpus) -> None:
    pairs = pairs_of(corpus, get_protocol("pairwise"))
    assert len(pairs.items) == 36
    texts = {(each.document, each.system): each.text for each in corpus.summaries}
    item, shown = pairs.items[0], pairs.texts[0]
    sides = [texts[item.document, system] for system in item.systems]
    assert [shown.summary, shown.references[0]] == sides
