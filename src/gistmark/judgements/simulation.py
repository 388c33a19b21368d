"""Simulated annotators, to try out a campaign and its checks before people do.

They see what a browser sees (`payload`) and answer as a browser would. A program cannot read:
instead of that it has `Knowledge`. It knows how good each summary is (which the simulation
decides), takes a text to be as fluent as its neighbouring words are found together in ordinary
text, and takes a statement to be true if it occurs in the text beside it.

- `careful` rates by quality, with little noise, and takes the time that reading takes;
- `noisy` does the same with much noise, and sometimes answers without looking;
- `careless` answers at random and quickly;
- `adversarial` gives the same answer throughout or alternates between two, in just enough time;
- `scripted` is a program that looks for planted summaries by comparing bags of words, and answers
  statements as it has learnt from the results of earlier answers (`truths` of its `Knowledge`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from gistmark.corpus.corpus import Corpus
from gistmark.errors import unknown_name
from gistmark.judgements.checks.statements import occurs
from gistmark.judgements.questions import get_question_type
from gistmark.runtime.seeds import generator
from gistmark.text.words import ngrams, words
from gistmark.text.written import summary_as_written

Style = Literal["careful", "noisy", "careless", "adversarial", "scripted"]
STYLES: tuple[Style, ...] = get_args(Style)

_NOISE: Mapping[str, float] = {"careful": 0.05, "noisy": 0.2}
_INATTENTION: Mapping[str, float] = {"careful": 0.0, "noisy": 0.15}
_WORDS_PER_SECOND = 4.0
_SECONDS_PER_ANSWER = 3.0
_SPREAD = 0.08
"""The standard deviation of the quality of a system's summaries around the system's."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Hidden facts by text: `quality` of summaries from 0 to 1, `truths` of statements.

    `ordinary` are the pairs of neighbouring words of text that nobody has broken.
    """

    quality: Mapping[str, float] = field(default_factory=dict)
    truths: Mapping[str, bool] = field(default_factory=dict)
    ordinary: frozenset[tuple[str, ...]] = frozenset()

    def quality_of(self, text: str, dimension: str = "") -> float:
        """How good a text is in a dimension; an unknown text is judged by how it reads.

        A text is a little better in some dimensions than in others, the same for every reader.
        The share of ordinary pairs is squared, because a wrong word spoils the pairs on both sides.
        """
        known = self.quality.get(text)
        if known is None:
            return _share(text, self.ordinary) ** 2
        return _sampled(known, generator(0, "dimension", dimension, text)) if dimension else known

    def holds(self, statement: str, text: str) -> bool:
        """Whether a statement is true, as far as reading the text beside it tells."""
        known = self.truths.get(statement)
        return occurs(statement, text) if known is None else known


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a simulated annotator submits, and how long it would have taken in seconds."""

    answer: dict[str, Any]
    seconds: float


def simulate(
    task: Mapping[str, Any],
    style: Style,
    knowledge: Knowledge,
    *,
    seed: int,
    annotator: str = "",
    minimum_seconds: float = 0.0,
) -> Simulated:
    """The answer of an annotator of this style to a task's payload.

    The same seed, annotator and task give the same answer. `minimum_seconds` is the protocol's,
    which no payload contains: careless annotators stay below it.

    >>> from gistmark.judgements import Knowledge, get_protocol, simulate, to_mapping
    >>> item = {"key": "1", "document": "A bridge was closed.", "summary": "Bridge closed."}
    >>> task = {**to_mapping(get_protocol("overall")), "items": [item], "question": None}
    >>> done = simulate(task, "careful", Knowledge({"Bridge closed.": 1.0}), seed=1)
    >>> done.answer["items"]["1"]["ratings"]["overall"]["value"]
    4
    """
    if style not in STYLES:
        raise unknown_name("style of annotator", style, STYLES)
    texts = [text for item in task["items"] for text in _texts(item)]
    rng = generator(seed, style, annotator, *texts)
    return SimulatedAnnotator(task, style, knowledge, rng, minimum_seconds).answer()


def knowledge_from(
    corpus: Corpus,
    systems: Mapping[str, float],
    *,
    seed: int,
    truths: Mapping[str, bool] | None = None,
) -> Knowledge:
    """What there is to know about a corpus whose systems have these qualities from 0 to 1.

    Each summary's quality is sampled around its system's. A system that is not named gets 0.5, a
    reference 0.9. The questions of the corpus are known, and `truths` on top of them.
    """
    sources = {document.id: document.text for document in corpus.documents}
    quality = {
        summary_as_written(summary.text, sources.get(summary.document)): _sampled(
            systems.get(summary.system, 0.9 if summary.reference else 0.5),
            generator(seed, "quality", summary.document, summary.system),
        )
        for summary in corpus.summaries
    }
    ordinary = [document.text for document in corpus.documents]
    ordinary += [summary.text for summary in corpus.summaries if summary.reference]
    ordinary += [triple.good for triple in corpus.planted]
    statements = {question.statement: question.answer for question in corpus.questions}
    pairs = frozenset(pair for text in ordinary for pair in ngrams(words(text), 2))
    return Knowledge(quality, {**statements, **(truths or {})}, pairs)


class SimulatedAnnotator:
    """One annotator at one task; question types ask it how it judges (`QuestionType.simulate`)."""

    def __init__(
        self,
        task: Mapping[str, Any],
        style: Style,
        knowledge: Knowledge,
        rng: np.random.Generator,
        minimum_seconds: float = 0.0,
    ) -> None:
        self.task = task
        self.style = style
        self.knowledge = knowledge
        self.rng = rng
        self.minimum_seconds = minimum_seconds
        self.reads = style in _NOISE
        """Whether it looks at what it judges."""
        self._alternates = bool(rng.integers(2))
        self._habits = 0
        self._suspects = _equal_bags(task) if style == "scripted" else {}

    @property
    def noise(self) -> float:
        """How far somebody who reads may misjudge, as a standard deviation."""
        return _NOISE[self.style]

    def answer(self) -> Simulated:
        """The whole task, with a log of the controls that were moved."""
        question_type = get_question_type(self.task["kind"])
        items: dict[str, Any] = {}
        moves: list[dict[str, Any]] = []
        clock = 0.0
        for item in self.task["items"]:
            answer = question_type.simulate(item, self)
            answer["seconds"] = round(self._seconds(item), 1)
            clock += answer["seconds"]
            items[item["key"]] = answer
            moves += [
                {"at": round(clock, 1), "item": item["key"], "control": name, "value": value}
                for name, value in question_type.moves(answer).items()
            ]
        seconds = round(clock, 1)
        whole: dict[str, Any] = {"items": items, "seconds": seconds, "moves": moves}
        if self.task["question"] is not None:
            whole["reply"] = self._reply()
        return Simulated(whole, seconds)

    def looks(self) -> bool:
        """Whether it looks this time: those who read may miss something now and then."""
        return self.reads and bool(self.rng.uniform() >= _INATTENTION[self.style])

    def level(self, text: str, dimension: str) -> float:
        """How good it finds a text in a dimension, about 0 to 1."""
        if self.looks():
            noise = float(self.rng.normal(0, self.noise))
            return self.knowledge.quality_of(text, dimension) + noise
        if self.style == "adversarial":
            return 0.9 if self.next_habit() else 0.6
        if self.style == "scripted":
            return self._suspects.get(text, 0.9 + float(self.rng.normal(0, 0.03)))
        return float(self.rng.uniform())

    def next_habit(self) -> bool:
        """The next answer of somebody who does not look: always true, or alternating."""
        self._habits += 1
        return not self._alternates or bool(self._habits % 2)

    def _reply(self) -> bool:
        learnt = self.knowledge.truths.get(self.task["question"])
        if self.style == "scripted" and learnt is not None:
            return learnt
        if not self.looks():
            return bool(self.rng.integers(2))
        read = "\n".join(text for item in self.task["items"] for text in _beside(item))
        return self.knowledge.holds(self.task["question"], read)

    def _seconds(self, item: Mapping[str, Any]) -> float:
        least = self.minimum_seconds
        if self.style == "careless":
            return float(least * self.rng.uniform(0.1, 0.7) + self.rng.uniform(0.2, 1.0))
        if self.style in ("adversarial", "scripted"):
            return float(least * self.rng.uniform(1.02, 1.3) + 0.5)
        count = sum(len(text.split()) for text in _texts(item))
        answers = max(len(self.task["dimensions"]), len(self.task.get("blocks", ())), 1)
        needed = count / _WORDS_PER_SECOND + answers * _SECONDS_PER_ANSWER
        return float(max(least * 1.1, needed) * self.rng.uniform(1.0, 1.4))


def _equal_bags(task: Mapping[str, Any]) -> dict[str, float]:
    """The level of each summary that has exactly the words of another one of the task.

    The one with fewer capital letters is taken to be the scrambled one.
    """
    bags: dict[frozenset[tuple[str, int]], list[str]] = {}
    for item in task["items"]:
        text = item.get("summary", "")
        bags.setdefault(frozenset(Counter(words(text)).items()), []).append(text)
    suspects: dict[str, float] = {}
    for texts in bags.values():
        if len(texts) == 2:
            bad, mediocre = sorted(texts, key=lambda text: sum(map(str.isupper, text)))
            suspects |= {bad: 0.1, mediocre: 0.5}
    return suspects


def _texts(item: Mapping[str, Any]) -> list[str]:
    judged = [item[name] for name in ("summary", "left", "right") if name in item]
    return [*_beside(item), *judged, *item.get("summaries", ())]


def _beside(item: Mapping[str, Any]) -> list[str]:
    document = [item["document"]] if "document" in item else []
    return document + list(item.get("references", ()))


def _sampled(centre: float, rng: np.random.Generator) -> float:
    return float(np.clip(rng.normal(centre, _SPREAD), 0.0, 1.0))


def _share(text: str, ordinary: frozenset[tuple[str, ...]]) -> float:
    """The share of a text's neighbouring words that are ordinary; one word says nothing."""
    pairs = ngrams(words(text), 2)
    return sum(pair in ordinary for pair in pairs) / len(pairs) if pairs else 0.5
