"""Which words are asked for; the tokenizer of the embedded sentence encoder is BERT's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gistmark.errors import GistmarkError
from gistmark.metrics.language_model.eligible import Least, Pieces, in_pieces, maskings, word_starts
from gistmark.models.loading import load_tokenizer, source_of
from tiny_models import causal_model


@pytest.fixture(scope="module")
def bert() -> Any:
    return load_tokenizer(source_of("all-MiniLM-L6-v2"))


@pytest.fixture(scope="module")
def byte_pairs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = causal_model(tmp_path_factory.mktemp("models") / "gpt2")
    return load_tokenizer(source_of(str(folder)))


def asked(tokenizer: Any, text: str, **options: Any) -> list[list[str]]:
    """The tokens that are masked, pass by pass."""
    (pieces,) = in_pieces(tokenizer, [text])
    shown = tokenizer.convert_ids_to_tokens(list(pieces.tokens))
    return [
        [shown[position] for position in positions] for positions in maskings(pieces, **options)
    ]


def test_the_package_asks_for_long_tokens_and_the_lead_of_split_words(bert: Any) -> None:
    # unaffable is una ##ffa ##ble for BERT: the lead needs 2 characters, later pieces 100.
    assert bert.tokenize("An unaffable man sat here") == [
        "an", "una", "##ffa", "##ble", "man", "sat", "here",
    ]  # fmt: skip
    assert asked(bert, "An unaffable man sat here", gap=1) == [["una", "here"]]


def test_every_gap_th_token_is_masked_in_one_pass(bert: Any) -> None:
    # Places:          0     1   2     3      4
    assert asked(bert, "Some big birds never return", gap=2) == [
        ["some", "birds", "return"],
        ["never"],
    ]
    assert asked(bert, "Some big birds never return", gap=3) == [
        ["some", "never"],
        ["return"],
        ["birds"],
    ]


def test_several_neighbours_may_be_masked_together(bert: Any) -> None:
    # Passes over places 01.34.., .12.45., and 0.23.5 of words of at least one character.
    assert asked(bert, "a b c d e f", gap=3, wide=2, least=Least(1, 1, 1)) == [
        ["a", "b", "d", "e"],
        ["b", "c", "e", "f"],
        ["a", "c", "d", "f"],
    ]


def test_a_sentence_shorter_than_the_gap_has_a_pass_per_token(bert: Any) -> None:
    assert asked(bert, "Birds return", gap=6) == [["birds"], ["return"]]


def test_lengths_can_be_set(bert: Any) -> None:
    assert asked(bert, "An unaffable man sat here", gap=1, least=Least(3, 4, 3)) == [
        ["##ffa", "##ble", "man", "sat", "here"]
    ]


def test_the_paper_asks_for_whole_words_with_all_their_pieces(bert: Any) -> None:
    # Words:             0  1         2   3   4    5
    text = "An unaffable man sat here."
    assert asked(bert, text, gap=1, rule="paper") == [["una", "##ffa", "##ble", "here"]]
    assert asked(bert, text, gap=2, rule="paper") == [["here"], ["una", "##ffa", "##ble"]]


def test_the_length_of_a_token_is_that_without_its_accents(bert: Any) -> None:
    """The package takes the length of what the tokenizer made of a word: nee has three letters."""
    assert asked(bert, "ne\u0301e Anna", gap=1) == [["anna"]]


def test_a_cut_sentence_ends_with_a_whole_word_for_the_package(bert: Any) -> None:
    (pieces,) = in_pieces(bert, ["An unaffable man"])
    assert maskings(pieces.first(2), gap=1) == []
    assert maskings(pieces.first(2), gap=1, least=Least(3)) == [(1,)]


def test_no_text_has_no_passes(bert: Any) -> None:
    assert in_pieces(bert, []) == []
    assert in_pieces(bert, [""]) == [Pieces((), (), (), ())]
    assert maskings(Pieces((), (), (), ()), gap=2) == []


def words_of(tokenizer: Any, text: str, least: int = 4) -> list[str]:
    """The tokens in which words start."""
    ((tokens, positions),) = word_starts(tokenizer, [text], least)
    return [tokenizer.decode([tokens[position]]) for position in positions]


def test_a_causal_model_is_asked_for_the_first_token_of_each_long_word(byte_pairs: Any) -> None:
    text = "The swing bridge closed, and the xylophonist ran."
    first = words_of(byte_pairs, text)
    assert [token.strip()[0] for token in first] == ["s", "b", "c", "x"]
    ((tokens, positions),) = word_starts(byte_pairs, [text], 4)
    assert "".join(byte_pairs.convert_ids_to_tokens(list(tokens))).count("\u0120") == 7
    assert len(set(positions)) == len(positions)


def test_a_word_in_quotes_and_the_first_word_are_found(byte_pairs: Any) -> None:
    ((tokens, positions),) = word_starts(byte_pairs, ['Bridge "closed" (again)'], 4)
    shown = [byte_pairs.decode([token]) for token in tokens]
    assert positions[0] == 0
    assert [shown[position].strip(' "(')[:1] for position in positions[1:]] == ["c", "a"]


def test_letters_of_several_bytes_are_one_letter(byte_pairs: Any) -> None:
    """Each Cyrillic letter is two tokens here; its word starts with the first of them."""
    ((tokens, positions),) = word_starts(byte_pairs, ["мост да"], 4)
    assert len(tokens) > len("мост да")
    assert positions == (0,)


def test_scripts_without_spaces_and_emoji_have_no_long_words(byte_pairs: Any) -> None:
    assert words_of(byte_pairs, "橋に亀裂が見つかり、閉鎖された。") == []
    assert words_of(byte_pairs, "👍👨\u200d👩\u200d👧 ok!") == []


def test_a_character_is_asked_for_where_one_makes_a_word(byte_pairs: Any) -> None:
    assert len(words_of(byte_pairs, "橋は閉鎖。", least=1)) == 4


def test_apostrophes_and_accents_are_no_letters_but_vowel_signs_are(byte_pairs: Any) -> None:
    assert len(words_of(byte_pairs, "o'er don't")) == 1
    assert words_of(byte_pairs, "ne\u0301e") == []
    assert len(words_of(byte_pairs, "दरार के कारण पुल बंद है।")) == 2


def test_a_tokenizer_that_knows_no_places_is_refused() -> None:
    class Slow:
        is_fast = False
        name_or_path = "old-model"

    with pytest.raises(GistmarkError, match=r"old-model .* tokenizer\.json"):
        word_starts(Slow(), ["text"], 4)


def test_a_sentencepiece_tokenizer_works_too(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    known = [("<unk>", 0.0), ("\u2581The", -1.0), ("\u2581swing", -2.0), ("\u2581bri", -3.0),
             ("dge", -3.0), (".", -2.0)]  # fmt: skip
    raw = Tokenizer(models.Unigram(known, unk_id=0))
    raw.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="<unk>")
    assert word_starts(tokenizer, ["The swing bridge."], 4) == [((1, 2, 3, 4, 5), (1, 2))]
    (pieces,) = in_pieces(tokenizer, ["The swing bridge."])
    assert pieces.sizes == (3, 5, 3, 3, 1)
