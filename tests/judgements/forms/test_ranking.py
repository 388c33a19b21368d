"""Rankings and best-worst choices: what is read, what is refused, and what is exported."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.corpus import Corpus, load, save
from gistmark.judgements import (
    STYLES,
    AnswerError,
    Entry,
    Protocol,
    ProtocolError,
    Result,
    Style,
    Task,
    assemble,
    check,
    configured,
    export_corpus,
    items_from,
    knowledge_from,
    make_slots,
    payload,
    protocol_from,
    read_answer,
    simulate,
    to_mapping,
)
from gistmark.judgements.forms import block_from
from gistmark.judgements.forms.form import reordered
from gistmark.judgements.forms.ranking import BestWorstBlock, RankingBlock

ORDER = {"type": "ranking", "name": "order", "question": "Which is better?"}
ENDS = {"type": "best-worst", "name": "ends", "question": "The best and the worst?"}
SHOWN = ("zq0", "zq1", "zq2", "zq3")
TASK = Task("1.1", "ann", 1, (Entry("1", "bridge", SHOWN),))


def form(*questions: dict[str, Any], show: str = "summaries", **changes: object) -> Protocol:
    blocks = [{"type": "show", "what": show}, *questions]
    return protocol_from({"name": "r", "kind": "form", "about": "", "blocks": blocks, **changes})


def read(question: dict[str, Any], answer: Any, *, draft: bool = False) -> Any:
    sent = {"items": {"1": {"answers": {question["name"]: answer}}}}
    whole = read_answer(sent, form(question), TASK, draft=draft)
    return whole.items["1"].answers.get(question["name"])


def fault(question: dict[str, Any], answer: Any) -> str:
    with pytest.raises(AnswerError) as error:
        read(question, answer)
    return str(error.value)


TIES = {**ORDER, "ties": True}
FIELD = "The field 'items.1.answers.order'"


def test_a_ranking_names_every_summary_once():
    assert read(ORDER, [[2], [0], [1], [3]]) == [[2], [0], [1], [3]]
    assert read(TIES, [[2], [1, 0], [3]]) == [[2], [0, 1], [3]]
    assert fault(ORDER, [[2], [0]]) == f"{FIELD} must rank all summaries, but leaves out 1, 3."
    assert (
        fault(TIES, [[2, 0, 1], [3, 0]]) == f"{FIELD} must rank each summary once, but repeats 0."
    )
    assert "must not have ties" in fault(ORDER, [[2], [0, 1], [3]])
    assert (
        fault(ORDER, [[2], [0], [1], [4]])
        == f"{FIELD} must name summaries from 0 to 3, but names the number 4."
    )
    assert "but names true" in fault(ORDER, [[2], [0], [1], [True]])
    for wrong in ("2,0,1,3", [2, 0, 1, 3], [[2], [], [0], [1], [3]], {"0": 1}):
        assert "a list of groups of summaries, the best first" in fault(ORDER, wrong)


def test_a_best_worst_choice_names_two_summaries():
    assert read(ENDS, {"best": 3, "worst": 0}) == {"best": 3, "worst": 0}
    assert read(ENDS, {"best": 3}, draft=True) == {"best": 3}
    field = "The field 'items.1.answers.ends.worst'"
    assert fault(ENDS, {"best": 3}) == f"{field} is missing."
    assert (
        fault(ENDS, {"best": 3, "worst": 3})
        == f"{field} must be a different summary from the best one."
    )
    assert "a whole number from 0 to 3" in fault(ENDS, {"best": 3, "worst": 4})
    assert "is unknown" in fault(ENDS, {"best": 3, "worst": 0, "middle": 1})


def responses(question: dict[str, Any], answer: Any, folder: Path) -> list[tuple[str | None, str]]:
    """The records of an answer, by way of a corpus folder."""
    protocol = form(question)
    sent = {"items": {"1": {"answers": {question["name"]: answer}}}}
    result = Result(TASK, read_answer(sent, protocol, TASK))
    corpus = load(_corpus(folder / "before"))
    save(export_corpus(corpus, [result], protocol), folder / "after")
    records = load(folder / "after").responses
    assert {each.item for each in records} == {"zq0/zq1/zq2/zq3"}
    return [(each.system, each.value) for each in records]


def _corpus(folder: Path) -> Path:
    folder.mkdir()
    (folder / "documents.jsonl").write_text('{"id": "bridge", "text": "It was closed."}\n')
    summaries = ({"document": "bridge", "system": name, "text": name} for name in SHOWN)
    (folder / "summaries.jsonl").write_text("".join(json.dumps(each) + "\n" for each in summaries))
    return folder


def test_ranks_are_those_of_the_systems_shown_and_ties_share_one(tmp_path: Path):
    assert responses(TIES, [[2], [0, 1], [3]], tmp_path) == [
        ("zq0", "2"), ("zq1", "2"), ("zq2", "1"), ("zq3", "4"),
    ]  # fmt: skip


def test_who_is_neither_best_nor_worst_has_an_empty_value(tmp_path: Path):
    assert responses(ENDS, {"best": 3, "worst": 1}, tmp_path) == [
        ("zq0", ""), ("zq1", "worst"), ("zq2", ""), ("zq3", "best"),
    ]  # fmt: skip


def test_an_index_is_that_of_the_order_in_which_the_annotator_saw_the_summaries(sample: Corpus):
    """Whoever puts the text of one system first ranks that system first, however they stand."""
    protocol = form(ORDER, judges=1)
    items = items_from(sample, protocol)
    slot = make_slots(items.items, protocol, seed=1)[0]
    texts = {(each.document, each.system): each.text for each in sample.summaries}
    orders = set()
    for annotator in ("ann", "bob", "cid", "dora"):
        task = assemble(slot, annotator, items.by_id(), protocol, seed=1)
        shown = payload(task, protocol, sample)
        assert not any(name in json.dumps(shown) for name in ("garbled", "terse"))
        (item,), (entry,) = shown["items"], task.entries
        orders.add(entry.systems)
        best = item["summaries"].index(texts[entry.document or "", "terse"])
        rest = [[index] for index in range(len(item["summaries"])) if index != best]
        sent = {"items": {"1": {"answers": {"order": [[best], *rest]}}}}
        answer = read_answer(sent, protocol, task)
        (first,) = [
            each.system
            for each in export_corpus(sample, [Result(task, answer)], protocol).responses
            if each.value == "1"
        ]
        assert first == "terse"
    assert len(orders) > 1


def test_settings_come_back_from_json_and_misfits_are_faults():
    whole = form(TIES, ENDS, set_size=4, sets_per_system=3)
    assert protocol_from(json.loads(json.dumps(to_mapping(whole)))) == whole
    with pytest.raises(ProtocolError) as error:
        protocol_from({
            "name": "r", "kind": "form", "about": "", "set_size": 11, "sets_per_system": 101,
            "blocks": [{"type": "show", "what": "summaries"}, {**ENDS, "expected": 1}, ORDER,
                       {**ENDS, "name": "x", "when": {"question": "order", "values": [1]}}],
        })  # fmt: skip
    assert [each.field for each in error.value.faults] == [
        "set_size", "sets_per_system", "blocks[1].expected", "blocks[3].when.question",
    ]  # fmt: skip
    with pytest.raises(ProtocolError, match="needs a block that shows several summaries"):
        protocol_from({**to_mapping(form(ORDER)), "blocks": [ORDER]})
    with pytest.raises(ProtocolError, match="there is no set_size to make sets of"):
        configured(form(ORDER), {"sets_per_system": 2})


def test_the_distance_of_rankings_counts_the_pairs_in_another_order():
    block = block_from(TIES)
    assert isinstance(block, RankingBlock)
    assert block.distance([[0], [1], [2]], [[0], [1], [2]]) == 0
    assert block.distance([[1], [0], [2]], [[0], [1], [2]]) == 1  # 0 and 1
    assert block.distance([[2], [1], [0]], [[0], [1], [2]]) == 3  # all pairs
    assert block.distance([[0, 1], [2]], [[0], [1], [2]]) == 0.5  # 0 and 1 are tied in one
    assert block.distance([[0, 1, 2]], [[0], [1], [2]]) == 1.5
    assert block.distance(None, [[0], [1]]) == inf
    assert block.wording([[2], [0, 1]]) == "3 > 1 = 2"


def test_an_answer_can_be_told_in_another_order_of_the_summaries():
    answers = {"order": [[2], [0, 1]], "ends": {"best": 2, "worst": 0}, "gone": 1}
    blocks = form(TIES, ENDS).blocks
    turned = reordered(answers, blocks, ("a", "b", "c"), ("c", "a", "b"))
    assert turned == {"order": [[0], [1, 2]], "ends": {"best": 0, "worst": 1}, "gone": 1}
    pair = form({"type": "pairwise", "name": "p", "question": "?"}, show="pair").blocks
    given = {"p": {"choice": "left"}}
    assert reordered(given, pair, ("a", "b"), ("b", "a")) == {"p": {"choice": "right"}}
    assert reordered(given, pair, ("a", "b"), ("a", "b")) == given


@pytest.mark.parametrize(
    ("name", "answer", "wording"),
    [
        ("order", [[0], [1], [2], [3]], "1 > 2 > 3 > 4"),
        ("ends", {"best": 0, "worst": 3}, "1 > … > 4"),
    ],
)
def test_the_same_positions_in_every_set_are_a_straight_line(name: str, answer: Any, wording: str):
    """Whoever leaves every set as it stands, or always chooses the first and the last."""
    other = {"order": [[3], [1], [2], [0]], "ends": {"best": 1, "worst": 3}}[name]
    protocol = form({**ORDER, "required": False}, {**ENDS, "required": False},
                    checks={"straight_line": "flag"})  # fmt: skip

    def reasons(answers: list[Any]) -> list[str]:
        keys = [str(number) for number in range(1, len(answers) + 1)]
        task = Task("1.1", "ann", 1, tuple(Entry(key, f"d{key}", SHOWN) for key in keys))
        sent = {key: {"answers": {name: each}} for key, each in zip(keys, answers, strict=True)}
        verdict = check(protocol, task, read_answer({"items": sent}, protocol, task))
        return [str(each) for each in verdict.flags]

    (reason,) = reasons([answer] * 5)
    assert f"The answer to '{name}' is {wording} every time, in 5 sets." in reason
    assert reasons([answer] * 4) == reasons([answer] * 4 + [other]) == []


RANKINGS = st.lists(st.integers(0, 4), min_size=4, max_size=4).map(
    lambda ranks: [[i for i in range(4) if ranks[i] == rank] for rank in sorted(set(ranks))]
)


@given(RANKINGS, RANKINGS, RANKINGS)
def test_the_distance_of_rankings_is_a_metric(
    one: list[list[int]], other: list[list[int]], third: list[list[int]]
):
    block = block_from(TIES)
    assert isinstance(block, RankingBlock)
    assert block.distance(one, other) == block.distance(other, one)
    assert (block.distance(one, other) == 0) == (one == other)
    assert block.distance(one, third) <= block.distance(one, other) + block.distance(other, third)


def test_the_distance_of_best_worst_choices_counts_what_is_wrong():
    block = block_from(ENDS)
    assert isinstance(block, BestWorstBlock)
    right = {"best": 0, "worst": 3}
    given = ({"best": 0, "worst": 3}, {"best": 0, "worst": 2}, {"best": 3, "worst": 0}, {}, None)
    assert [block.distance(each, right) for each in given] == [0, 1, 2, 2, inf]
    assert block.wording({"best": 0, "worst": 3}) == "1 > … > 4"


def work(corpus: Corpus, protocol: Protocol, style: Style) -> Sequence[Result]:
    """Every task done once by a simulated annotator, and read."""
    items = items_from(corpus, protocol)
    known = knowledge_from(
        corpus, {"careful": 0.9, "lead": 0.65, "terse": 0.4, "garbled": 0.1}, seed=1
    )
    results = []
    for slot in make_slots(items.items, protocol, seed=1):
        task = assemble(slot, style, items.by_id(), protocol, seed=1)
        sent = simulate(payload(task, protocol, corpus), style, known, seed=1, annotator=style)
        answer = read_answer(sent.answer, protocol, task)
        assert check(protocol, task, answer).accepted
        results.append(Result(task, answer))
    return results


@pytest.mark.parametrize("style", STYLES)
def test_simulated_annotators_answer_and_careful_ones_put_good_systems_first(
    sample: Corpus, style: Style
):
    protocol = form(TIES, ENDS, judges=1, set_size=3, sets_per_system=3)
    corpus = export_corpus(sample, work(sample, protocol, style), protocol)
    ranks: dict[str, list[int]] = {}
    for each in corpus.responses:
        if each.type == "ranking":
            ranks.setdefault(each.system or "", []).append(int(each.value))
    assert {len(each) for each in ranks.values()} == {3 * 14}
    if style == "careful":
        means = {name: sum(each) / len(each) for name, each in ranks.items()}
        assert sorted(means, key=lambda name: means[name]) == [
            "careful",
            "lead",
            "terse",
            "garbled",
        ]
        best = [each.system for each in corpus.responses if each.value == "best"]
        assert "garbled" not in best
