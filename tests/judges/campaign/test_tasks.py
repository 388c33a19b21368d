"""What a judge answers to a task, from what the API shows of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gistmark.errors import UsageError
from gistmark.judgements import (
    Answer,
    Entry,
    Protocol,
    Task,
    configured,
    get_protocol,
    payload,
    read_answer,
    starting_protocol,
)
from gistmark.judges import Judge, open_judge
from gistmark.judges.campaign.tasks import (
    UnansweredError,
    answer_task,
    demand_answerable,
    first_prompts,
)
from gistmark.records import Question
from judges.server import JudgeServer, Reply, running
from web.factories import make_corpus

SUMMARIES = {"Summary of d1 by sys1 is short.": 0.9, "Summary of d1 by sys2 is short.": 0.1}
PAIR = Entry("1", "d1", ("sys1", "sys2"))
BOTH = (Entry("1", "d1", ("sys1",)), Entry("2", "d1", ("sys2",)))
SHOWN = [{"type": "show", "what": "document"}, {"type": "show", "what": "summary"}]
SCALE = {"form": "points", "low": 1, "high": 5}


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch):
    """A judge that finds the summaries of sys1 good and those of sys2 bad."""
    monkeypatch.delenv("GISTMARK_JUDGE_KEY", raising=False)
    quality: Callable[[str], float] = lambda text: SUMMARIES.get(text, 0.0)  # noqa: E731
    with running(JudgeServer(quality=quality)) as server:
        yield server, open_judge(server=server.url, model="tiny")


def shown_task(protocol: Protocol, entries: tuple[Entry, ...], **more: Any) -> dict[str, Any]:
    return payload(Task("1.m1", "machine", 1, entries, **more), protocol, make_corpus())


def answered(protocol: Protocol, entries: tuple[Entry, ...], judge: Judge, **more: Any) -> Answer:
    """The answer of a judge, which must be one that can be submitted."""
    task = Task("1.m1", "machine", 1, entries, **more)
    answer = answer_task(payload(task, protocol, make_corpus()), judge)
    return read_answer(answer, protocol, task)


def form(*questions: dict[str, Any], shown: list[dict[str, str]] = SHOWN) -> Protocol:
    return configured(starting_protocol("form"), {"blocks": [*shown, *questions]})


def test_ratings_are_the_nearest_points_of_the_scale(ask):
    # On 0 to 4, quality 0.9 is 3.6. The weights exp(-(n - 3.6)^2) of 4, 3, 2, 1 and 0 are 0.852,
    # 0.698, 0.077, 0.001 and 0, so the mean is 5.657 / 1.628 = 3.47: nearest is 3. By symmetry,
    # quality 0.1 is 4 - 3.47 = 0.53, nearest 1.
    given = answered(get_protocol("overall"), BOTH, ask[1])
    assert [given.items[key].ratings["overall"].value for key in "12"] == [3, 1]


def test_confidence_and_weight_are_asked_where_the_protocol_has_them(ask):
    server, judge = ask
    given = answered(get_protocol("likert"), BOTH[:1], judge)
    dimensions = get_protocol("likert").dimensions
    assert len(server.judged) == 3 * len(dimensions)
    for each in given.items["1"].ratings.values():
        assert None not in (each.value, each.confidence, each.weight)


def test_the_prompt_is_the_protocols_guidance_and_names_no_system(ask):
    protocol = get_protocol("overall")
    (prompt,) = first_prompts(shown_task(protocol, BOTH[:1]))
    text = prompt.content()
    assert protocol.dimensions[0].question in text
    assert protocol.dimensions[0].guidance in text
    assert "The town of d1 lies on a river." in text
    assert "sys1" not in text.replace("by sys1 is short", "")


def test_pairs_are_shown_in_both_orders_and_a_lover_of_the_first_is_not_believed(ask):
    server, judge = ask
    protocol = get_protocol("pairwise")
    given = answered(protocol, (PAIR,), judge)
    assert set(given.items["1"].choices.values()) == {"left"}
    assert len(server.judged) == 2 * len(protocol.dimensions)
    server.prefers_first = 5.0
    swapped = answered(protocol, (replace(PAIR, systems=("sys2", "sys1")),), judge)
    assert set(swapped.items["1"].choices) == {each.name for each in protocol.dimensions}


def test_a_form_is_answered_question_by_question_and_only_what_is_asked(ask):
    def likert(name: str, **more: Any) -> dict[str, Any]:
        return {"type": "likert", "name": name, "question": f"{name}?", "scale": SCALE, **more}

    protocol = form(
        likert("fluency"),
        {"type": "yes-no", "name": "faithful", "question": "Faithful?", "unsure": False},
        {"type": "choice", "name": "length", "question": "Length?", "options": ["short", "long"]},
        likert("why-good", when={"question": "fluency", "values": [4, 5]}),
        {"type": "text", "name": "remark", "question": "Anything else?", "required": False},
    )
    given = answered(protocol, BOTH, ask[1])
    # The judge takes the option at its quality from the first to the last: 0.9 is "no", 0.1 "yes".
    # On 1 to 5 the means are 4.47 and 1.53, as above with one more.
    assert given.items["1"].answers == {
        "fluency": {"value": 4},
        "faithful": "no",
        "length": "long",
        "why-good": {"value": 4},
    }
    assert given.items["2"].answers == {
        "fluency": {"value": 2},
        "faithful": "yes",
        "length": "short",
    }


def test_pairs_of_a_form_may_be_ties_where_the_form_has_them(ask):
    server, judge = ask
    shown = [{"type": "show", "what": "pair"}]
    block = {"type": "pairwise", "name": "better", "question": "Better?", "ties": True}
    server.prefers_first = 5.0
    given = answered(form(block, shown=shown), (PAIR,), judge)
    assert given.items["1"].answers == {"better": {"choice": "tie"}}


def test_the_statement_at_the_end_is_answered_from_what_was_read(ask):
    server, judge = ask
    protocol = get_protocol("content-document")
    question = Question("d1", "The town of d1 has a bridge.", answer=True)
    given = answered(protocol, BOTH[:1], judge, question=question)
    assert given.reply is True  # the first option
    last = [str(body["messages"][0]["content"]) for body in server.judged]
    (asked,) = [text for text in last if "Is this statement true" in text]
    assert "The town of d1 lies on a river." in asked


@pytest.mark.parametrize(
    ("protocol", "wrong"),
    [
        (get_protocol("highlight"), "of the kind 'highlight'"),
        (get_protocol("content-units"), "of the kind 'units'"),
        (
            form({"type": "text", "name": "why", "question": "Why?"}),
            "the question 'why' of the type 'text'",
        ),
        (
            form(
                {"type": "pairwise", "name": "p", "question": "?", "strength": ["a bit", "much"]},
                shown=[{"type": "show", "what": "pair"}],
            ),
            "'pairwise', which asks how much better",
        ),
    ],
)
def test_what_a_machine_cannot_answer_is_refused_before_any_work(protocol: Protocol, wrong: str):
    from gistmark.judgements.protocols.settings import to_mapping

    with pytest.raises(UsageError, match="A machine cannot") as raised:
        demand_answerable(to_mapping(protocol))
    assert wrong in str(raised.value)
    assert "it rates on scales" in str(raised.value)


def test_an_answer_that_cannot_be_read_is_no_answer(ask):
    server, judge = ask
    server.script = lambda number, body: Reply(text="I would rather not say.")
    with pytest.raises(UnansweredError) as raised:
        answer_task(shown_task(get_protocol("overall"), BOTH[:1]), judge)
    assert not raised.value.transient
