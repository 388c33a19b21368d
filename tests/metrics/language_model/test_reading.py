"""What a causal model reads of a document, and how sure the quick mode is."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tiny_models
from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.language_model.blanc_help import BlancHelp
from gistmark.metrics.language_model.reading import (
    ReadingOptions,
    eligible_tokens,
    needs_space,
    ratio_error,
    sampled,
    sentence_weights,
)
from gistmark.metrics.language_model.shannon import BlancShannon, InfoDiff, Shannon, readings
from gistmark.metrics.metric import Metric
from gistmark.models.language_models.causal import CausalModel, Query, causal_model
from gistmark.scoring.work import score_batch
from on_use import on_use

on_use("torch")
on_use("transformers")

DOCUMENT = " ".join(tiny_models.SENTENCES[:6])
SUMMARY = "The swing bridge will stay shut, and ferries will run."
KINDS = (BlancHelp, BlancShannon, InfoDiff, Shannon)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tiny_models.causal_model(tmp_path_factory.mktemp("models") / "gpt2")
    return str(tiny_models.taught(made))


def batch_of(document: str = DOCUMENT, *summaries: str) -> Batch:
    return Batch.of([Item(summary, (), document) for summary in summaries or (SUMMARY,)])


def test_the_error_of_a_ratio_by_hand() -> None:
    # Of four sentences two were read: 1 of 4 words and 3 of 4. The ratio is 4 / 8 = 0.5, the
    # residuals are 1 - 2 = -1 and 3 - 2 = 1, their variance is 2, half of the sentences are
    # missing, and a sentence has 4 words: sqrt(0.5 * 2 / 2) / 4.
    above, below = np.array([1.0, 3.0]), np.array([4.0, 4.0])
    assert ratio_error(above, below, 4) == pytest.approx(np.sqrt(0.5) / 4)
    assert ratio_error(above, below, 2) == 0, "all were read"
    assert np.isnan(ratio_error(above[:1], below[:1], 4))
    assert np.isnan(ratio_error(above, np.zeros(2), 4))


def test_the_error_is_how_far_samples_are_off() -> None:
    rng = np.random.default_rng(0)
    below = rng.integers(3, 20, 40).astype(float)
    above = 0.2 * below + rng.normal(0, 1, 40)
    ratios, errors = [], []
    for _ in range(400):
        chosen = rng.choice(40, 10, replace=False)
        ratios.append(above[chosen].sum() / below[chosen].sum())
        errors.append(ratio_error(above[chosen], below[chosen], 40))
    assert np.std(ratios) == pytest.approx(np.sqrt(np.mean(np.square(errors))), rel=0.15)


def test_a_sample_depends_on_the_seed_and_the_number_of_sentences() -> None:
    options = ReadingOptions(sentences=3)
    assert sampled(20, options) == sampled(20, options)
    assert len(set(sampled(20, options))) == 3
    assert sampled(20, options) != sampled(20, ReadingOptions(sentences=3, seed=1))
    assert sampled(3, options) == [0, 1, 2]
    assert sampled(5, ReadingOptions()) == [0, 1, 2, 3, 4]


def test_one_sentence_is_too_few() -> None:
    with pytest.raises(UsageError, match="take 2 or more, or 0 for all"):
        metric_from("info-diff:sentences=1")


def test_a_spaced_sentence_goes_on_from_the_summary_as_running_text(folder: str) -> None:
    model, batch = causal_model(folder), batch_of()
    (document,), (summary,) = batch.documents.tolist(), batch.summaries.tolist()
    options = InfoDiff.Options(model=folder, spaced=True)
    first = readings(batch, options, document, summary)["help"][0]
    joined = model.tokenizer.decode(first.context + first.tokens)
    assert joined == f"{SUMMARY} {tiny_models.SENTENCES[0]}"
    options = InfoDiff.Options(model=folder)
    first = readings(batch, options, document, summary)["help"][0]
    glued = model.tokenizer.decode(first.context + first.tokens)
    assert glued == f"{SUMMARY}{tiny_models.SENTENCES[0]}"


def test_who_writes_no_spaces_gets_none(folder: str) -> None:
    model = causal_model(folder)
    assert needs_space(model, "en")
    assert not needs_space(model, "zh")
    spacing: Any = SimpleNamespace(
        encode=lambda texts: [(7,) for _ in texts],
        tokenizer=SimpleNamespace(convert_ids_to_tokens=lambda _: ["\u2581The"]),
    )
    assert not needs_space(spacing, "en"), "this tokenizer puts a space before every text"


def test_whole_words_are_single_tokens(folder: str) -> None:
    model = causal_model(folder)
    text = "The swing bridge closed on Tuesday, zyxwvq."

    def predicted(words: Any) -> list[str]:
        ((tokens, wanted),) = eligible_tokens(
            Batch.of([]), model, ReadingOptions(), [text], words=words, least=4, lang="en"
        )
        return [model.tokenizer.decode([tokens[position]]).strip() for position in wanted]

    long, whole = predicted("long"), predicted("whole")
    words = {"swing", "bridge", "closed", "Tuesday", "zyxwvq"}
    assert len(long) == 5
    assert set(whole) == set(long) & words
    assert "zyxwvq" not in whole
    assert whole


def test_reading_can_be_cut_short(folder: str) -> None:
    batch = batch_of()
    (document,), (summary,) = batch.documents.tolist(), batch.summaries.tolist()
    options = InfoDiff.Options(model=folder, first=2, longest=5, prefix=3)
    queries = readings(batch, options, document, summary)["help"]
    assert [len(query.tokens) for query in queries] == [5, 5]
    assert all(len(query.context) == 3 for query in queries)
    helped = BlancHelp(BlancHelp.Options(model=folder, first=2)).score(batch).values
    short = batch_of(" ".join(tiny_models.SENTENCES[:2]))
    assert (
        helped.tolist() == BlancHelp(BlancHelp.Options(model=folder)).score(short).values.tolist()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_of_all_sentences_is_the_whole_without_error(
    kind: type[Metric], folder: str
) -> None:
    batch = batch_of()
    whole = kind(kind.Options(model=folder)).score(batch).values[0]
    metric = kind(kind.Options(model=folder, sentences=100))
    assert metric.parts == (*kind.parts, "se")
    assert metric.score(batch).values[0] == pytest.approx([*whole, 0.0])


def test_some_sentences_are_scored_as_if_there_were_no_others(folder: str) -> None:
    options = {"model": folder, "sentences": 3, "seed": 1}
    result = BlancShannon(BlancShannon.Options(**options)).score(batch_of()).values[0]
    chosen = sampled(6, ReadingOptions(sentences=3, seed=1))
    alone = batch_of(" ".join(tiny_models.SENTENCES[index] for index in chosen))
    expected = BlancShannon(BlancShannon.Options(model=folder)).score(alone).values[0]
    assert result[:-1] == pytest.approx(expected)
    total, per_token, error = InfoDiff(InfoDiff.Options(**options)).score(batch_of()).values[0]
    part, same = InfoDiff(InfoDiff.Options(model=folder)).score(alone).values[0]
    assert (total, per_token) == pytest.approx((2 * part, same), abs=1e-3)
    assert error > 0


def test_metrics_of_a_run_have_each_sentence_read_once(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Query] = []
    predict = CausalModel.predict

    def recorded(self: CausalModel, queries: Any, **options: Any) -> Any:
        asked.extend(queries)
        return predict(self, queries, **options)

    monkeypatch.setattr(CausalModel, "predict", recorded)
    metrics = {kind.family: kind(kind.Options(model=folder)) for kind in KINDS}
    batch = batch_of(DOCUMENT, SUMMARY, "Ferries run.")
    (done,) = score_batch(batch, metrics, dict.fromkeys(metrics))
    read = [(query.context, query.tokens) for query in asked]
    assert len(read) == len(set(read)), "nothing is read twice"
    for name, metric in metrics.items():
        alone = metric.score(batch_of(DOCUMENT, SUMMARY, "Ferries run.")).values
        np.testing.assert_allclose(done.values[name].values, alone, atol=1e-3)


def test_a_sentence_weighs_half_as_much_every_so_many_tokens() -> None:
    weights = sentence_weights([4, 4, 8, 2], ReadingOptions(half_life=8))
    np.testing.assert_allclose(weights, [1, 2**-0.5, 0.5, 0.25])
    assert sentence_weights([4, 4], ReadingOptions()).tolist() == [1, 1]
    assert sentence_weights([], ReadingOptions(half_life=8)).tolist() == []


def test_with_a_short_half_life_only_the_first_sentence_counts(folder: str) -> None:
    for kind in KINDS:
        every, first = (
            kind(kind.Options(model=folder, half_life=half_life, first=first))
            .score(batch_of()).values[0]
            for half_life, first in ((1, 0), (0, 1))
        )  # fmt: skip
        assert every[0] == pytest.approx(first[0], abs=0.02), kind.family
    plain = BlancHelp(BlancHelp.Options(model=folder)).score(batch_of()).values[0]
    decayed = BlancHelp(BlancHelp.Options(model=folder, half_life=20)).score(batch_of()).values[0]
    assert decayed[1:].tolist() == plain[1:].tolist(), "the counts are those of all sentences"


def test_expected_right_words_are_the_sums_of_their_probabilities(folder: str) -> None:
    batch = batch_of()
    metric = BlancHelp(BlancHelp.Options(model=folder, measure="expected"))
    (value, *counts) = metric.score(batch).values[0].tolist()
    game = readings(batch, InfoDiff.Options(model=folder), 0, int(batch.summaries[0]))
    base, helped = (
        sum(np.exp(each.likelihoods).sum() for each in causal_model(folder).predict(game[kind]))
        for kind in ("base", "help")
    )
    assert value == pytest.approx((helped - base) / sum(counts), abs=1e-6)
    assert -1 <= value <= 1
    assert BlancHelp(metric.options).score(batch_of(DOCUMENT, "")).values[0, 0] == 0


@pytest.mark.parametrize("option", [{"sentences": 4}, {"half_life": 9}, {"measure": "expected"}])
def test_what_needs_a_causal_model_is_refused_for_a_masked_one(
    tmp_path: Path, option: dict[str, Any]
) -> None:
    folder = tiny_models.masked_model(tmp_path / "masked")
    metric = BlancHelp(BlancHelp.Options(model=str(folder), **option))
    with pytest.raises(UsageError, match=r"only (with |for )?a causal model"):
        metric.score(batch_of())


def test_sixteen_bits_give_nearly_the_same(folder: str) -> None:
    full, coarse = (
        InfoDiff(InfoDiff.Options(model=folder, precision=precision)).score(batch_of()).values[0]
        for precision in ("full", "bfloat16")
    )
    assert coarse[1] == pytest.approx(full[1], abs=0.1)
    assert coarse[1] != full[1]


@pytest.mark.parametrize("precision", ["bfloat16", "int8"])
def test_few_bits_are_too_coarse_to_tune_in(precision: str) -> None:
    with pytest.raises(UsageError, match=f"{precision} is too coarse"):
        metric_from(f"blanc-tune:precision={precision}")
