"""Units from parsed sentences, by the embedded pipeline."""

from __future__ import annotations

import pytest

from gistmark.metrics.content_units.clauses import facts
from gistmark.models.parsers import Token, parser


def units(text: str) -> list[str]:
    (sentences,) = parser("en_core_web_sm").parse([text], "en")
    return [fact for sentence in sentences for fact in facts(sentence)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A crack shut the swing bridge for eleven weeks.",
            ["A crack shut the swing bridge", "A crack shut the swing bridge for eleven weeks"],
        ),
        # A second predicate has the subject of the first.
        (
            "The painter told police and went home.",
            ["The painter told police", "The painter went home"],
        ),
        # What is said is a unit with who says it, and by itself.
        (
            "Engineers say that ferries will run.",
            ["Engineers say that ferries will run", "ferries will run"],
        ),
        # Of "to be", only the adjunct says something.
        ("He was in Paris.", ["He was in Paris"]),
        # A predicate by itself says nothing, so the sentence stands as it is.
        ("Closed.", ["Closed"]),
        # A negation stays with its verb.
        ("The ferry will not run.", ["The ferry will not run"]),
        # Without a predicate, the sentence is a unit.
        ("Steel.", ["Steel"]),
        ("橋は閉鎖された。", ["橋は閉鎖された"]),
        ("👍 ...", []),
        ("", []),
    ],
)
def test_a_sentence_is_cut_into_facts(text: str, expected: list[str]) -> None:
    assert units(text) == expected


def test_a_relative_clause_is_about_its_noun() -> None:
    assert units("Police thanked the man who found the crack.") == [
        "Police thanked the man",
        "the man found the crack",
    ]


def test_an_apposition_is_a_unit_of_both_names() -> None:
    assert "The painter, a local man" in units("The painter, a local man, found a crack.")


def test_a_sentence_whose_words_depend_on_each_other_in_a_circle_ends() -> None:
    """No parser gives one, but a folder of anybody's might."""
    circle = (
        Token("runs", 0, "VERB", "conj", 1, True),
        Token("stops", 5, "VERB", "conj", 0, False),
    )
    assert facts(circle) != []


def test_a_long_list_of_predicates_is_cut_off() -> None:
    went = [Token(f"went{n}", 6 * n, "VERB", "conj" if n else "ROOT", 0, True) for n in range(90)]
    somebody = Token("Ann", 600, "PROPN", "nsubj", 0, False)
    assert len(facts((*went, somebody))) == 60
