"""The cache: nothing is computed twice, nothing wrong is ever returned, nothing stops a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.metrics.batch import Batch
from gistmark.metrics.metric import Metric, Values
from gistmark.models.store import cache_folder as folder_of_caches
from gistmark.records import ContentUnit, Document, Highlight, Summary
from gistmark.scoring import score
from scoring.segments import segments

Register = Callable[..., None]


def with_text(corpus: Corpus, document: str, system: str, text: str) -> Corpus:
    changed = (
        replace(s, text=text) if (s.document, s.system) == (document, system) else s
        for s in corpus.summaries
    )
    return replace(corpus, summaries=tuple(changed))


# What is computed, and what is not


def test_a_second_run_computes_nothing(small: Corpus, counted: Any):
    first = score(small, ["counted"])
    assert counted.calls == 1
    second = score(small, ["counted"])
    assert counted.calls == 1
    assert list(second) == list(first)


def test_without_the_cache_everything_is_computed_and_nothing_kept(
    small: Corpus, counted: Any, cache_folder: Path
):
    score(small, ["counted"], cache=False)
    score(small, ["counted"], cache=False)
    assert counted.calls == 2
    assert not cache_folder.exists()


def test_one_more_system_computes_only_its_summaries(small: Corpus, counted: Any):
    score(small, ["counted"])
    counted.items.clear()
    more = small.with_summaries([Summary("d1", "new", "brand new"), Summary("d2", "new", "newer")])
    scores = score(more, ["counted"])
    assert counted.summaries == ["brand new", "newer"]
    assert {(s.document, s.system): s.value for s in scores} == {
        ("d1", "one"): 11, ("d1", "two"): 5, ("d1", "new"): 9,
        ("d2", "one"): 9, ("d2", "two"): 5, ("d2", "new"): 5,
    }  # fmt: skip


def test_a_changed_reference_recomputes_only_its_document(small: Corpus, counted: Any):
    score(small, ["counted"])
    counted.items.clear()
    score(with_text(small, "d1", "gold", "another reference"), ["counted"])
    assert counted.summaries == ["the cat sat", "a mat"]
    assert counted.items[0].references[0] == "another reference"


def test_a_changed_reference_does_not_touch_a_metric_that_never_looks_at_it(
    small: Corpus, watched: Callable[..., Any], register: Register
):
    alone, source = watched(), watched("documents")
    register(alone=alone.kind, source=source.kind)
    score(small, ["alone", "source"])
    score(with_text(small, "d1", "gold", "another reference"), ["alone", "source"])
    assert (alone.calls, source.calls) == (1, 1)
    changed = replace(small, documents=(Document("d1", ("Another text.",)), small.documents[1]))
    score(changed, ["alone", "source"])
    assert (alone.calls, source.calls) == (1, 2)
    assert source.summaries[-2:] == ["the cat sat", "a mat"]


def test_the_same_texts_are_found_in_another_corpus(small: Corpus, counted: Any):
    score(small, ["counted"])
    renamed = Corpus(
        summaries=tuple(replace(s, document=f"other {s.document}") for s in small.summaries)
    )
    scores = score(renamed, ["counted"])
    assert counted.calls == 1
    assert scores.documents[0] == "other d1"


def test_another_option_has_other_entries(small: Corpus, counted: Any):
    score(small, ["counted"])
    score(small, ["counted:weight=2"])
    assert counted.calls == 2
    score(small, ["counted:weight=2", "counted:weight=1"])
    assert counted.calls == 2


def test_options_do_not_mix_their_values(small: Corpus):
    asked = ["rouge1", "rouge1:stem=yes", "rouge2", "rouge1:refs=mean"]
    direct = [list(score(small, [name], cache=False)) for name in asked]
    for _ in range(2):
        assert [list(score(small, [name])) for name in asked] == direct


def test_two_metrics_that_call_themselves_the_same_do_not_share_values(
    small: Corpus, register: Register
):
    class First(Metric):
        family = "same"
        about = "One."
        needs = frozenset()

        def score(self, batch: Batch) -> Values:
            return Values(np.full((len(batch), 1), 1.0))

    class Second(First):
        def score(self, batch: Batch) -> Values:
            return Values(np.full((len(batch), 1), 2.0))

    register(first=First, second=Second)
    assert {s.value for s in score(small, ["first"])} == {1.0}
    assert {s.value for s in score(small, ["second"])} == {2.0}


def test_the_order_and_the_number_of_references_count(counted: Any):
    gold = [Summary("d", f"gold{i}", text, reference=True) for i, text in enumerate("xy")]
    one = Summary("d", "s", "text")
    score(Corpus(summaries=(one, gold[0])), ["counted"])
    score(Corpus(summaries=(one, gold[0], gold[1])), ["counted"])
    score(Corpus(summaries=(one,)), ["counted"])
    assert counted.calls == 3


def test_a_summary_that_equals_a_document_is_not_mistaken_for_it(
    watched: Callable[..., Any], register: Register
):
    both = watched("documents")
    register(both=both.kind)
    score(Corpus((Document("d", ("x",)),), (Summary("d", "s", "yy"),)), ["both"])
    scores = score(Corpus((Document("d", ("yy",)),), (Summary("d", "s", "x"),)), ["both"])
    assert [s.value for s in scores] == [1.0]
    assert both.calls == 2


def test_documents_with_one_text_but_different_highlights_do_not_share_entries():
    text = "the cat sat on the mat"
    corpus = Corpus(
        documents=(Document("d1", (text,)), Document("d2", (text,))),
        summaries=(Summary("d1", "s", "the cat"), Summary("d2", "s", "the cat")),
        highlights=(Highlight("d1", "ann", 0, 7), Highlight("d2", "ann", 15, 22)),
    )
    direct = score(corpus, ["hrouge1"], cache=False)
    assert direct.columns["hrouge1"].part("f")[0] > direct.columns["hrouge1"].part("f")[1]
    for _ in range(2):
        assert list(score(corpus, ["hrouge1"])) == list(direct)
    swapped = replace(
        corpus, highlights=(Highlight("d1", "ann", 15, 22), Highlight("d2", "ann", 0, 7))
    )
    assert list(score(swapped, ["hrouge1"])) == list(score(swapped, ["hrouge1"], cache=False))


def test_missing_values_come_back_with_their_reasons(small: Corpus, cache_folder: Path):
    lonely = small.with_summaries([Summary("d3", "one", "alone"), Summary("d4", "one", "alone")])
    first = score(lonely, ["rouge1"])
    assert segments(cache_folder)
    second = score(lonely, ["rouge1"])
    assert list(second) == list(first)
    assert second.columns["rouge1"].reasons == {
        4: "the document has no reference",
        5: "the document has no reference",
    }
    more = lonely.with_summaries([Summary("d5", "one", "new"), Summary("d1", "new", "the cat")])
    assert list(score(more, ["rouge1"])) == list(score(more, ["rouge1"], cache=False))


def test_failures_are_not_kept(small: Corpus, register: Register, cache_folder: Path):
    class Moody(Metric):
        family = "moody"
        about = "Fails at first."
        needs = frozenset()
        mood = "bad"

        def score(self, batch: Batch) -> Values:
            if Moody.mood == "bad":
                raise RuntimeError("not today")
            return Values(np.ones((len(batch), 1)))

    register(moody=Moody)
    assert len(score(small, ["moody"]).columns["moody"].reasons) == 4
    assert segments(cache_folder) == []
    Moody.mood = "good"
    assert score(small, ["moody"]).columns["moody"].reasons == {}


def test_values_survive_to_the_last_bit(small: Corpus, register: Register):
    class Exact(Metric):
        family = "exact"
        about = "Numbers that decimal digits cannot hold."
        needs = frozenset()

        def score(self, batch: Batch) -> Values:
            return Values(np.array([[0.1 + 0.2], [5e-324], [-0.0], [1e308]])[: len(batch)])

    register(exact=Exact)
    first = score(small, ["exact"]).columns["exact"].values
    second = score(small, ["exact"]).columns["exact"].values
    assert first.tobytes() == second.tobytes()


def test_half_a_surrogate_pair_is_a_text_like_others(counted: Any):
    corpus = Corpus(summaries=(Summary("d", "s", "odd \ud800"), Summary("e", "s", "odd ?")))
    score(corpus, ["counted"])
    assert [s.value for s in score(corpus, ["counted"])] == [5.0, 5.0]
    assert counted.calls == 1


# Where it stands


def test_the_folder_comes_from_the_environment(
    small: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GISTMARK_CACHE", str(tmp_path / "mine"))
    assert folder_of_caches() == tmp_path / "mine"
    score(small, ["words"])
    assert len(segments(tmp_path / "mine")) == 1
    monkeypatch.delenv("GISTMARK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folder_of_caches() == tmp_path / "xdg" / "gistmark"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert folder_of_caches() == tmp_path / "home" / ".cache" / "gistmark"


def test_the_folder_may_be_given(small: Corpus, tmp_path: Path, cache_folder: Path):
    score(small, ["words"], cache=tmp_path / "here")
    score(small, ["words"], cache=str(tmp_path / "there"))
    assert len(segments(tmp_path / "here")) == len(segments(tmp_path / "there")) == 1
    assert not cache_folder.exists()


# What a metric reads


def test_other_units_or_weights_are_another_entry():
    """`units=auto` needs references alone, but what people wrote changes the value."""
    reference = Summary("d", "gold", "A cat sat.", reference=True)
    corpus = Corpus(summaries=(Summary("d", "s", "A cat sat."), reference))
    dog, cat = ContentUnit("d", "1", "A dog ran."), ContentUnit("d", "2", "A cat sat.")
    marks = [(), (dog,), (dog, cat), (dog, replace(cat, weight=3.0))]
    values = [
        score(replace(corpus, units=units), ["pyramid:presence=words"]).to_pandas()["value"][0]
        for units in marks
    ]
    assert values == [1.0, 0.0, 0.5, 0.75]
