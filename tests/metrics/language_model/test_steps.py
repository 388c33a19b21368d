from __future__ import annotations

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.language_model.blanc_help_counts import Guard, Text, split, steps

ONE, TWO, THREE, FOUR = "It rained.", "Nobody came to the fair.", "Why?", "The tents were wet."
DOCUMENT = Text(" ".join((ONE, TWO, THREE, FOUR)), (ONE, TWO, THREE, FOUR))


def text(*sentences: str) -> Text:
    return Text(" ".join(sentences), sentences)


def helps(summary: Text, guard: Guard) -> dict[str, tuple[str, ...]]:
    """What helps with each sentence of the document."""
    return {step.sentence: step.help.sentences for step in steps(DOCUMENT, summary, guard)}


def test_without_a_guard_the_whole_summary_helps_with_every_sentence() -> None:
    summary = text(TWO, "All was wet.")
    assert helps(summary, "none") == dict.fromkeys((ONE, TWO, THREE, FOUR), summary.sentences)


def test_skip_leaves_out_a_sentence_that_the_summary_copies() -> None:
    summary = text(TWO, "All was wet.")
    assert helps(summary, "skip") == dict.fromkeys((ONE, THREE, FOUR), summary.sentences)


def test_remove_takes_the_copies_out_for_that_sentence_alone() -> None:
    summary = text(TWO, "All was wet.", TWO)
    result = helps(summary, "remove")
    assert result[TWO] == ("All was wet.",)
    assert result[ONE] == result[THREE] == result[FOUR] == summary.sentences


def test_the_text_of_a_changed_summary_is_that_of_its_sentences() -> None:
    changed = list(steps(DOCUMENT, text(TWO, "All was wet."), "remove"))[1]
    assert changed.help.whole == "All was wet."


def test_replace_puts_the_sentence_of_the_nearest_length_in_place_of_a_copy() -> None:
    # TWO has 24 characters; of the others FOUR, with 19, is nearest, then ONE, with 10.
    assert helps(text("Wet.", TWO), "replace")[TWO] == ("Wet.", FOUR)
    assert helps(text(TWO, "Wet.", TWO), "replace")[TWO] == (FOUR, "Wet.", ONE)


def test_replace_takes_no_sentence_that_is_in_the_summary() -> None:
    assert helps(text(TWO, FOUR), "replace")[TWO] == (ONE, FOUR)


def test_replace_only_removes_where_no_other_sentence_is_left() -> None:
    summary = text(ONE, TWO, THREE, FOUR)
    assert helps(summary, "replace")[THREE] == (ONE, TWO, FOUR)


def test_the_earlier_of_two_equally_near_sentences_is_taken() -> None:
    document = text("A cat sat.", "A dog ran.", "A fox hid.")
    (_, step, _) = steps(document, text("A dog ran."), "replace")
    assert step.help.sentences == ("A cat sat.",)


def test_texts_are_normalised_and_split_once() -> None:
    batch = Batch.of([Item("", (), "The \ufb01sh swam. Cafe\u0301 shut.")])
    document = int(batch.documents[0])
    assert split(batch, document, "NFKC", "en").sentences == ("The fish swam.", "Caf\u00e9 shut.")
    assert split(batch, document, "NFKD", "en").sentences == ("The fish swam.", "Cafe\u0301 shut.")
    assert split(batch, document, "NFKC", "en") is split(batch, document, "NFKC", "en")
