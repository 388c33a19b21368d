"""A judge's answer to a task: from what the API shows of the task to the submitted answer.

A judge knows no more than an annotator's browser does: the texts and the questions, and no names of
systems. It rates on scales, compares pairs (shown in both orders), and chooses among options; every
question of a task is put to it separately. A question of another type is left out if it is
optional; if it is required, the task is refused before any work.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gistmark.errors import GistmarkError, UsageError
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms import block_from
from gistmark.judgements.forms.base import QuestionBlock
from gistmark.judgements.forms.choice import ChoiceBlock, YesNoBlock
from gistmark.judgements.forms.form import is_active, questions_of
from gistmark.judgements.forms.pairwise import PairwiseBlock
from gistmark.judgements.forms.scales import ScaleBlock
from gistmark.judgements.protocols.protocol import Dimension, Scale, read_scale
from gistmark.judges.judge import Judge, Opinion, Prompt
from gistmark.judges.prompts import Guide, Texts, choice_prompt, comparison_prompt, rating_prompt
from gistmark.judges.questions import nearest_point, preference

NO_GUIDE = Guide()
_ABLE = "it rates on scales, compares two summaries, chooses one option, and says yes or no"
_PARTS = {"rating": "ratings", "comparison": "choices", "form": "answers"}
"""The field that holds the answers to an item, by the kind of the protocol."""
_BESIDE = {
    "confidence": "How sure can an annotator be of the answer to this question, by the texts?",
    "weight": "How much does the answer to this question count for the quality of the summary?",
}
_TRUE, _FALSE = "true", "false"


class UnansweredError(GistmarkError):
    """The judge gave no answer; a `transient` reason may be gone when it is asked again."""

    def __init__(self, reason: str, *, transient: bool) -> None:
        self.transient = transient
        super().__init__(reason)


class Question(ABC):
    """A question as a judge is asked it: by one or several prompts."""

    name: str

    @abstractmethod
    def prompts(self, texts: Texts, guide: Guide) -> list[Prompt]:
        """What the judge is shown."""

    @abstractmethod
    def answer(self, opinions: Sequence[Opinion]) -> Any:
        """The answer as JSON."""


@dataclass(frozen=True)
class Rated(Question):
    """A value on a scale, with confidence and weight where they are asked for."""

    dimension: Dimension
    scales: Mapping[str, Scale]

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.dimension.name

    def prompts(self, texts: Texts, guide: Guide) -> list[Prompt]:
        return [
            rating_prompt(self._about(part), scale, texts, guide=guide)
            for part, scale in self.scales.items()
        ]

    def answer(self, opinions: Sequence[Opinion]) -> dict[str, int]:
        values = (_demanded(opinion.value, opinion) for opinion in opinions)
        parts = zip(self.scales.items(), values, strict=True)
        return {part: nearest_point(scale, value) for (part, scale), value in parts}

    def _about(self, part: str) -> Dimension:
        if part == "value":
            return self.dimension
        question = f"{_BESIDE[part]}\nThe question is: {self.dimension.question}"
        return Dimension(f"{self.name}, {part}", question, self.dimension.guidance)


@dataclass(frozen=True)
class Compared(Question):
    """The better of two summaries, each shown first once."""

    dimension: Dimension
    ties: bool = False
    in_form: bool = False

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.dimension.name

    def prompts(self, texts: Texts, guide: Guide) -> list[Prompt]:
        return [
            comparison_prompt(self.dimension, order, ties=self.ties, guide=guide)
            for order in (texts, texts.swapped)
        ]

    def answer(self, opinions: Sequence[Opinion]) -> Any:
        preferred = preference(*opinions)
        if preferred.choice is None:
            raise UnansweredError(
                preferred.reason or "it gave no answer", transient=preferred.transient
            )
        choice = preferred.choice if self.ties else preferred.forced
        return {"choice": choice} if self.in_form else choice


@dataclass(frozen=True)
class Chosen(Question):
    """One of a few options."""

    name: str
    question: str
    guidance: str
    options: tuple[str, ...]

    def prompts(self, texts: Texts, guide: Guide) -> list[Prompt]:
        prompt = choice_prompt(
            self.question, self.options, texts, guidance=self.guidance, guide=guide
        )
        return [replace(prompt, passages=tuple(each for each in prompt.passages if each.text))]

    def answer(self, opinions: Sequence[Opinion]) -> str:
        choice: str = _demanded(opinions[0].choice, opinions[0])
        return choice


def demand_answerable(settings: Mapping[str, Any]) -> None:
    """Refuse a protocol, or a task as the API shows it, that a machine cannot answer."""
    if settings["kind"] not in _PARTS:
        raise UsageError(
            f"A machine cannot do tasks of a protocol of the kind {settings['kind']!r}: {_ABLE}."
        )
    for block in questions_of(map(block_from, settings.get("blocks", ()))):
        if block.required and _from_block(block) is None:
            more = ", which asks how much better," if isinstance(block, PairwiseBlock) else ""
            raise UsageError(
                f"A machine cannot answer the question {block.name!r} of the type {block.type!r}"
                f"{more}: {_ABLE}."
            )


def first_prompts(task: Mapping[str, Any], guide: Guide = NO_GUIDE) -> list[Prompt]:
    """What a judge is asked about a task whatever it answers, to tell what a run will cost."""
    return [prompt for query in _Work(task, guide).due() for prompt in query.prompts]


def answer_task(task: Mapping[str, Any], judge: Judge, guide: Guide = NO_GUIDE) -> dict[str, Any]:
    """The whole answer to a task, to be submitted; an `UnansweredError` where one is missing."""
    work = _Work(task, guide)
    while due := work.due():
        opinions = iter(judge.ask([prompt for query in due for prompt in query.prompts]))
        for query in due:
            work.store(query, [next(opinions) for _ in query.prompts])
    return work.result()


@dataclass(frozen=True)
class _Query:
    """A question about one item, by the item's key; the statement at the end has none."""

    key: str
    question: Question
    prompts: tuple[Prompt, ...]


class _Work:
    """A task while it is answered: a question may depend on the answer to an earlier one."""

    def __init__(self, task: Mapping[str, Any], guide: Guide) -> None:
        demand_answerable(task)
        self._guide = guide
        self._part = _PARTS[task["kind"]]
        self._blocks = {each.name: each for each in _blocks(task)}
        self._questions = _questions(task)
        self._texts = {item["key"]: _texts(item) for item in task["items"]}
        self._answers: dict[str, dict[str, Any]] = {key: {} for key in self._texts}
        self._statement = task.get("question")
        self._reply: bool | None = None

    def due(self) -> list[_Query]:
        """The questions that can be asked now."""
        due = [
            self._query(key, question, texts)
            for key, texts in self._texts.items()
            for question in self._questions
            if question.name not in self._answers[key] and self._is_active(question.name, key)
        ]
        if self._statement is not None and self._reply is None:
            due.append(self._query("", _statement(self._statement), self._read()))
        return due

    def store(self, query: _Query, opinions: Sequence[Opinion]) -> None:
        """Record an answer."""
        answer = query.question.answer(opinions)
        if query.key:
            self._answers[query.key][query.question.name] = answer
        else:
            self._reply = answer == _TRUE

    def result(self) -> dict[str, Any]:
        """The answer as the API takes it."""
        items = {key: {self._part: answers} for key, answers in self._answers.items()}
        return {"items": items, **({} if self._reply is None else {"reply": self._reply})}

    def _query(self, key: str, question: Question, texts: Texts) -> _Query:
        return _Query(key, question, tuple(question.prompts(texts, self._guide)))

    def _is_active(self, name: str, key: str) -> bool:
        block = self._blocks.get(name)
        return block is None or is_active(block, self._answers[key], self._blocks)

    def _read(self) -> Texts:
        """The documents and references that the task showed, for the statement at its end."""
        documents = [texts.document for texts in self._texts.values() if texts.document]
        references = [texts.reference for texts in self._texts.values() if texts.reference]
        return Texts("", "\n\n".join(documents) or None, "\n\n".join(references) or None)


def _demanded(value: Any, opinion: Opinion) -> Any:
    if value is None:
        raise UnansweredError(opinion.reason or "it gave no answer", transient=opinion.transient)
    return value


def _questions(task: Mapping[str, Any]) -> list[Question]:
    if task["kind"] == "form":
        return [each for each in map(_from_block, _blocks(task)) if each is not None]
    if task["kind"] == "comparison":
        return [Compared(_dimension(dimension)) for dimension in task["dimensions"]]
    beside = {part: _scale(task, part) for part in _BESIDE}
    common = {part: scale for part, scale in beside.items() if scale is not None}
    return [_rated(task, dimension, common) for dimension in task["dimensions"]]


def _rated(task: Mapping[str, Any], dimension: Mapping[str, Any], beside: Any) -> Rated:
    scale = _scale(dimension, "scale") or _scale(task, "scale")
    assert scale is not None, "a rating protocol that was checked has a scale"
    return Rated(_dimension(dimension), {"value": scale, **beside})


def _blocks(task: Mapping[str, Any]) -> tuple[QuestionBlock, ...]:
    return questions_of(map(block_from, task.get("blocks", ())))


def _from_block(block: QuestionBlock) -> Question | None:
    """The question of a form; None for a type that a judge cannot answer."""
    if isinstance(block, ScaleBlock):
        return Rated(block.dimension, block.scales)
    if isinstance(block, PairwiseBlock) and block.strength is None:
        return Compared(block.dimension, ties=block.ties, in_form=True)
    if isinstance(block, ChoiceBlock | YesNoBlock):
        return Chosen(block.name, block.question, block.guidance, block.values)
    return None


def _statement(statement: str) -> Chosen:
    question = f"Is this statement true, by what you have read? {statement}"
    return Chosen("", question, "", (_TRUE, _FALSE))


def _dimension(given: Mapping[str, Any]) -> Dimension:
    return Dimension(given["name"], given["question"], given.get("guidance") or "")


def _scale(given: Mapping[str, Any], name: str) -> Scale | None:
    return read_scale(Fields(given, []), name)


def _texts(item: Mapping[str, Any]) -> Texts:
    """The texts that are shown of an item; a tokenised document as it was written."""
    return Texts(
        summary=item.get("summary", item.get("left", "")),
        document=item.get("shown", item.get("document")),
        reference="\n\n".join(item.get("references", ())) or None,
        title=item.get("title"),
        other=item.get("right"),
    )
