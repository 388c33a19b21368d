"""PG-MMR: MMR picks, the writer writes, and the tree tells from what."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.errors import UsageError
from gistmark.models.language_models.writers import Written
from gistmark.records import Document
from gistmark.summarizers import Limit, Source, system_from
from gistmark.summarizers.abstractive import CUT, READ, UNUSABLE, Rounds, copied_share
from gistmark.summarizers.extractive.selection import sentences_of
from scripted_writer import script
from tiny_writers import chat_model

TEXTS = ("Ant bee cat dog. Ant bee. Eel fox gnu.", "Hen ibis. Ant bee cat eel.")
DOCUMENT = Document("d", TEXTS)
USUAL = Limit()


def summarize(
    limit: Limit = USUAL, spec: str = "PG-MMR:pick=1,copied=0", document: Document = DOCUMENT
):
    return system_from(spec).summarize(Source(document), limit)


def picked(output) -> list[list[str]]:
    """For each written sentence, those that it was written from."""
    return [[nugget.text for nugget in node.nuggets] for node in output.tree.children]


# What is picked


def test_rounds_follow_mmr_with_the_summary_so_far():
    """The source has nine words; with a balance of 0.5 and nothing written yet, by first letters:

    a b c d: 4/9 / 2 = 2/9;  a b: 1/9;  e f g: 3/18;  h i: 1/9;  a b c e: 2/9.
    The first of the two best comes first. After a summary sentence `a b c d`:
    a b: 1/9 - 2/4 / 2 = -5/36;  e f g: 1/6;  h i: 1/9;  a b c e: 2/9 - 3/5 / 2 = -7/90.
    """
    rounds = Rounds(sentences_of(DOCUMENT), TEXTS, 0.5)
    assert rounds.best(2) == [0, 4]
    assert rounds.value([0]) == pytest.approx(2 / 9)
    assert rounds.value([0, 1]) == pytest.approx((2 / 9 + 1 / 9) / 2)
    rounds.leave_out([0])
    rounds.remember("Ant bee cat dog.")
    assert rounds.best(9) == [2, 3, 4, 1]
    assert rounds.value([1]) == pytest.approx(-5 / 36)
    assert rounds.value([4]) == pytest.approx(-7 / 90)


def test_the_likeness_that_counts_is_that_to_the_nearest_sentence():
    """`Ant bee` is like the first (1) and not like the second (0): 1/9 - 1/2."""
    rounds = Rounds(sentences_of(DOCUMENT), TEXTS, 0.5)
    rounds.remember("ant bee")
    rounds.remember("hen ibis")
    assert rounds.value([1]) == pytest.approx(1 / 9 - 1 / 2)


def test_words_that_the_source_does_not_have_make_a_sentence_less_alike():
    """Two of the four words of either."""
    rounds = Rounds(sentences_of(DOCUMENT), TEXTS, 0.0)
    rounds.remember("ant bee yak zebu")
    assert rounds.value([1]) == pytest.approx(-2 / 4)


def test_nothing_is_left_in_the_end():
    rounds = Rounds(sentences_of(DOCUMENT), TEXTS, 0.5)
    rounds.leave_out(range(5))
    assert rounds.best(3) == []


# What is written


def test_each_step_is_a_node_of_the_tree(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, ["Ants do.", "Eels do."])
    output = summarize(spec="PG-MMR:pick=1,balance=0.5,copied=0")
    assert output.text == "Ants do. Eels do."
    assert output.tree is not None
    assert [node.label for node in output.tree.children] == ["Ants do.", "Eels do."]
    assert picked(output) == [["Ant bee cat dog."], ["Ant bee cat eel."]]
    assert [node.relevance for node in output.tree.children] == pytest.approx([2 / 9, 2 / 9])
    assert output.tree.relevance == pytest.approx(2 / 9)
    assert output.sentences == ()


def test_the_picked_sentences_are_put_to_the_writer_in_the_documents_order(
    monkeypatch: pytest.MonkeyPatch,
):
    writer = script(monkeypatch, ["One.", "Two."])
    output = summarize(spec="PG-MMR:pick=3,balance=0.5,copied=0")
    assert writer.asked[0].text == "Ant bee cat dog. Eel fox gnu. Ant bee cat eel."
    assert writer.asked[0].instruction == "Write one short sentence that sums up this text."
    assert picked(output)[0] == ["Ant bee cat dog.", "Eel fox gnu.", "Ant bee cat eel."]


def test_no_sentence_of_the_source_is_picked_twice(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, [f"Number {number}." for number in range(9)])
    output = summarize(spec="PG-MMR:pick=2,copied=0")
    nuggets = [nugget.start for node in output.tree.children for nugget in node.nuggets]
    assert sorted(nuggets) == [sentence.start for sentence in sentences_of(DOCUMENT)]
    assert output.text == "Number 0. Number 1. Number 2."


def test_a_sentence_that_was_written_before_is_passed_over(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, ["One.", "ONE.", "", "Two."])
    output = summarize()
    assert output.text == "One. Two."
    assert len(output.tree.children) == 2


def test_the_share_of_copied_words_is_that_of_distinct_content_words():
    """Of dog, park and moon two are in the text; `the` and `in` are stop words."""
    text = "Dogs ran through parks."
    assert copied_share("The dog in the park moon, dog.", text) == pytest.approx(2 / 3)
    assert copied_share("Dogs.", text) == 1.0
    assert copied_share("The moon.", text) == 0.0
    assert copied_share("...", text) == 0.0


def test_what_the_model_made_up_is_passed_over(monkeypatch: pytest.MonkeyPatch):
    """The second has one of its three words from `Ant bee cat eel`, the third all of them."""
    script(monkeypatch, ["The ant, the bee.", "An ant on Mars, dreaming.", "Eel fox."])
    output = summarize(spec="PG-MMR:pick=1,balance=1")
    assert picked(output) == [["Ant bee cat dog."], ["Eel fox gnu."]]
    assert output.text == "The ant, the bee. Eel fox."


def test_only_the_first_sentence_counts(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, ["One is here. Two is there."])
    assert summarize().text == "One is here."


def test_a_sentence_that_was_not_ended_is_passed_over(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, [Written("One is", finished=False), Written("Two. Thr", finished=False)])
    assert summarize().text == "Two."


def test_it_ends_when_a_sentence_does_not_fit(monkeypatch: pytest.MonkeyPatch):
    writer = script(monkeypatch, ["One.", "Two is longer.", "Three."])
    output = summarize(Limit(chars=12))
    assert output.text == "One."
    assert len(output.tree.children) == 1
    assert len(writer.asked) == 2


def test_it_ends_after_so_many_sentences(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, ["One.", "Two.", "Three."])
    assert summarize(Limit(None, sentences=2)).text == "One. Two."


def test_a_first_sentence_that_is_too_long_is_cut_at_a_word(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, ["This one is much too long."])
    output = summarize(Limit(chars=12))
    assert (output.text, output.note) == ("This one is", CUT)
    assert [node.label for node in output.tree.children] == ["This one is much too long."]


def test_where_the_writer_says_nothing_the_best_sentence_stands_in(
    monkeypatch: pytest.MonkeyPatch,
):
    script(monkeypatch, [])
    output = summarize(Limit(None, sentences=1))
    assert output.text == "Ant bee cat dog."
    assert (output.tree, output.note) == (None, UNUSABLE)


def test_sentences_that_were_not_read_to_their_end_are_noted(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, [Written("One.", read_all=False)])
    assert summarize().note == READ


# Degenerate documents; the model is not even opened


@pytest.mark.parametrize("texts", [("",), (" ", "\n")])
def test_an_empty_document_has_an_empty_summary_that_says_so(texts: tuple[str, ...]):
    output = summarize(spec="PG-MMR:model=no such model", document=Document("d", texts))
    assert (output.text, output.note) == ("", "the document has no sentences")


def test_a_limit_without_room_is_noted():
    output = summarize(Limit(None, words=0), spec="PG-MMR:model=no such model")
    assert (output.text, output.note) == ("", "the limit leaves no room")


def test_artefacts_are_not_picked(monkeypatch: pytest.MonkeyPatch):
    text = "Copyright 2019 All rights reserved. The bridge closed on Tuesday."
    writer = script(monkeypatch, ["One."])
    summarize(document=Document("d", (text,)))
    assert writer.asked[0].text == "The bridge closed on Tuesday."


@pytest.mark.parametrize("option", ["pick=0", "balance=1.5", "balance=-1", "copied=2"])
def test_an_option_that_cannot_be_is_refused(option: str):
    with pytest.raises(UsageError):
        system_from(f"PG-MMR:{option}")


def test_a_tiny_model_really_writes(tmp_path: Path):
    pytest.importorskip("transformers")
    spec = f"PG-MMR:pick=2,model={chat_model(tmp_path / 'chat')}"
    output = summarize(Limit(chars=50), spec)
    assert len(output.text) <= 50
    assert output.text or output.note
    assert summarize(Limit(chars=50), spec) == output
