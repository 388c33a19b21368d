"""What judgements say about pairs of systems, and decisions through others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.errors import UsageError
from gistmark.judgements import configured, get_protocol
from gistmark.judgements.adaptive import Evidence, Gap, Rule, gaps_of, replay, rule_for
from gistmark.records import Comparison, Rating, Turn

RULE = Rule("ratings", "overall", 1, 5)
PAIRS = Rule("comparisons", "overall")


def ratings(document, annotator, **values):
    return [Rating(document, system, annotator, "overall", v) for system, v in values.items()]


def clear(left, right, count=40):
    return [Gap(f"d{number}", left, right, 4.0) for number in range(count)]


def test_differences_are_within_annotator_and_document_and_averaged_over_annotators():
    judged = [
        *ratings("d", "ann", b=5, a=3, c=1),
        *ratings("d", "bob", b=4, a=4),
        Rating("d", "a", "ann", "other", 1),
        *ratings("e", "ann", a=2),
    ]
    assert gaps_of(RULE, judged) == [
        Gap("d", "a", "b", -1.0),  # ann says -2, bob 0
        Gap("d", "a", "c", 2.0),
        Gap("d", "b", "c", 4.0),
    ]


def test_choices_count_one_for_the_winner_and_nothing_for_ties():
    judged = [
        Comparison("d", "b", "a", "ann", "overall", "left"),
        Comparison("d", "a", "b", "bob", "overall", "tie"),
    ]
    assert gaps_of(PAIRS, judged) == [Gap("d", "a", "b", -0.5)]


CHAIN = [*clear("a", "b"), *clear("b", "c")]


def test_a_chain_of_decisions_decides_a_pair_whose_own_values_say_so_too():
    """Nine documents: too few for one of three pairs, enough for a single one."""
    evidence = Evidence(RULE, ("a", "b", "c")).add(CHAIN)
    alone = Evidence(RULE, ("a", "b", "c")).add(clear("a", "c", 9))
    together = evidence.add(clear("a", "c", 9))
    assert ("a", "c") not in alone.decisions
    assert {pair: (d.verdict, d.through) for pair, d in together.decisions.items()} == {
        ("a", "b"): ("left", False),
        ("b", "c"): ("left", False),
        ("a", "c"): ("left", True),
    }
    assert together.known
    assert together.decisions["a", "c"].after is None


@pytest.mark.parametrize("own", [[], clear("a", "c", 1), clear("c", "a", 9), clear("c", "a", 1)])
def test_a_chain_decides_nothing_without_or_against_a_pairs_own_values(own):
    turned = [Gap(g.document, "a", "c", -g.value) if g.left == "c" else g for g in own]
    evidence = Evidence(RULE, ("a", "b", "c")).add([*CHAIN, *turned])
    assert evidence.undecided == [("a", "c")]


def test_a_circle_of_decisions_decides_nothing_else():
    against = [Gap(f"d{number}", "a", "c", -4.0) for number in range(40)]
    evidence = Evidence(RULE, ("a", "b", "c")).add([*CHAIN, *against])
    assert evidence.decisions["a", "c"].verdict == "right"
    assert not any(decision.through for decision in evidence.decisions.values())


def test_disconnected_systems_stay_undecided():
    evidence = Evidence(RULE, ("a", "b", "c", "d")).add([*clear("a", "b"), *clear("c", "d")])
    assert evidence.undecided == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert not evidence.known


def test_one_system_leaves_nothing_to_know():
    assert not Evidence(RULE, ("a",)).known


def test_the_level_is_shared_among_all_pairs():
    few, many = Evidence(RULE, ("a", "b")), Evidence(RULE, tuple("abcdef"))
    assert many.threshold - few.threshold == pytest.approx(2.70805)  # log 15


def test_evidence_is_kept_and_read_again():
    evidence = Evidence(RULE, ("a", "b", "c")).add(clear("a", "b", 7))
    assert Evidence.from_mapping(RULE, evidence.to_mapping()) == evidence


def test_a_rule_is_one_line_that_can_be_read():
    rule = Rule("ratings", "clear | odd: name", 1, 5, 0.1, 0.25, 2, 0.2)
    assert Rule.parse(rule.signature) == rule
    with pytest.raises(UsageError, match="not the rule of an adaptive campaign"):
        Rule.parse("rouge|v:1|n:1")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"level": 0.7}, "The level must be above 0 and below 0.5"),
        ({"floor": 0.0}, "The share of random choice must be above 0"),
        ({"margin": 9.0}, "The margin must be at least 0 and below 4"),
    ],
)
def test_rules_that_cannot_be_kept_are_refused(changes, sentence):
    with pytest.raises(UsageError, match=sentence):
        replace(RULE, **changes)


def test_protocols_that_compare_nothing_are_refused():
    options = {"level": 0.05, "margin": 0.0, "floor": 0.1}
    with pytest.raises(UsageError, match="does neither"):
        rule_for(get_protocol("highlight"), **options)
    likert = get_protocol("likert")
    with pytest.raises(UsageError, match="two or more summaries of one document"):
        rule_for(configured(likert, {"items_per_task": 1}), **options)
    ready = configured(likert, {"items_per_task": 2, "several_of_a_document": True})
    with pytest.raises(UsageError, match="no dimension 'beauty'"):
        rule_for(ready, dimension="beauty", **options)
    assert rule_for(ready, **options).kind == "ratings"
    assert rule_for(get_protocol("pairwise"), **options).kind == "comparisons"


def test_a_replay_counts_an_item_once_its_last_judge_is_in():
    rule = replace(RULE, judges=2).signature
    turns = [
        Turn(1, "d", "a/b", "ann", 0.5, 2, rule),
        Turn(3, "d", "a/b", "bob", 1.0, 1, rule),
        Turn(2, "e", "a/b", "ann", 0.5, 2, rule),
    ]
    judged = [*ratings("d", "ann", a=3, b=1), *ratings("d", "bob", a=4, b=4)]
    steps = list(replay(turns, [*judged, *ratings("e", "ann", a=1, b=1)], ["a", "b"]))
    assert [(step.judgements, step.gaps) for step in steps] == [
        (1, ()),
        (2, ()),
        (3, (Gap("d", "a", "b", 1.0),)),
    ]
    assert steps[-1].evidence.of(("a", "b")).n == 1
