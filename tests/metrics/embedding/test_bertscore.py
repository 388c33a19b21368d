"""BERTScore: its options and values, the matching of tokens, and baselines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.errors import GistmarkError, UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding import bertscore, token_vectors
from gistmark.metrics.embedding.bertscore import (
    BertScore,
    best_matches,
    read_baseline,
    with_harmonic_mean,
)
from gistmark.metrics.embedding.token_vectors import NO_TARGET, NO_WEIGHT, to_unit_length
from gistmark.metrics.metric import Values
from tiny_models import SENTENCES

GIST, OTHER = SENTENCES[:2]


def score(tiny: str, *items: Item, **options: Any) -> Values:
    return BertScore(BertScore.Options(model=tiny, **options)).score(Batch.of(items))


def test_a_copy_scores_1_in_all_parts(tiny: str) -> None:
    assert score(tiny, Item(GIST, (GIST,))).values == pytest.approx(np.ones((1, 3)), abs=1e-6)


def test_precision_and_recall_change_places_with_the_texts(tiny: str) -> None:
    result = score(tiny, Item(GIST, (OTHER,)), Item(OTHER, (GIST,))).values
    assert result[0] == pytest.approx(result[1][[1, 0, 2]], abs=1e-6)
    assert result[0, 0] != pytest.approx(result[0, 1], abs=1e-5)


@pytest.mark.parametrize("summary", ["", " \n"])
def test_an_empty_summary_scores_0(tiny: str, summary: str) -> None:
    result = score(tiny, Item(summary, (GIST,)))
    assert result.values.tolist() == [[0.0, 0.0, 0.0]]
    assert not result.reasons


@pytest.mark.parametrize("summary", ["", GIST])
def test_an_empty_reference_is_a_reason(tiny: str, summary: str) -> None:
    assert score(tiny, Item(summary, (" ",))).reasons == {0: NO_TARGET}


def test_an_empty_reference_among_others_is_passed_over(tiny: str) -> None:
    both = score(tiny, Item(GIST, ("", OTHER)), Item(GIST, (OTHER,)))
    assert both.values[0] == pytest.approx(both.values[1])


def test_of_several_references_the_one_with_the_best_f_counts_as_a_whole(tiny: str) -> None:
    references = SENTENCES[1:4]
    apart = score(tiny, *(Item(GIST, (text,)) for text in references)).values
    best = apart[apart[:, 2].argmax()]
    assert score(tiny, Item(GIST, references)).values[0] == pytest.approx(best, abs=1e-6)
    mean = score(tiny, Item(GIST, references), refs="mean").values[0]
    assert mean == pytest.approx(apart.mean(axis=0), abs=1e-6)


def test_against_the_document_references_are_not_looked_at(tiny: str) -> None:
    result = score(
        tiny, Item(GIST, (GIST,), OTHER), Item(GIST, (OTHER,), OTHER), against="document"
    )
    expected = score(tiny, Item(GIST, (OTHER,)))
    assert result.values == pytest.approx(np.repeat(expected.values, 2, axis=0), abs=1e-6)


def test_a_half_life_weighs_the_target_and_leaves_precision_alone(tiny: str) -> None:
    plain = score(tiny, Item(GIST, (OTHER,))).values[0]
    weighed = score(tiny, Item(GIST, (OTHER,)), half_life=3).values[0]
    assert weighed[0] == plain[0]
    assert weighed[1] != pytest.approx(plain[1], abs=1e-6)
    endless = score(tiny, Item(GIST, (OTHER,)), half_life=10**6).values[0]
    assert endless == pytest.approx(plain, abs=1e-5)


def test_without_targets_no_model_is_needed() -> None:
    result = score("there/is/no/such/model", Item(GIST))
    assert result.reasons == {0: "the document has no reference"}


def test_the_usual_layer_is_used_and_told(tiny: str) -> None:
    """Three quarters of 3 layers, rounded up, is layer 3."""
    usual = BertScore(BertScore.Options(model=tiny))
    chosen = BertScore(BertScore.Options(model=tiny, layer=3))
    assert usual.signature == chosen.signature
    assert "|layer:3|" in usual.signature
    batch = Batch.of([Item(GIST, (OTHER,))])
    assert usual.score(batch).values == pytest.approx(chosen.score(batch).values)


def test_the_embedded_model_is_read_at_layer_5() -> None:
    assert "|layer:5|" in BertScore().signature


def test_a_model_that_is_not_here_still_has_a_signature() -> None:
    signature = BertScore(BertScore.Options(model="nobody/nothing")).signature
    assert "|layer:0|" in signature
    assert "|model:nobody/nothing@missing|" in signature


def test_groups_of_few_texts_give_the_same_values(
    tiny: str, batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = BertScore(BertScore.Options(model=tiny))
    whole = metric.score(batch).values
    monkeypatch.setattr(token_vectors, "MOST_TOKENS", 30)
    fresh = Batch.of(list(batch))
    assert metric.score(fresh).values == pytest.approx(whole, abs=1e-6)
    assert not any(fresh._memos.values()), "what does not fit is not kept"


def test_a_long_document_is_read_to_its_end(tiny: str) -> None:
    """The documents differ only behind what the model reads at once."""
    long = " ".join(SENTENCES) * 3
    items = [Item(GIST, (), long), Item(GIST, (), long + " Money, money, money!")]
    windows = score(tiny, *items, against="document").values
    cut = score(tiny, *items, against="document", long="cut").values
    assert cut[0] == pytest.approx(cut[1], abs=1e-6)
    assert np.abs(windows[0] - windows[1]).max() > 1e-5


def test_a_baseline_rescales_also_the_0_of_an_empty_summary(tiny: str, tmp_path: Path) -> None:
    """(0 - 0.5) / (1 - 0.5) = -1, and a copy stays at 1."""
    file = tmp_path / "base.tsv"
    file.write_text("LAYER,P,R,F\n3,0.5,0.5,0.5\n", encoding="utf-8")
    result = score(tiny, Item("", (GIST,)), Item(GIST, (GIST,)), baseline=str(file))
    assert result.values == pytest.approx(np.array([[-1.0] * 3, [1.0] * 3]), abs=1e-6)


def test_a_baseline_stands_in_the_signature_with_its_hash(tiny: str, tmp_path: Path) -> None:
    file = tmp_path / "base.tsv"
    file.write_text("LAYER,P,R,F\n3,0.5,0.5,0.5\n", encoding="utf-8")
    signature = BertScore(BertScore.Options(model=tiny, baseline=str(file))).signature
    assert "|baseline:base.tsv@" in signature
    assert str(tmp_path) not in signature


def test_a_layer_without_a_baseline_is_an_error(tiny: str, tmp_path: Path) -> None:
    file = tmp_path / "base.tsv"
    file.write_text("LAYER,P,R,F\n3,0.5,0.5,0.5\n", encoding="utf-8")
    with pytest.raises(Exception, match="no row for layer 2"):
        score(tiny, Item(GIST, (OTHER,)), baseline=str(file), layer=2)


def test_texts_whose_tokens_all_weigh_nothing_have_a_reason(tiny: str, tmp_path: Path) -> None:
    """In the one text of the file each of its tokens is everywhere: log(2 / 2) = 0."""
    file = tmp_path / "texts.txt"
    file.write_text(GIST, encoding="utf-8")
    result = score(tiny, Item(GIST, (OTHER,)), Item(OTHER, (OTHER,)), idf=str(file))
    assert result.reasons == {0: NO_WEIGHT}


def test_a_file_of_texts_that_is_not_there_is_found_at_once(tiny: str) -> None:
    with pytest.raises(UsageError, match="is neither no nor corpus"):
        BertScore(BertScore.Options(model=tiny, idf="not/there.txt"))


def test_each_token_takes_its_best_partner_of_the_other_text() -> None:
    """Cosines of ours (rows) with theirs: [[1, 0.6], [0, 0.8], [-1, -0.6]]."""
    ours = np.array([[1, 0], [0, 1], [-1, 0]], dtype=np.float32)
    theirs = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    for_ours, for_theirs = best_matches(ours, theirs)
    assert for_ours == pytest.approx([1.0, 0.8, -0.6])
    assert for_theirs == pytest.approx([1.0, 0.8])


def test_long_texts_matched_some_rows_at_a_time_match_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    ours, theirs = (rng.normal(size=(n, 8)).astype(np.float32) for n in (57, 13))
    whole = best_matches(ours, theirs)
    monkeypatch.setattr(bertscore, "MOST_CELLS", 50)
    for result, expected in zip(best_matches(ours, theirs), whole, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_unit_length_leaves_a_vector_without_length_alone() -> None:
    vectors = np.array([[3, 4], [0, 0]], dtype=np.float32)
    assert to_unit_length(vectors) == pytest.approx(np.array([[0.6, 0.8], [0, 0]]))
    assert vectors[0, 0] == 3


def test_f_is_the_harmonic_mean_and_0_where_the_signs_differ() -> None:
    """2 * 0.5 * 0.25 / 0.75 = 1/3; both negative alike: 2 * 0.04 / -0.4 = -0.2."""
    precision, recall = np.array([0.5, -0.2, 0.3, 0.0]), np.array([0.25, -0.2, -0.3, 0.0])
    result = with_harmonic_mean(precision, recall)
    assert result[:, 2] == pytest.approx([1 / 3, -0.2, 0.0, 0.0])
    assert result[:, 0].tolist() == precision.tolist()
    assert result[:, 1].tolist() == recall.tolist()


def written(folder: Path, text: str) -> str:
    file = folder / "en:base.tsv"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("between", [",", "\t"])
def test_values_are_rescaled_by_the_row_of_their_layer(tmp_path: Path, between: str) -> None:
    """(0.9 - 0.8) / (1 - 0.8) = 0.5; (0.7 - 0.6) / 0.4 = 0.25; (0.25 - 0.5) / 0.5 = -0.5."""
    text = "LAYER,P,R,F\n5,0,0,0\n6,0.8,0.6,0.5\n".replace(",", between)
    baseline = read_baseline(written(tmp_path, text))
    result = baseline.rescaled(np.array([[0.9, 0.7, 0.25]]), 6)
    assert result == pytest.approx(np.array([[0.5, 0.25, -0.5]]))


def test_a_layer_that_the_file_does_not_have_is_an_error(tmp_path: Path) -> None:
    baseline = read_baseline(written(tmp_path, "LAYER,P,R,F\n5,0,0,0\n"))
    with pytest.raises(GistmarkError, match="no row for layer 6"):
        baseline.rescaled(np.zeros((1, 3)), 6)


def test_the_label_tells_the_name_and_the_content(tmp_path: Path) -> None:
    first = read_baseline(written(tmp_path, "LAYER,P,R,F\n5,0,0,0\n")).label
    second = read_baseline(written(tmp_path, "LAYER,P,R,F\n5,0,0,0.1\n")).label
    assert first != second
    assert first.startswith("en:base.tsv@")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no rows"),
        ("LAYER,P,R,F\n", "has no rows"),
        ("LAYER,P,R,F\n1,0.5,0.5\n", "line 2 of .* three numbers"),
        ("LAYER,P,R,F\n1,0,0,0\n\nx,0.5,0.5,0.5\n", "line 4 of .* three numbers"),
        ("LAYER,P,R,F\n1,0.5,1.0,0.5\n", "line 2 of .* not from -1 to below 1"),
        ("LAYER,P,R,F\n1,0.5,nan,0.5\n", "line 2 of .* not from -1 to below 1"),
    ],
)
def test_a_file_that_is_no_baseline_is_one_clear_sentence(
    tmp_path: Path, text: str, problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        read_baseline(written(tmp_path, text))


def test_a_file_that_is_not_there_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither no nor a text file"):
        read_baseline(str(tmp_path / "missing.tsv"))
