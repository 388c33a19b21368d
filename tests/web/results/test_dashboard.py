"""The dashboard: when work ends and what it pays, worked by hand or not said; events in words."""

from __future__ import annotations

import ast
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

import gistmark.web
from gistmark.errors import UsageError
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.results.dashboard.events import WORDS
from gistmark.web.results.dashboard.pace import Pace, pace_of, read_rate
from web.factories import make_campaign, make_corpus
from web.results.working import worked_campaign

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
NO_NEWS = {"took"}
"""That a task was claimed is left out of the latest events."""


def at_paces(*days_ago: float) -> Pace:
    return Pace(tuple(NOW - timedelta(days=days) for days in days_ago), None, ())


def test_the_pace_is_that_of_the_last_week():
    """14 tasks in 7 days are 2 a day, whatever came before; 9 more take 4.5 days."""
    pace = at_paces(30, 30, 30, *(day / 2 for day in range(14)))
    forecast = pace.forecast(9, NOW)
    assert (forecast.per_day, forecast.days, forecast.end) == (2.0, 7.0, date(2026, 11, 22))


def test_a_campaign_of_two_days_goes_by_those():
    """6 tasks since the first, 2 days ago, are 3 a day."""
    forecast = at_paces(2, 1.5, 1, 1, 0.5, 0).forecast(3, NOW)
    assert (forecast.per_day, forecast.days, forecast.end) == (3.0, 2.0, date(2026, 11, 18))


@pytest.mark.parametrize(
    ("pace", "left"),
    [
        (at_paces(), 5),
        (at_paces(3, 2, 1, 0), 5),  # too few
        (at_paces(0.9, 0.8, 0.7, 0.6, 0.5, 0.4), 5),  # less than a day
        (at_paces(20, 20, 20, 20, 20, 20), 5),  # nothing in the last week
        (at_paces(6, 5, 4, 3, 2, 1), 0),  # nothing is left
    ],
)
def test_nothing_is_said_where_there_is_too_little_to_say_it_from(pace, left):
    assert pace.forecast(left, NOW) is None


def test_more_than_a_year_is_no_date():
    assert at_paces(7, 6, 5, 4, 3, 2, 1).forecast(10_000, NOW).end is None


def test_an_hour_earns_what_the_median_annotator_gets_for_it():
    """4 tasks in 600 s at 0.50 are 12 an hour; the others earn 6 and 36 an hour."""
    pace = Pace((), None, ((4, 600.0), (1, 300.0), (2, 100.0)))
    pay = pace.pay(Decimal("0.50"))
    assert (pay.median, pay.low, pay.high, pay.annotators) == (12.0, 9.0, 24.0, 3)
    assert Pace((), None, ()).pay(Decimal(1)) is None


@pytest.mark.parametrize(("given", "rate"), [("0.50", "0.50"), (" 1,25 ", "1.25"), ("3", "3")])
def test_a_rate_is_typed_with_a_point_or_a_comma(given, rate):
    assert read_rate(given) == Decimal(rate)
    assert read_rate("") is None


@pytest.mark.parametrize("given", ["x", "-1", "0", "nan", "inf", "1e9", "1.2.3", "½"])
def test_anything_else_is_refused_in_a_sentence(given):
    with pytest.raises(UsageError, match="A rate is a number above 0"):
        read_rate(given)


@pytest.mark.django_db
def test_planted_items_count_as_items():
    corpus = make_corpus(documents=4, systems=1)
    campaign = worked_campaign("fluency", annotators=1, corpus=corpus, judge_references=False)
    Submission.objects.update(seconds=70.0)
    submitted = Task.objects.exclude(annotator=None)
    submitted.update(state="rejected", flagged=False)
    assert pace_of(campaign).item_seconds is None
    assert pace_of(campaign).annotators == ((0, 70.0),)
    submitted.update(state="paid")
    assert pace_of(campaign).item_seconds is None
    assert pace_of(campaign).annotators == ((1, 70.0),)
    submitted.update(state="done")
    assert pace_of(campaign).item_seconds == 70 / (4 + 3)
    assert pace_of(campaign).annotators == ((1, 70.0),)
    assert pace_of(make_campaign()) == Pace((), None, ())


def recorded_verbs() -> set[str]:
    """What the platform's code passes to `record` as the verb, where it is written there."""
    verbs = set()
    for file in Path(gistmark.web.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "record":
                verbs |= {
                    each.value
                    for part in node.args[2:3]
                    for each in ast.walk(part)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
    return verbs


def test_every_verb_has_words():
    verbs = recorded_verbs()
    assert len(verbs) > 40
    unknown = {verb for verb in verbs if not verb.endswith("-") and not verb.startswith("-")}
    assert unknown - NO_NEWS - WORDS.keys() == set()


def test_words_are_sentences_and_not_names_of_verbs():
    assert [verb for verb, words in WORDS.items() if words == verb and "-" in verb] == []
