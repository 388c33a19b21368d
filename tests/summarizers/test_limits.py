"""Limits, what fits in them, and the catalogue of systems."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.errors import UsageError
from gistmark.signature import Signature
from gistmark.summarizers import SYSTEMS, Limit
from gistmark.summarizers.summarizer import Budget

LIMITS = st.builds(
    Limit,
    chars=st.none() | st.integers(0, 40),
    words=st.none() | st.integers(0, 8),
    sentences=st.none() | st.integers(0, 3),
)


@pytest.mark.parametrize(
    ("limit", "cut"),
    [
        (Limit(chars=20), "The old crane, which"),
        (Limit(chars=21), "The old crane, which"),
        (Limit(chars=19), "The old crane,"),
        (Limit(chars=2), "Th"),
        (Limit(chars=0), ""),
        (Limit(chars=None, words=2), "The old"),
        (Limit(chars=None, words=0), ""),
        (Limit(chars=9, words=3), "The old"),
        (Limit(chars=None, sentences=0), ""),
        (Limit(chars=None), "The old crane, which fell."),
    ],
)
def test_a_text_is_cut_at_a_word_boundary(limit: Limit, cut: str) -> None:
    assert limit.cut("The old crane, which fell.") == cut


@given(st.text(alphabet="ab' .\n橋\u0301👍", max_size=50), LIMITS)
def test_what_is_cut_fits_and_is_a_beginning(text: str, limit: Limit) -> None:
    text = text.strip()
    cut = limit.cut(text)
    assert text.startswith(cut)
    assert cut == "" or limit.holds([cut])
    assert cut == text or not limit.holds([text])


@given(st.lists(st.text(alphabet="ab .", min_size=1, max_size=9), max_size=8), LIMITS)
def test_room_counts_what_the_joined_sentences_have(sentences: list[str], limit: Limit) -> None:
    budget = Budget(limit)
    taken = [sentence for sentence in sentences if budget.take(sentence)]
    assert budget.sentences == taken
    assert limit.holds(taken)
    assert limit.chars is None or len(" ".join(taken)) <= limit.chars
    assert limit.sentences is None or len(taken) <= limit.sentences


@pytest.mark.parametrize(
    ("limit", "signature"),
    [
        (Limit(), "max-chars:600"),
        (Limit(chars=None, words=80), "max-words:80"),
        (Limit(chars=300, words=45, sentences=3), "max-chars:300|max-words:45|max-sentences:3"),
        (Limit(chars=None), "max:none"),
    ],
)
def test_a_limit_is_part_of_signatures(limit: Limit, signature: str) -> None:
    assert str(Signature("a", "1", limit.fields)) == f"a|v:1|{signature}"


def test_by_default_a_summary_has_at_most_600_characters():
    assert Limit().holds(["x" * 600])
    assert not Limit().holds(["x" * 601])


def test_the_spaces_between_sentences_count():
    assert Limit(chars=5).holds(["ab", "cd"])
    assert not Limit(chars=4).holds(["ab", "cd"])


def test_nothing_is_within_every_limit():
    assert Limit(chars=0, words=0, sentences=0).holds([])


def test_all_limits_hold_together():
    limit = Limit(chars=10, words=2, sentences=1)
    assert limit.holds(["one two"])
    assert not limit.holds(["one two three"])
    assert not limit.holds(["one", "two"])
    assert not limit.holds(["onetwothree"])


def test_an_unknown_system_gets_a_suggestion():
    with pytest.raises(UsageError, match="Did you mean 'LeadFirst'"):
        SYSTEMS.get("LeadFrist")
