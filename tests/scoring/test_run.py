"""Whole runs: which metrics, in how many blocks, by how many workers, and what may go wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.errors import InterruptedRunError, UsageError
from gistmark.metrics import batch as batch_module
from gistmark.metrics.batch import Batch
from gistmark.metrics.catalogue import GROUPS
from gistmark.metrics.lexical.statistics import Words
from gistmark.metrics.metric import Metric, Values
from gistmark.records import Highlight, Summary
from gistmark.scoring import TextPairs, score
from gistmark.scoring.run import LEAST_BLOCK, block_size, plan, source_of
from gistmark.scoring.sources import CorpusSource

Register = Callable[..., None]


@pytest.fixture
def in_blocks_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Cut corpora into blocks of another size."""

    def cut(size: int) -> None:
        monkeypatch.setattr("gistmark.scoring.run.block_size", lambda *_: size)

    return cut


def test_without_metrics_the_default_ones_are_those_that_the_corpus_can_feed(small: Corpus):
    alone = Corpus(summaries=(Summary("d", "s", "text"),))
    marked = replace(small, highlights=(Highlight("d1", "ann", 0, 3),))
    pairs = TextPairs(["a"], ["a"])
    chosen = {
        "alone": set(plan(source_of(alone), None)),
        "pairs": set(plan(source_of(pairs), None)),
        "documents": set(plan(source_of(small), None)),
        "highlights": set(plan(source_of(marked), None)),
    }
    assert chosen["alone"] == {"words", "repeated2"}
    assert chosen["pairs"] == chosen["alone"] | {"rouge1", "rouge2", "rougeL", "rougeLsum"}
    assert {"js", "coverage", "density", "compression", "novel2"} <= chosen["documents"]
    assert not any(name.startswith("hrouge") for name in chosen["documents"])
    assert chosen["highlights"] == set(GROUPS["default"])


def test_a_metric_that_is_asked_for_runs_even_where_its_needs_are_missing():
    scores = score(Corpus(summaries=(Summary("d", "s", "text"),)), "rouge1")
    assert scores.columns["rouge1"].reasons == {0: "the document has no reference"}


def test_one_metric_may_be_given_as_a_string(small: Corpus):
    assert list(score(small, "rouge1").columns) == ["rouge1"]


def test_a_group_is_expanded_and_a_metric_asked_for_twice_is_scored_once(small: Corpus):
    scores = score(small, ["rouge2", "rouge", "rouge2"])
    assert set(scores.columns) == set(GROUPS["rouge"])
    assert next(iter(scores.columns)) == "rouge2"


def test_asking_for_no_metric_is_an_error(small: Corpus):
    with pytest.raises(UsageError, match="No metric was given"):
        score(small, [])


def test_an_unknown_engine_is_an_error_and_not_the_local_one(small: Corpus):
    with pytest.raises(UsageError, match=r"no engine 'rya'.*'ray'"):
        score(small, ["words"], engine="rya")  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [0, -1])
def test_there_is_at_least_one_worker(small: Corpus, workers: int):
    with pytest.raises(UsageError, match="at least 1"):
        score(small, ["words"], workers=workers)


@pytest.mark.parametrize("size", [1, 4, 9, 30])
def test_several_blocks_score_like_one(
    sample: Corpus, in_blocks_of: Callable[[int], None], size: int
):
    whole = score(sample, cache=False)
    in_blocks_of(size)
    assert len(list(source_of(sample).blocks(size))) > 1
    assert list(score(sample, cache=False)) == list(whole)


def test_two_workers_score_like_one(sample: Corpus, in_blocks_of: Callable[[int], None]):
    in_blocks_of(5)
    one = score(sample, cache=False, workers=1)
    assert list(score(sample, cache=False, workers=2)) == list(one)


def test_progress_is_told_after_each_block(small: Corpus, in_blocks_of: Callable[[int], None]):
    in_blocks_of(2)
    told: list[tuple[int, int | None]] = []
    score(small, ["words"], progress=lambda done, total: told.append((done, total)))
    assert told == [(2, 4), (4, 4)]


def test_each_text_is_tokenised_once_for_all_metrics_and_systems(
    sample: Corpus, monkeypatch: pytest.MonkeyPatch
):
    tokenised: Counter[tuple[str, str]] = Counter()
    usual = batch_module.vocabulary

    def counting(texts: Sequence[str], tok: str) -> object:
        tokenised.update((text, tok) for text in texts)
        return usual(texts, tok)

    monkeypatch.setattr(batch_module, "vocabulary", counting)
    asked = ["rouge1", "rouge2", "rouge1:stem=yes", "rougeL", "js", "coverage", "novel2"]
    score(sample, asked, cache=False)
    texts = {d.text for d in sample.documents} | {s.text for s in sample.summaries}
    assert texts <= {text for text, _ in tokenised}
    assert set(tokenised.values()) == {1}


class Broken(Metric):
    """Raises."""

    family = "broken"
    about = "Always fails."
    needs = frozenset()

    def score(self, batch: Batch) -> Values:
        raise ZeroDivisionError("by design")


class Crooked(Broken):
    """Returns a row too few."""

    family = "crooked"

    def score(self, batch: Batch) -> Values:
        return Values(np.ones((len(batch) - 1, 1)))


class Mute(Broken):
    """Gives no value for texts without a cat, and no reason either."""

    family = "mute"

    def score(self, batch: Batch) -> Values:
        return Values(np.array([[1.0 if "cat" in item.summary else np.nan] for item in batch]))


class Endless(Broken):
    """Returns what is not a number that can be averaged."""

    family = "endless"

    def score(self, batch: Batch) -> Values:
        return Values(np.full((len(batch), 1), np.inf), {0: "beyond all measure"})


class Nothing(Broken):
    """Forgets to return."""

    family = "nothing"

    def score(self, batch: Batch) -> Values:
        return None  # type: ignore[return-value]


class Chatty(Broken):
    """Gives reasons for values that are there."""

    family = "chatty"

    def score(self, batch: Batch) -> Values:
        return Values(np.ones((len(batch), 1)), {0: "no reason at all"})


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (Broken, "The metric odd of the plugin tests failed: ZeroDivisionError: by design"),
        (Crooked, "the metric returned (3, 1) values, not (4, 1)"),
        (Nothing, "The metric odd of the plugin tests failed: AttributeError"),
    ],
)
def test_a_metric_that_fails_is_missing_with_the_reason_and_the_others_are_scored(
    small: Corpus, register: Register, kind: type[Metric], reason: str
):
    register(odd=kind)
    scores = score(small, ["rouge1", "odd", "words"])
    assert np.isnan(scores.columns["odd"].values).all()
    assert list(scores.columns["odd"].reasons) == [0, 1, 2, 3]
    assert all(text.startswith(reason) for text in scores.columns["odd"].reasons.values())
    plain = score(small, ["rouge1", "words"], cache=False)
    assert [s for s in scores if s.metric != "odd"] == list(plain)


def test_a_value_without_a_reason_gets_one(small: Corpus, register: Register):
    register(odd=Mute)
    column = score(small, ["odd"]).columns["odd"]
    assert column.reasons == {
        1: "the metric gave no value",
        2: "the metric gave no value",
    }
    assert column.values[[0, 3], 0].tolist() == [1.0, 1.0]


def test_an_infinite_value_is_missing(small: Corpus, register: Register):
    register(odd=Endless)
    column = score(small, ["odd"]).columns["odd"]
    assert np.isnan(column.values).all()
    assert column.reasons[0] == "beyond all measure"
    assert column.reasons[1] == "the metric gave no value"


def test_a_reason_for_a_value_that_is_there_is_dropped(small: Corpus, register: Register):
    register(odd=Chatty)
    scores = score(small, ["odd"])
    assert scores.columns["odd"].reasons == {}
    assert all(s.value == 1.0 for s in scores)


def test_a_metric_that_fails_on_one_block_is_scored_on_the_others(
    small: Corpus, register: Register, in_blocks_of: Callable[[int], None]
):
    class Picky(Broken):
        family = "picky"

        def score(self, batch: Batch) -> Values:
            if any("dog" in item.summary for item in batch):
                raise ValueError("no dogs")
            return Values(np.ones((len(batch), 1)))

    register(picky=Picky)
    in_blocks_of(2)
    column = score(small, ["picky"]).columns["picky"]
    assert column.values[:2, 0].tolist() == [1.0, 1.0]
    assert set(column.reasons) == {2, 3}


def test_an_interrupted_run_carries_what_was_done(
    small: Corpus, in_blocks_of: Callable[[int], None], cache_folder: Path
):
    in_blocks_of(2)
    whole = list(score(small, ["rouge1"], cache=False))

    def stop(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError, match=r"after 2 of 4 summaries.*the cache") as caught:
        score(small, ["rouge1"], workers=1, progress=stop)
    assert list(caught.value.scores) == whole[: len(whole) // 2]  # type: ignore[call-overload]
    assert len(list(cache_folder.rglob("*.scores"))) == 1
    with pytest.raises(InterruptedRunError) as caught:
        score(small, ["rouge2"], cache=False, progress=stop)
    assert str(caught.value) == "Interrupted after 2 of 4 summaries."


def test_a_run_that_is_interrupted_at_once_has_nothing_in_the_cache_to_speak_of(
    small: Corpus, monkeypatch: pytest.MonkeyPatch
):
    def stop(self: CorpusSource, size: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(CorpusSource, "blocks", stop)
    with pytest.raises(InterruptedRunError) as caught:
        score(small, ["rouge1"])
    assert str(caught.value) == "Interrupted after 0 of 4 summaries."
    assert len(caught.value.scores) == 0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("total", "workers", "most", "size"),
    [
        (None, 2, 4096, 4096),  # a stream: as much as the metrics allow
        (100_000, 2, 4096, 4096),  # 100,000 / 8 = 12,500 is more than they allow
        (1_000, 2, 4096, 125),  # 1,000 / (4 * 2)
        (10, 2, 4096, LEAST_BLOCK),
        (1_000, 2, 16, 16),  # a slow metric wants few
    ],
)
def test_blocks_are_small_enough_for_every_core_and_every_metric(
    total: int | None, workers: int, most: int, size: int
):
    class Few(Words):
        block_size = most

    assert block_size(total, workers, {"few": Few(), "words": Words()}) == size
