"""BLANC-tune on tiny models: it learns, forgets again, and is the same under a seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from, metric_from_signature
from gistmark.metrics.language_model.blanc import NO_TEXT, NOTHING_TO_PREDICT
from gistmark.metrics.language_model.blanc_tune import BlancTune, TuneOptions
from gistmark.metrics.language_model.tuned_models import tunable_model
from gistmark.metrics.metric import Values
from gistmark.models.language_models import causal, masked
from tiny_models import SENTENCES, causal_model, llama, masked_model

DOCUMENT = " ".join(SENTENCES)
FAST = {"rate": 5e-3, "epochs": 5}


@pytest.fixture(scope="module", params=[masked_model, causal_model, llama])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(request.param(tmp_path_factory.mktemp("models") / "tiny"))


def scored(folder: str, *items: Item, **options: object) -> Values:
    return BlancTune(TuneOptions(model=folder, **{**FAST, **options})).score(Batch.of(list(items)))


def test_a_summary_that_has_the_answer_scores_higher_than_one_that_has_not(folder: str):
    document = SENTENCES[1]
    with_answer = Item(SENTENCES[1], (), document)
    without = Item("It rained.", (), document)
    result = scored(folder, with_answer, without, epochs=20)
    assert result.values[0, 0] > result.values[1, 0]
    assert result.values[0, 2] > 0, "some words are right only after tuning"


def test_the_same_seed_gives_the_same_counts(folder: str):
    item = Item(SENTENCES[1], (), DOCUMENT)
    first, again = scored(folder, item, seed=4), scored(folder, item, seed=4)
    np.testing.assert_array_equal(first.values, again.values)


def test_tuning_on_one_summary_leaves_nothing_behind_for_the_next(folder: str):
    one, two = Item(SENTENCES[1], (), DOCUMENT), Item(SENTENCES[2], (), DOCUMENT)
    both = scored(folder, one, two)
    np.testing.assert_array_equal(both.values[1], scored(folder, two).values[0])


def test_the_counts_are_of_every_long_word(folder: str):
    """Their sum does not depend on the summary."""
    result = scored(folder, Item(SENTENCES[0], (), DOCUMENT), Item("", (), DOCUMENT))
    assert result.values[0, 1:].sum() == result.values[1, 1:].sum() > 20


def test_an_empty_summary_teaches_nothing(folder: str):
    result = scored(folder, Item("", (), DOCUMENT), Item("it is so", (), DOCUMENT))
    assert result.values[:, 0].tolist() == [0, 0], "short words are no examples either"
    assert result.values[:, 2:4].sum() == 0


def test_what_cannot_be_asked_is_missing(folder: str):
    result = scored(folder, Item("a", ()), Item("Bridge.", (), ""), Item("Bridge.", (), "it is so"))
    assert result.reasons == {0: NO_TEXT, 1: NOTHING_TO_PREDICT, 2: NOTHING_TO_PREDICT}


def test_only_the_top_layer_may_learn(folder: str):
    item = Item(DOCUMENT, (), DOCUMENT)
    whole, top = (scored(folder, item, rate=0.02, layers=layers) for layers in (0, 1))
    assert whole.values[0, 1:].sum() == top.values[0, 1:].sum()
    assert not np.array_equal(whole.values, top.values)


def test_a_summary_longer_than_the_model_is_learnt_in_chunks(folder: str):
    result = scored(folder, Item(DOCUMENT * 4, (), DOCUMENT), epochs=1, chunk=1000, stride=500)
    assert result.reasons == {}


def test_a_sentence_longer_than_the_model_is_cut(folder: str):
    endless = "painters " * 600
    assert scored(folder, Item("Painters.", (), endless), epochs=1).reasons == {}


def test_even_masking_makes_the_examples_of_the_authors_package(tmp_path: Path):
    """Gap 2: two examples for each chunk and epoch."""
    folder = str(masked_model(tmp_path / "m"))
    options = TuneOptions(model=folder, masking="even", epochs=3, replaced=0.0, kept=0.0)
    examples = tunable_model(options).examples(SENTENCES[1])
    assert len(examples) == 2 * 3
    assert examples[:2] == examples[2:4]
    mask = masked.masked_model(folder).mask
    assert all(
        example.read[position] == mask for example in examples for position in example.positions
    )


def test_the_rule_of_the_paper_settles_gap_and_chunks():
    """M = int(1 / 0.15) = 6, and the whole summary; what is said goes first."""
    paper, package = TuneOptions(rule="paper"), TuneOptions()
    assert (paper.gap, paper.chunk, paper.stride) == (6, 0, 0)
    assert (package.gap, package.chunk, package.stride) == (2, 64, 32)
    assert TuneOptions(rule="paper", share=0.3).gap == 3
    other = TuneOptions(rule="paper", gap=2, chunk=10)
    assert (other.gap, other.chunk, other.stride) == (2, 10, 32)


def test_the_signatures_of_the_rules_name_what_they_settle():
    paper = metric_from("blanc-tune:rule=paper")
    for field in ("|gap:6|", "|chunk:0|", "|rule:paper|", "|share:0.15|", "|stride:0|"):
        assert field in paper.signature
    assert metric_from_signature(paper.signature).options == paper.options
    assert "|gap:6|" in metric_from("blanc-help:rule=paper").signature
    assert "|gap:2|" in metric_from("blanc-help").signature


@pytest.mark.parametrize("share", [0.0, 1.1])
def test_a_share_is_of_something_and_not_more_than_all(share: float):
    with pytest.raises(UsageError, match="share: it must be above 0 and at most 1"):
        TuneOptions(share=share)


def test_the_paper_s_examples_are_the_whole_summary_with_words_masked(tmp_path: Path):
    """A summary of 27 words and marks: int(27 * 0.15) = 4 words at a time, in ten passes.

    Of its words, these are longer than four letters: swing, bridge, closed, Tuesday, painter,
    found, crack, steel, bridge, nobody, fishermen: 11, so each pass has 3 examples.
    """
    folder = str(masked_model(tmp_path / "m"))
    summary = " ".join((SENTENCES[0], SENTENCES[1], "Nobody but the fishermen saw it."))
    options = TuneOptions(model=folder, rule="paper", replaced=0.0, kept=0.0)
    examples = tunable_model(options).examples(summary)
    tokens = masked.masked_model(folder).tokenizer(summary)["input_ids"]
    assert len(examples) == 10 * 3
    assert {len(example.read) for example in examples} == {len(tokens)}
    for start in range(0, 30, 3):
        hidden = [place for example in examples[start : start + 3] for place in example.positions]
        assert len(set(hidden)) == len(hidden), "each pass hides each long word once"
    for example in examples:
        assert [tokens[place] for place in example.positions] == list(example.answers)


def test_by_the_rule_of_the_paper_every_piece_of_every_long_word_is_asked_for_once(tmp_path: Path):
    """Whichever gap there is; the package would not ask for the later pieces of split words."""
    folder, item = str(masked_model(tmp_path / "m")), Item(SENTENCES[1], (), DOCUMENT)
    six, one = (scored(folder, item, rule="paper", gap=gap) for gap in (0, 1))
    package = scored(folder, item)
    assert six.values[0, 1:].sum() == one.values[0, 1:].sum() > package.values[0, 1:].sum()
    assert six.values[0, 0] != one.values[0, 0], "fewer words are masked at a time"


def test_random_masking_is_in_a_new_order_in_every_epoch(tmp_path: Path):
    folder = str(masked_model(tmp_path / "m"))
    examples = tunable_model(TuneOptions(model=folder, epochs=2)).examples(SENTENCES[1])
    half = len(examples) // 2
    asked = [sorted(position for example in part for position in example.positions)
             for part in (examples[:half], examples[half:])]  # fmt: skip
    assert asked[0] == asked[1], "each epoch hides every long word once"
    assert [x.positions for x in examples[:half]] != [x.positions for x in examples[half:]]


def test_the_signature_tells_the_way(tmp_path: Path):
    for make, way in ((masked_model, "masked"), (causal_model, "causal")):
        folder = make(tmp_path / way)
        assert BlancTune(TuneOptions(model=str(folder))).signature.endswith(f"|way:{way}")
    assert "way:causal" in BlancTune().signature
    assert "way" not in BlancTune(TuneOptions(model="no/such")).signature.split("|")[-1]


def test_the_weights_are_the_very_same_afterwards(tmp_path: Path):
    folder = str(causal_model(tmp_path / "m"))
    network = causal.causal_model(folder).network
    before = {name: weights.clone() for name, weights in network.named_parameters()}
    scored(folder, Item(SENTENCES[1], (), DOCUMENT), layers=1)
    scored(folder, Item(SENTENCES[1], (), DOCUMENT))
    for name, weights in network.named_parameters():
        assert weights.equal(before[name]), name
        assert weights.requires_grad
        assert weights.grad is None
    assert not network.training
