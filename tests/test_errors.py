"""Errors: one clear sentence each, or one per problem."""

from __future__ import annotations

import pytest

from gistmark.errors import (
    CorpusError,
    GistmarkError,
    InterruptedRunError,
    MissingExtraError,
    Problem,
    UsageError,
    grouped,
    unknown_name,
)


@pytest.mark.parametrize("kind", [UsageError, MissingExtraError, CorpusError, InterruptedRunError])
def test_every_error_can_be_caught_as_one(kind: type[Exception]):
    assert issubclass(kind, GistmarkError)


def test_a_missing_package_is_got_through_its_extra_or_by_its_name():
    assert str(MissingExtraError("ray", extra="ray")).endswith("pip install 'gistmark[ray]'")
    assert str(MissingExtraError("polars")).endswith("pip install polars")


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (Problem("odd"), "odd"),
        (Problem("odd", "a.csv"), "a.csv: odd"),
        (Problem("odd", "a.csv", 3), "a.csv:3: odd"),
    ],
)
def test_a_problem_says_where_it_is(problem: Problem, text: str):
    assert str(problem) == text


def test_all_problems_are_listed():
    error = CorpusError([Problem("one", "a.csv", 1), Problem("two", "a.csv", 2)])
    assert str(error) == "2 problems in the data:\n  a.csv:1: one\n  a.csv:2: two"
    assert str(CorpusError([Problem("one")])) == "1 problem in the data:\n  one"


def test_very_many_problems_are_kept_but_not_all_printed():
    error = CorpusError(Problem(str(number)) for number in range(60))
    assert len(error.problems) == 60
    lines = str(error).splitlines()
    assert lines[0] == "60 problems in the data:"
    assert lines[-2:] == ["  49", "  ... and 10 more"]


def test_a_name_that_is_nearly_right_gets_a_suggestion_and_a_wild_one_does_not():
    known = ("rouge1", "words")
    assert "Did you mean 'rouge1'?" in str(unknown_name("metric", "rogue1", known))
    wild = str(unknown_name("metric", "xyzzy", known))
    assert wild == "There is no metric 'xyzzy'. Known: rouge1, words."


def test_an_interruption_carries_the_scores():
    scores = object()
    assert InterruptedRunError("Stopped.", scores).scores is scores


def test_problems_that_differ_in_names_alone_become_one():
    named = [Problem(f"Document {name!r} has no title.") for name in ("a", "it's", "c", "d", "e")]
    other = Problem("There is nothing to judge.")
    lines = [Problem("The line is empty.", "x.csv", line) for line in (2, 3)]
    first, *rest = grouped([named[0], other, *named[1:], *lines])
    assert str(first) == (
        "Document 'a' has no title. The same goes for 4 more: \"it's\", 'c', 'd', …"
    )
    assert rest == [other, *lines]
