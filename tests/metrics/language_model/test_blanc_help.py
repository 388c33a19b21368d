"""BLANC-help on models of both kinds: its parts, its options, and odd texts."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blanc_gists import GISTS, STORY
from gistmark.errors import GistmarkError, UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.language_model.blanc import NO_TEXT, NOTHING_TO_PREDICT
from gistmark.metrics.language_model.blanc_help import BlancHelp
from gistmark.metrics.metric import Values
from tiny_models import SENTENCES, encoder


def scored(model: str, *items: Item, **options: Any) -> Values:
    return BlancHelp(BlancHelp.Options(model=model, **options)).score(Batch.of(items))


def counts(model: str, summary: str, document: str, **options: Any) -> list[int]:
    return scored(model, Item(summary, (), document), **options).values[0, 1:].astype(int).tolist()


@pytest.mark.parametrize("kind", ["masked", "gpt2"])
class TestOfBothWays:
    def test_the_value_is_made_of_the_counts(self, models: dict[str, str], kind: str) -> None:
        item = Item(GISTS[1], (), STORY)
        for measure in ("relative", "improve"):
            (row,) = scored(models[kind], item, measure=measure).values
            value, s00, s01, s10, s11 = row.tolist()
            if measure == "relative":
                assert value == pytest.approx((s01 - s10) / (s00 + s01 + s10 + s11))
            else:
                assert value == pytest.approx(s01 / (s00 + s01 + s11))

    @pytest.mark.parametrize("summary", ["", " \n\t"])
    def test_an_empty_summary_helps_nobody(
        self, models: dict[str, str], kind: str, summary: str
    ) -> None:
        value, _, s01, s10, _ = scored(models[kind], Item(summary, (), STORY)).values[0]
        assert value == s01 == s10 == 0

    @pytest.mark.parametrize("document", ["", " \n", "It is so.", "."])
    def test_a_document_without_long_words_has_no_value(
        self, models: dict[str, str], kind: str, document: str
    ) -> None:
        result = scored(models[kind], Item(GISTS[0], (), document))
        assert result.reasons == {0: NOTHING_TO_PREDICT}
        assert np.isnan(result.values).all()

    def test_no_document_is_a_reason_of_its_own(self, models: dict[str, str], kind: str) -> None:
        assert scored(models[kind], Item(GISTS[0])).reasons == {0: NO_TEXT}

    def test_one_word_is_asked_for(self, models: dict[str, str], kind: str) -> None:
        assert sum(counts(models[kind], GISTS[0], "bridge")) == 1

    def test_items_do_not_depend_on_their_company(self, models: dict[str, str], kind: str) -> None:
        items = [Item(gist, (), document) for gist in GISTS for document in (STORY, SENTENCES[2])]
        together = scored(models[kind], *items, items[0]).values
        alone = [scored(models[kind], item).values[0] for item in items]
        np.testing.assert_array_equal(together, [*alone, alone[0]])

    def test_texts_longer_than_the_model_are_cut(self, models: dict[str, str], kind: str) -> None:
        """The models here read 128 and 256 tokens."""
        long = STORY * 20
        endless = STORY.replace(".", ",")
        for summary, document in ((long, STORY), (GISTS[0], endless), (long, endless)):
            result = scored(models[kind], Item(summary, (), document), cut=20)
            assert result.reasons == {}
            assert 0 < result.values[0, 1:].sum() <= 400

    def test_a_separator_stands_between_help_and_sentence(
        self, models: dict[str, str], kind: str
    ) -> None:
        """It is there without help too, so an empty summary still helps nobody."""
        plain = counts(models[kind], GISTS[0], STORY)
        apart = counts(models[kind], GISTS[0], STORY, sep="week")
        assert sum(apart) == sum(plain)
        assert scored(models[kind], Item("", (), STORY), sep="week").values[0, 0] == 0

    def test_the_skipping_guard_leaves_copied_sentences_out(
        self, models: dict[str, str], kind: str
    ) -> None:
        gist = f"{SENTENCES[1]} {GISTS[0]}"
        rest = " ".join(sentence for sentence in SENTENCES if sentence != SENTENCES[1])
        assert counts(models[kind], gist, STORY, guard="skip") == counts(models[kind], gist, rest)

    def test_the_removing_guard_helps_with_the_rest_of_the_summary(
        self, models: dict[str, str], kind: str
    ) -> None:
        gist = f"{SENTENCES[1]} {GISTS[0]}"
        rest = " ".join(sentence for sentence in SENTENCES if sentence != SENTENCES[1])
        expected = np.add(
            counts(models[kind], GISTS[0], SENTENCES[1]), counts(models[kind], gist, rest)
        )
        assert counts(models[kind], gist, STORY, guard="remove") == expected.tolist()

    def test_the_replacing_guard_helps_with_another_sentence(
        self, models: dict[str, str], kind: str
    ) -> None:
        # The second sentence has 55 characters, and so has the fifth.
        assert [len(sentence) for sentence in SENTENCES] == [35, 55, 76, 70, 55, 63]
        gist = f"{SENTENCES[1]} {GISTS[0]}"
        rest = " ".join(sentence for sentence in SENTENCES if sentence != SENTENCES[1])
        expected = np.add(
            counts(models[kind], f"{SENTENCES[4]} {GISTS[0]}", SENTENCES[1]),
            counts(models[kind], gist, rest),
        )
        assert counts(models[kind], gist, STORY, guard="replace") == expected.tolist()

    def test_a_copy_of_the_document_with_every_sentence_skipped_has_no_value(
        self, models: dict[str, str], kind: str
    ) -> None:
        assert scored(models[kind], Item(STORY, (), STORY), guard="skip").reasons == {
            0: NOTHING_TO_PREDICT
        }


def test_emoji_are_unknown_tokens_to_a_masked_model_and_no_words_to_a_causal_one(
    models: dict[str, str],
) -> None:
    """The package asks for tokens of four characters, and that of the unknown has five."""
    assert sum(counts(models["masked"], "👍", "👍 👍")) == 2
    assert scored(models["gpt2"], Item("👍", (), "👍 👍")).reasons == {0: NOTHING_TO_PREDICT}


def test_letters_of_another_script_are_asked_for(models: dict[str, str]) -> None:
    assert sum(counts(models["gpt2"], "Мост закрыт.", "Мост закрыт на одиннадцать недель.")) == 4


def test_composed_and_decomposed_letters_are_the_same_text(models: dict[str, str]) -> None:
    document = "The caf\u00e9 closed. M\u00fcller cried."
    for kind in models:
        result = [
            counts(models[kind], unicodedata.normalize(form, GISTS[0]),
                   unicodedata.normalize(form, document))
            for form in ("NFC", "NFD")
        ]  # fmt: skip
        assert result[0] == result[1]


def test_a_longer_filler_is_repeated_and_cut(models: dict[str, str]) -> None:
    plain = counts(models["masked"], GISTS[0], STORY)
    assert sum(counts(models["masked"], GISTS[0], STORY, filler="the bridge")) == sum(plain)


def test_an_empty_filler_is_refused() -> None:
    with pytest.raises(UsageError, match="filler"):
        BlancHelp.Options(filler=" ")


@pytest.mark.parametrize(
    ("name", "text"), [("none", ""), ("space", " "), ("line", "\n"), ("###", "###")]
)
def test_separators_have_names(name: str, text: str) -> None:
    options = BlancHelp.Options(sep=text)
    assert options == BlancHelp.Options(sep=name)
    assert options.separator == text
    assert f"|sep:{name}|" in BlancHelp(options).signature
    assert BlancHelp.Options().sep == "none"


def test_a_model_without_a_head_is_refused(tmp_path: Path) -> None:
    folder = encoder(tmp_path / "encoder")
    with pytest.raises(GistmarkError, match="neither a masked nor a causal"):
        scored(str(folder), Item(GISTS[0], (), STORY))
