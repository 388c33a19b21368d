"""Abstractive: what a model writes becomes a summary that fits, or a note says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.errors import GistmarkError, UsageError
from gistmark.models.language_models.writers import Written
from gistmark.records import Document
from gistmark.summarizers import Limit, Source, system_from
from gistmark.summarizers.abstractive import CUT, NOTHING, READ, UNFINISHED, tokens_for
from gistmark.text import word_spans
from scripted_writer import script
from tiny_writers import bart, chat_model

DOCUMENT = Document("d", ("The bridge closed on Tuesday. It will stay shut.", "A second text."))
SOURCE = Source(DOCUMENT)


def summarize(limit: Limit, document: Document = DOCUMENT, spec: str = "abstractive"):
    return system_from(spec).summarize(Source(document), limit)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    pytest.importorskip("transformers")
    home = tmp_path_factory.mktemp("models")
    return {"bart": bart(home / "bart"), "chat": chat_model(home / "chat")}


# Making it fit


def test_whole_sentences_are_taken_while_they_fit(monkeypatch: pytest.MonkeyPatch):
    """`One is here. Two is there.` has 12 + 1 + 13 characters; the third does not fit in 30."""
    script(monkeypatch, ["One is here. Two is there. Three is somewhere."])
    output = summarize(Limit(chars=30))
    assert output.text == "One is here. Two is there."
    assert (output.note, output.sentences, output.tree) == (None, (), None)


@pytest.mark.parametrize(
    ("limit", "text"),
    [(Limit(chars=None, sentences=1), "One is here."), (Limit(None, words=5), "One is here.")],
)
def test_every_kind_of_limit_holds(limit: Limit, text: str, monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, ["One is here. Two is there."])
    assert summarize(limit).text == text


def test_what_comes_after_a_sentence_that_does_not_fit_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
):
    script(monkeypatch, ["One. This second one is much too long for that. Two."])
    assert summarize(Limit(chars=20)).text == "One."


def test_a_first_sentence_that_is_too_long_is_cut_at_a_word(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, ["This first sentence is much too long."])
    output = summarize(Limit(chars=20))
    assert (output.text, output.note) == ("This first sentence", CUT)


def test_a_sentence_that_the_model_did_not_end_is_left_out(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, [Written("One is here. Two is th", finished=False)])
    assert summarize(Limit()).text == "One is here."


def test_if_the_model_ended_none_the_first_is_cut_and_that_is_noted(
    monkeypatch: pytest.MonkeyPatch,
):
    script(monkeypatch, [Written("One goes on and on and", finished=False)])
    output = summarize(Limit(chars=10))
    assert (output.text, output.note) == ("One goes", UNFINISHED)


@pytest.mark.parametrize("answer", ["", "  \n "])
def test_a_model_that_writes_nothing_is_noted(answer: str, monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, [answer])
    output = summarize(Limit())
    assert (output.text, output.note) == ("", NOTHING)


def test_no_sentence_comes_twice(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, ["One is here. ONE  is here. Two is there. One is here."])
    assert summarize(Limit()).text == "One is here. Two is there."


@pytest.mark.parametrize(
    "answer", ["Here is a summary:\n\nOne is here.", "One\nis   here.", "One is here.\n"]
)
def test_lines_and_announcements_are_no_part_of_a_summary(
    answer: str, monkeypatch: pytest.MonkeyPatch
):
    script(monkeypatch, [answer])
    assert summarize(Limit()).text == "One is here."


def test_a_document_that_was_not_read_to_its_end_is_noted(monkeypatch: pytest.MonkeyPatch):
    script(monkeypatch, [Written("One.", read_all=False), Written("", read_all=False)])
    assert summarize(Limit()).note == READ
    assert summarize(Limit()).note == f"{NOTHING}; {READ}"


# What the model is asked


def test_all_texts_are_put_to_the_model(monkeypatch: pytest.MonkeyPatch):
    writer = script(monkeypatch, ["One."])
    summarize(Limit())
    (request,) = writer.asked
    assert request.text == DOCUMENT.text
    assert request.instruction == "Summarize this text in a few sentences."


@pytest.mark.parametrize(
    ("spec", "instruction"),
    [("abstractive", "summarize: "), ("abstractive:prompt=tl;dr", "tl;dr")],
)
def test_a_sequence_to_sequence_model_gets_its_prefix(
    spec: str, instruction: str, monkeypatch: pytest.MonkeyPatch
):
    writer = script(monkeypatch, ["One."], encodes=True, prefix="summarize: ")
    summarize(Limit(), spec=spec)
    assert writer.asked[0].instruction == instruction


def test_options_decide_how_the_model_writes(monkeypatch: pytest.MonkeyPatch):
    writer = script(monkeypatch, ["One."])
    summarize(Limit(), spec="abstractive:beams=4,no_repeat=2,read=77")
    (decoding,) = writer.decoding
    assert (decoding.beams, decoding.no_repeat, decoding.read) == (4, 2, 77)


@pytest.mark.parametrize(
    ("limit", "tokens"),
    [
        (Limit(), 180),  # 600 // 4 + 30
        (Limit(None, words=100), 230),  # 2 * 100 + 30
        (Limit(None, sentences=2), 120),  # 2 * 60
        (Limit(None), 1024),
        (Limit(chars=600, sentences=0), 1),
    ],
)
def test_the_limit_bounds_what_is_written(limit: Limit, tokens: int):
    assert tokens_for(limit) == tokens


@pytest.mark.parametrize("option", ["beams=0", "read=0", "no_repeat=-1", "beams=x", "length=3"])
def test_an_option_that_cannot_be_is_refused(option: str):
    with pytest.raises(UsageError):
        system_from(f"abstractive:{option}")


# Degenerate documents; the model is not even opened


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_an_empty_document_has_an_empty_summary_that_says_so(text: str):
    output = summarize(Limit(), Document("d", (text,)), spec="abstractive:model=no such model")
    assert (output.text, output.note) == ("", "the document has no sentences")


def test_a_limit_without_room_is_noted():
    output = summarize(Limit(chars=0), spec="abstractive:model=no such model")
    assert (output.text, output.note) == ("", "the limit leaves no room")


# Real models


def test_a_model_that_is_not_there_is_one_sentence():
    with pytest.raises(GistmarkError, match="There is no model 'no such model'"):
        summarize(Limit(), spec="abstractive:model=no such model")


@pytest.mark.parametrize("kind", ["bart", "chat"])
@pytest.mark.parametrize("limit", [Limit(chars=80), Limit(None, words=9), Limit(None, sentences=1)])
def test_a_tiny_model_stays_within_the_limit(models: dict[str, Path], kind: str, limit: Limit):
    spec = f"abstractive:model={models[kind]}"
    output = summarize(limit, spec=spec)
    assert output.text or output.note
    assert limit.chars is None or len(output.text) <= limit.chars
    assert limit.words is None or len(word_spans(output.text, "words")) <= limit.words
    assert summarize(limit, spec=spec) == output


def test_the_signature_names_the_model_with_its_hash(models: dict[str, Path]):
    output = system_from(f"abstractive:model={models['bart']}").signature
    assert "|model:bart@" in output
    assert output.startswith("abstractive|v:")
    usual = system_from("abstractive").signature
    assert "|model:SmolLM2-135M-Instruct@bcc81830d10c|" in usual
    named = system_from("abstractive:model=SmolLM2-135M-Instruct@bcc81830d10c")
    assert named.signature == usual
