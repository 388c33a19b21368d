"""The question type of composed protocols: it delegates everything to the form's blocks. As JSON:

{"answers": {"fluency": {"value": 4}, "why": "It repeats itself."}}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmark.judgements.fields import Fault, Fields
from gistmark.judgements.forms import block_from
from gistmark.judgements.forms.base import Block, QuestionBlock, UnreadBlock
from gistmark.judgements.forms.ranking import SetBlock, same_positions
from gistmark.judgements.forms.shown import SUBJECTS, ShowBlock
from gistmark.judgements.questions.base import (
    Faults,
    ItemAnswer,
    Origin,
    QuestionType,
    Reading,
    Record,
    Subject,
    TextKind,
    Texts,
)
from gistmark.judgements.questions.comparison import one_sided
from gistmark.judgements.questions.rating import POINTS_OFF
from gistmark.runtime.seeds import generator

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Dimension, Protocol, Scale, Shown
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry, Task


@dataclass(frozen=True, slots=True)
class FormAnswer(ItemAnswer):
    """The answers to a form by the name of the question, as JSON has them."""

    answers: Mapping[str, Any] = field(default_factory=dict)

    def parts(self) -> dict[str, Any]:
        return {"answers": dict(self.answers)} if self.answers else {}


def questions_of(blocks: Iterable[Block]) -> tuple[QuestionBlock, ...]:
    """The blocks that ask something, in their order."""
    return tuple(block for block in blocks if isinstance(block, QuestionBlock))


def data_questions(blocks: Iterable[Block]) -> tuple[QuestionBlock, ...]:
    """The questions whose answers are data: all but attention checks."""
    return tuple(question for question in questions_of(blocks) if not question.attention)


def instructed_questions(blocks: Iterable[Block]) -> tuple[QuestionBlock, ...]:
    """The questions that only check whether the annotator reads."""
    return tuple(question for question in questions_of(blocks) if question.attention)


def shows_of(blocks: Iterable[Block]) -> tuple[Shown, ...]:
    """What the blocks show besides what is judged."""
    shown = (block.what for block in blocks if isinstance(block, ShowBlock))
    return tuple(what for what in dict.fromkeys(shown) if what not in SUBJECTS)  # type: ignore[misc]


def dimensions_of(blocks: Iterable[Block]) -> tuple[Dimension, ...]:
    """The dimensions that the questions rate or compare, without attention checks."""
    dimensions = (question.dimension for question in data_questions(blocks))
    return tuple(dimension for dimension in dimensions if dimension is not None)


def is_active(
    question: QuestionBlock, answers: Mapping[str, Any], others: Mapping[str, QuestionBlock]
) -> bool:
    """Whether a question is asked, given the answers to those before it."""
    if question.when is None:
        return True
    answer, other = answers.get(question.when.question), others.get(question.when.question)
    if answer is None or other is None:
        return False
    return not set(question.when.values).isdisjoint(other.selected(answer))


def reordered(
    answers: Mapping[str, Any], blocks: Iterable[Block], before: Sequence[str], after: Sequence[str]
) -> dict[str, Any]:
    """Answers to an item whose systems were shown in one order, as they are in another."""
    questions = {question.name: question for question in questions_of(blocks)}
    positions = [after.index(system) for system in before]
    return {
        name: questions[name].reordered(answer, positions) if name in questions else answer
        for name, answer in answers.items()
    }


def shuffled_order(blocks: Sequence[Block], rng: np.random.Generator) -> list[int]:
    """An order of the blocks, as indices, in which only the questions have moved.

    A conditional question stays with the one that it depends on, right behind it and any others
    that depend on that one too.
    """
    positions = [n for n, block in enumerate(blocks) if isinstance(block, QuestionBlock)]
    roots: dict[str, int] = {}
    groups: dict[int, list[int]] = {}
    for number in positions:
        block = blocks[number]
        assert isinstance(block, QuestionBlock), "these are the questions"
        root = number if block.when is None else roots.get(block.when.question, number)
        roots[block.name] = root
        groups.setdefault(root, []).append(number)
    heads = list(groups)
    mixed = [n for index in rng.permutation(len(heads)).tolist() for n in groups[heads[index]]]
    moved = dict(zip(positions, mixed, strict=True))
    return [moved.get(number, number) for number in range(len(blocks))]


class FormQuestion(QuestionType[FormAnswer]):
    """Questions of several types about one item."""

    name = "form"
    subject = "summary"
    Answer = FormAnswer
    agreement = (
        "Agreement is the mean correlation with the mean of the others’ ratings; where nothing is "
        "rated, the mean share of choices or answers that most of the others made too."
    )
    composed = True

    def subject_of(self, protocol: Protocol) -> Subject:
        shown = (block.what for block in protocol.blocks if isinstance(block, ShowBlock))
        return next((SUBJECTS[what] for what in shown if what in SUBJECTS), "document")

    def scaled_in(self, protocol: Protocol) -> bool:
        return any(dimension.scale is not None for dimension in protocol.dimensions)

    def needs(self, protocol: Protocol) -> frozenset[TextKind]:
        needs = (question.needs(protocol) for question in questions_of(protocol.blocks))
        return frozenset().union(*needs)

    def marked_text(self, entry: Entry, texts: Texts, protocol: Protocol) -> str:
        return texts.summary(entry)

    def tables(self, protocol: Protocol) -> tuple[str, ...]:
        return tuple(dict.fromkeys(question.table for question in data_questions(protocol.blocks)))

    def controls(self, protocol: Protocol) -> tuple[str, ...]:
        return tuple(question.name for question in questions_of(protocol.blocks))

    def faults(self, protocol: Protocol) -> Faults:
        for setting in ("scale", "confidence", "weight"):
            if getattr(protocol, setting) is not None:
                yield setting, "must be left out: the questions of a form have their own"
        unread = [block for block in protocol.blocks if isinstance(block, UnreadBlock)]
        counts = Counter(question.name for question in questions_of(protocol.blocks))
        counts.update(block.name for block in unread if block.name is not None)
        certain = not any(block.shows for block in unread)
        for number, block in enumerate(protocol.blocks):
            path = f"blocks[{number}]"
            for name, message in block.faults(protocol):
                if certain or name != "type":
                    yield f"{path}.{name}", message
            if isinstance(block, QuestionBlock):
                if counts[block.name] > 1:
                    yield f"{path}.name", f"is used {counts[block.name]} times; names must differ"
                earlier = protocol.blocks[:number]
                yield from ((f"{path}.{name}", text) for name, text in _condition(block, earlier))

    def payload(self, protocol: Protocol) -> Mapping[str, Any]:
        """The blocks; dimensions are left out, because they would reveal the attention checks."""
        return {
            "blocks": [block.payload() for block in protocol.blocks],
            "shows": list(protocol.shows),
            "subject": protocol.subject,
        }

    def item_payload(self, entry: Entry, task: Task, protocol: Protocol) -> Mapping[str, Any]:
        """The order of the blocks, where they are shuffled, and what single questions add."""
        more: dict[str, Any] = {}
        if protocol.order == "shuffled":
            rng = generator(task.seed, "blocks", task.slot, task.annotator, entry.key)
            more["order"] = shuffled_order(protocol.blocks, rng)
        questions = questions_of(protocol.blocks)
        parts = {question.name: question.item_payload(entry, task) for question in questions}
        if added := {name: part for name, part in parts.items() if part}:
            more["questions"] = added
        return more

    def read(self, given: Fields, entry: Entry, reading: Reading) -> FormAnswer:
        answers = given.inner("answers")
        questions = {question.name: question for question in questions_of(reading.protocol.blocks)}
        read: dict[str, Any] = {}
        for name, question in questions.items():
            active = is_active(question, read, questions)
            answer = question.read(answers, entry, reading) if active or reading.draft else None
            if answer is not None:
                read[name] = answer
            elif not active and answers.has(name) and question.when is not None:
                other = question.when.question
                answers.fault(
                    name, f"must be left out: it is not asked after the answer to {other!r}"
                )
            elif active and question.required and not reading.draft and not answers.has(name):
                answers.missing(name)
        answers.refuse_others(tuple(questions))
        return FormAnswer(read)

    def decided(self, answer: FormAnswer, entry: Entry, reading: Reading) -> dict[str, Any]:
        """The answers that could be part of a complete one, without attention checks."""
        strict = replace(reading, draft=False)
        whole = {
            question.name: given
            for question, given in _answered(answer, reading.protocol)
            if _is_whole(question, answer.answers, entry, strict)
        }
        return {"answers": whole} if whole else {}

    def records(self, answer: FormAnswer, origin: Origin) -> Iterator[Record]:
        """The records of each answer; the time that the item took is divided evenly among them."""
        answered = _answered(answer, origin.protocol)
        if answer.seconds is not None and answered:
            origin = replace(origin, seconds=answer.seconds / len(answered))
        for question, given in answered:
            yield from question.records(given, origin)

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        blocks = map(block_from, person.task["blocks"])
        questions = {question.name: question for question in questions_of(blocks)}
        answers: dict[str, Any] = {}
        for name, question in questions.items():
            if not is_active(question, answers, questions):
                continue
            answer = question.simulate(item, person)
            if answer is not None:
                answers[name] = answer
        return {"answers": answers}

    def moves(self, answer: Mapping[str, Any]) -> Mapping[str, float]:
        return {
            name: given["value"]
            for name, given in answer["answers"].items()
            if isinstance(given, Mapping) and "value" in given
        }

    def values(self, answer: FormAnswer, protocol: Protocol) -> Mapping[str, int]:
        parts = _answered(answer, protocol)
        values = {question.name: question.value(part) for question, part in parts}
        return {name: value for name, value in values.items() if value is not None}

    def straight_line(self, answers: Sequence[FormAnswer], protocol: Protocol) -> str | None:
        """The same value everywhere, the same side of every pair, the same order of every set."""
        if protocol.subject == "set":
            given = [answer.answers for answer in answers]
            return same_positions(given, data_questions(protocol.blocks))
        if protocol.subject != "pair":
            return super().straight_line(answers, protocol)
        answered = (_answered(answer, protocol) for answer in answers)
        return one_sided(
            [
                [part["choice"] for question, part in parts if question.type == "pairwise"]
                for parts in answered
            ]
        )

    def sliders(self, protocol: Protocol) -> Mapping[str, Scale]:
        scales = {question.name: question.slider for question in questions_of(protocol.blocks)}
        return {name: scale for name, scale in scales.items() if scale is not None}

    def distances(
        self, answer: FormAnswer, right: FormAnswer, protocol: Protocol, text: str
    ) -> Mapping[str, float]:
        """The distances of every question, except attention checks, which are not practised."""
        questions = {question.name: question for question in data_questions(protocol.blocks)}
        return {
            name: questions[name].distance(answer.answers.get(name), expected)
            for name, expected in right.answers.items()
            if name in questions
        }

    def tolerance_label(self, protocol: Protocol) -> str | None:
        """In points of a scale or of strength; for errors and sets in units of their own."""
        questions = data_questions(protocol.blocks)
        tables = {question.table for question in questions}
        sets = dict.fromkeys(each.tolerance for each in questions if isinstance(each, SetBlock))
        points = POINTS_OFF if tables - {"responses", "spans"} else ""
        errors = (
            "by how many percent marked errors may differ (100 - F1)" if "spans" in tables else ""
        )
        label = "; ".join(filter(None, (points, errors, *sets)))
        return label[:1].upper() + label[1:] if label else None

    def usual_tolerance(self, protocol: Protocol) -> float:
        """A tenth of the widest scale; 50 where errors are marked and nothing has points."""
        questions = data_questions(protocol.blocks)
        scales = [each.dimension.scale for each in questions if each.dimension is not None]
        widths = [(scale.high - scale.low) // 10 for scale in scales if scale is not None]
        only_errors = not scales and any(question.table == "spans" for question in questions)
        return 50.0 if only_errors else float(max(widths, default=0))

    def prompts(self, protocol: Protocol) -> Mapping[str, str]:
        return {question.name: question.question for question in data_questions(protocol.blocks)}

    def wording(self, answer: FormAnswer, protocol: Protocol, text: str) -> Mapping[str, str]:
        questions = {question.name: question for question in data_questions(protocol.blocks)}
        return {
            name: questions[name].wording_in(given, text)
            for name, given in answer.answers.items()
            if name in questions
        }


def _condition(block: QuestionBlock, before: tuple[Block, ...]) -> Faults:
    """What is wrong with the condition of a question, given the blocks before it."""
    if block.when is None:
        return
    unread = {block.name for block in before if isinstance(block, UnreadBlock)}
    earlier = questions_of(before)
    other = next((question for question in earlier if question.name == block.when.question), None)
    if other is None and block.when.question in unread:
        return
    if other is None:
        known = ", ".join(question.name for question in earlier) or "none"
        yield (
            "when.question",
            f"must name an earlier question, but is {block.when.question!r}; earlier ones: {known}",
        )
        return
    allowed = other.condition_values()
    if not allowed:
        yield "when.question", f"must not be {other.name!r}: a {other.type} answer has no values"
        return
    for number, value in enumerate(block.when.values):
        if value not in allowed:
            some = ", ".join(map(str, allowed[:21]))
            yield (
                f"when.values[{number}]",
                f"is {value!r}, which is no answer there; allowed: {some}",
            )


def _answered(answer: FormAnswer, protocol: Protocol) -> list[tuple[QuestionBlock, Any]]:
    """The questions that have an answer, each with it; attention checks are left out."""
    questions = data_questions(protocol.blocks)
    return [(each, answer.answers[each.name]) for each in questions if each.name in answer.answers]


def _is_whole(
    question: QuestionBlock, answers: Mapping[str, Any], entry: Entry, strict: Reading
) -> bool:
    """Whether an answer could be submitted as it is."""
    faults: list[Fault] = []
    question.read(Fields({question.name: answers[question.name]}, faults), entry, strict)
    return not faults
