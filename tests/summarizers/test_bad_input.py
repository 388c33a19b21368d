"""Bad input: what exactly comes out of texts that are no proper documents.

The contract suite asks every system for a sound answer; here the answers themselves are checked.
"""

from __future__ import annotations

import pytest

from gistmark.errors import UsageError
from gistmark.records import Document
from gistmark.summarizers import Limit, Outcome, Source, system_from, systems_from

CLASSIC = ("LeadFirst", "Random", "Oracle", "MMR", "MMR*", "Submodular", "LexRank", "TextRank")
CUT = "every sentence is longer than the limit, so one is cut at a word boundary"


def summary(name: str, *texts: str, limit: Limit | None = None) -> Outcome:
    source = Source(Document("d", texts), ("The bridge is shut.",))
    return system_from(name).summarize(source, limit or Limit())


@pytest.mark.parametrize("name", CLASSIC)
@pytest.mark.parametrize("texts", [(), ("",), (" \n\t", "")])
def test_an_empty_document_has_an_empty_summary(name: str, texts: tuple[str, ...]) -> None:
    outcome = summary(name, *texts)
    assert (outcome.text, outcome.sentences) == ("", ())
    assert outcome.note == "the document has no sentences"


@pytest.mark.parametrize("name", CLASSIC)
def test_a_sentence_longer_than_the_limit_is_cut_at_a_word_boundary(name: str) -> None:
    outcome = summary(name, "The bridge that was shut in May is open.", limit=Limit(chars=18))
    assert outcome.text == "The bridge that"
    assert outcome.note == CUT
    assert outcome.sentences[0].cut


@pytest.mark.parametrize("name", CLASSIC)
def test_a_million_letters_without_a_space_are_cut_in_the_middle(name: str) -> None:
    outcome = summary(name, "bridge" + "e" * 1_000_000)
    assert outcome.text == "bridge" + "e" * 594


@pytest.mark.parametrize("name", CLASSIC)
def test_a_text_without_sentence_enders_is_one_sentence(name: str) -> None:
    outcome = summary(name, "the bridge is shut and ferries run " * 100)
    assert outcome.text == ("the bridge is shut and ferries run " * 18)[:600].rsplit(" ", 1)[0]
    assert len(outcome.sentences) == 1


@pytest.mark.parametrize("name", CLASSIC)
def test_many_sentences_of_one_wording_are_one_candidate(name: str) -> None:
    assert summary(name, "It is shut. " * 2_000).text == "It is shut."


def test_only_artefacts_are_noted_by_the_one_that_avoids_them() -> None:
    text = "Copyright 2019 Example Press. Skip to content."
    assert summary("MMR*", text).note == (
        "every sentence looks like an artefact of a page, so none is passed over"
    )
    assert summary("MMR", text).note is None


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("MMR:balance=x", "MMR:balance: 'x' is not a number"),
        ("MMR:balance=-1", "MMR:balance: -1 is out of range"),
        ("MMR:lambda=0.5", "no option of MMR named 'lambda'"),
        ("Random:seed=1.5", "Random:seed: '1.5' is not a whole number"),
        ("Oracle:against=people", "'people' is not one of references, highlights"),
        ("LeadFirst:seed=1", "LeadFirst has no options"),
        ("extractive:seed=1", "extractive stands for several systems"),
        ("MRM", "Did you mean 'MMR'"),
    ],
)
def test_a_wrong_spec_is_answered_in_one_sentence(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        systems_from([spec])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
