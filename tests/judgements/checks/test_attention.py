"""Sanity checks: what does not count, what is flagged, and what the annotator is told."""

from __future__ import annotations

from typing import Any

import pytest

from gistmark.judgements import (
    CHECKS,
    PLANTED_KINDS,
    Answer,
    CheckResult,
    Checks,
    Entry,
    Move,
    Protocol,
    Task,
    check,
    configured,
    get_protocol,
)
from gistmark.judgements.questions.comparison import ComparisonAnswer
from gistmark.judgements.questions.highlight import HighlightAnswer
from gistmark.judgements.questions.rating import Given, RatingAnswer
from gistmark.records import Question

FLUENCY = configured(get_protocol("fluency"), {"checks": {"untouched": "off"}})
CONTENT = get_protocol("content-document")
HIGHLIGHT = get_protocol("highlight")
PAIRWISE = get_protocol("pairwise")
QUESTION = Question("bridge", "It was closed.", True)
CONTENT_TASK = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),), QUESTION)
PLANTED = Task(
    "1.1",
    "ann",
    1,
    (
        Entry("1", "bridge", ("lead",)),
        *(Entry(str(n), None, (), kind, kind) for n, kind in enumerate(PLANTED_KINDS, start=2)),
    ),
)


def values(*given: int) -> Answer:
    """Fluency of items 1, 2, ... in a minute."""
    items = {
        str(number): RatingAnswer({"fluency": Given(value)})
        for number, value in enumerate(given, start=1)
    }
    return Answer(items, seconds=60.0)


def content(
    reply: bool | None = True, moves: tuple[Move, ...] | None = None, **ratings: int
) -> Answer:
    given = {name: Given(value) for name, value in ratings.items()}
    return Answer({"1": RatingAnswer(given)}, reply, 60.0, moves)


def kinds(verdict: CheckResult) -> list[tuple[str, str]]:
    return [(flag.kind, flag.severity) for flag in verdict.flags]


@pytest.mark.parametrize(
    ("good", "mediocre", "bad", "accepted"),
    [
        (90, 50, 10, True),
        (3, 2, 1, True),
        (90, 50, 50, False),
        (50, 50, 10, False),
        (10, 50, 90, False),
        (90, 10, 50, False),
        (50, 90, 10, False),
    ],
)
def test_planted_summaries_must_come_out_strictly_in_order(
    good: int, mediocre: int, bad: int, accepted: bool
):
    verdict = check(FLUENCY, PLANTED, values(70, good, mediocre, bad))
    assert verdict.accepted is accepted
    if not accepted:
        assert kinds(verdict) == [("planted", "paid")]
        assert verdict.flags[0].reason == (
            "The planted summaries are out of order in fluency: "
            f"bad {bad}, mediocre {mediocre}, good {good}."
        )


def test_planted_summaries_must_be_in_order_in_every_dimension():
    protocol = configured(
        FLUENCY,
        {
            "dimensions": [
                {"name": "fluency", "question": "Fluent?"},
                {"name": "clarity", "question": "Clear?"},
            ]
        },
    )
    fluent = values(70, 90, 50, 10)
    items = {
        key: RatingAnswer({**item.ratings, "clarity": Given(int(key) * 10)})
        for key, item in fluent.items.items()
    }
    # Clarity is 20, 30, 40 for good, mediocre, bad.
    (flag,) = check(protocol, PLANTED, Answer(items, seconds=60.0)).flags
    assert flag.reason == (
        "The planted summaries are out of order in clarity: bad 40, mediocre 30, good 20."
    )


def test_a_wrong_or_missing_reply_does_not_count():
    good = check(CONTENT, CONTENT_TASK, content(True, recall=10, precision=20))
    assert good == CheckResult()
    wrong = check(CONTENT, CONTENT_TASK, content(False, recall=10, precision=20))
    assert wrong.verdict == "paid"
    assert wrong.flags[0].reason == (
        "The statement 'It was closed.' is true, but was called false."
    )
    missing = check(CONTENT, CONTENT_TASK, content(None, recall=10, precision=20))
    assert missing.flags[0].reason == (
        "The statement 'It was closed.' is true, but was not answered."
    )


def test_a_false_statement_must_be_called_false():
    task = Task("1.1", "ann", 1, CONTENT_TASK.entries, Question("bridge", "No.", False))
    assert check(CONTENT, task, content(False, recall=1, precision=2)).accepted
    assert not check(CONTENT, task, content(True, recall=1, precision=2)).accepted


def test_work_of_which_no_slider_was_moved_does_not_count():
    moved = (Move(3.0, "1", "recall", 10.0),)
    assert check(CONTENT, CONTENT_TASK, content(moves=moved, recall=10, precision=50)).accepted
    still = check(CONTENT, CONTENT_TASK, content(moves=(), recall=10, precision=50))
    assert kinds(still) == [("untouched", "paid")]
    assert still.flags[0].reason == "No slider of item 1 was moved."


def test_without_a_log_sliders_count_as_untouched_only_where_they_started():
    assert check(CONTENT, CONTENT_TASK, content(recall=50, precision=50)).accepted
    begun = configured(CONTENT, {"scale": {"start": 50}})
    assert not check(begun, CONTENT_TASK, content(recall=50, precision=50)).accepted
    assert check(begun, CONTENT_TASK, content(recall=50, precision=51)).accepted


@pytest.mark.parametrize("highlights", [None, ()])
def test_work_without_highlights_does_not_count(highlights: tuple[Any, ...] | None):
    task = Task("1.1", "ann", 1, (Entry("1", "bridge"),), QUESTION)
    empty = Answer({"1": HighlightAnswer(highlights)}, True, 60.0)
    assert kinds(check(HIGHLIGHT, task, empty)) == [("no_highlights", "paid")]
    marked = Answer({"1": HighlightAnswer(((0, 3),))}, True, 60.0)
    assert check(HIGHLIGHT, task, marked) == CheckResult()


def five(protocol: Protocol, systems: tuple[str, ...] = ("lead",)) -> Task:
    return Task("1.1", "ann", 1, tuple(Entry(str(n), f"d{n}", systems) for n in range(1, 6)))


def test_one_value_for_everything_is_flagged_from_five_answers_on():
    task = five(FLUENCY)
    same = check(FLUENCY, task, values(80, 80, 80, 80, 80))
    assert kinds(same) == [("straight_line", "flag")]
    assert same.flags[0].reason == "All 5 values of the task are 80."
    assert same.accepted
    assert check(FLUENCY, task, values(80, 80, 80, 80, 81)) == CheckResult()
    four = Task("1.1", "ann", 1, task.entries[:4])
    assert check(FLUENCY, four, values(80, 80, 80, 80)) == CheckResult()


def test_one_side_is_flagged_over_five_pairs_but_not_within_one():
    names = [dimension.name for dimension in PAIRWISE.dimensions]
    left = ComparisonAnswer(dict.fromkeys(names, "left"))
    mixed = ComparisonAnswer({**dict.fromkeys(names, "left"), "Structure": "right"})
    task = five(PAIRWISE, ("lead", "terse"))
    keys = [entry.key for entry in task.entries]
    always = check(PAIRWISE, task, Answer(dict.fromkeys(keys, left), seconds=100.0))
    assert [flag.reason for flag in always.flags] == [
        "The left side was chosen every time, in 5 pairs."
    ]
    once = Answer({**dict.fromkeys(keys, left), "5": mixed}, seconds=100.0)
    assert check(PAIRWISE, task, once) == CheckResult()
    one = Task("1.1", "ann", 1, task.entries[:1])
    assert check(PAIRWISE, one, Answer({"1": left}, seconds=100.0)) == CheckResult()


def test_haste_is_measured_by_the_shorter_of_two_clocks():
    task, answer = five(FLUENCY), values(1, 2, 3, 4, 5)
    # 5 items at 3 seconds are 15; the answer says 60.
    assert check(FLUENCY, task, answer, elapsed=15.0) == CheckResult()
    hasty = check(FLUENCY, task, answer, elapsed=14.9)
    assert kinds(hasty) == [("too_fast", "flag")]
    assert "took 14.9 seconds; the minimum is 3 for each of its items, 15 in all" in (
        hasty.flags[0].reason
    )
    claimed = Answer(answer.items, seconds=2.0)
    assert kinds(check(FLUENCY, task, claimed, elapsed=600.0)) == [("too_fast", "flag")]
    assert check(FLUENCY, task, Answer(answer.items)) == CheckResult()


def test_a_check_that_is_off_is_silent_and_severity_follows_the_protocol():
    bad = values(70, 10, 50, 90)
    leads_to = {"off": "counts", "flag": "counts", "paid": "paid", "reject": "rejected"}
    for action, verdict in leads_to.items():
        result = check(configured(FLUENCY, {"checks": {"planted": action}}), PLANTED, bad)
        assert (result.verdict, result.accepted) == (verdict, verdict == "counts")
        assert kinds(result) == ([] if action == "off" else [("planted", action)])


def test_all_failed_checks_are_told():
    careless = Answer(
        {str(n): RatingAnswer({"fluency": Given(50)}) for n in range(1, 5)}, seconds=1.0, moves=()
    )
    strict = dict.fromkeys(("planted", "untouched", "straight_line", "too_fast"), "reject")
    verdict = check(configured(FLUENCY, {"checks": strict}), PLANTED, careless)
    assert {flag.kind for flag in verdict.flags} == {"planted", "untouched", "too_fast"}


def test_the_annotator_learns_nothing_about_the_checks():
    accepted, flagged = CheckResult(), check(FLUENCY, five(FLUENCY), values(8, 8, 8, 8, 8))
    rejections = {
        check(FLUENCY, PLANTED, values(70, 10, 50, 90)).for_annotator,
        check(CONTENT, CONTENT_TASK, content(False, recall=1, precision=2)).for_annotator,
    }
    assert accepted.for_annotator == flagged.for_annotator
    assert len(rejections) == 1
    for word in ("planted", "question", "statement", "slider", "fast", "check", "wrong"):
        assert word not in rejections.copy().pop().lower()


def test_nothing_is_checked_unless_asked_for():
    assert {Checks()[name] for name in CHECKS} == {"off"}
    assert Checks() == Checks(planted="off")
    assert hash(Checks(planted="flag")) == hash(Checks(too_fast="off", planted="flag"))
