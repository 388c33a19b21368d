"""Practice: items whose right answer is shown once they are answered, and who may go on to tasks.

Before the first task of a campaign an annotator may have to answer comprehension questions about
the study (two tries) and to pass a practice (a pass mark, and a number of tries). A practice item
is marked dimension by dimension: an answer is right where its distance from the right one
(`QuestionType.distances`) is within the item's tolerance. `practice_from` reads a whole practice
from JSON and reports everything that is wrong with it at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Literal

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import FLAG, NAME, NUMBER, TEXT, Count
from gistmark.judgements.answers import read_answer
from gistmark.judgements.fields import AnswerError, Fault, Fields
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.questions.base import ItemAnswer, Texts
from gistmark.judgements.tasks.items import Item
from gistmark.judgements.tasks.task import Entry, Task, completed
from gistmark.runtime.seeds import generator

COMPREHENSION_TRIES = 2
"""How often the comprehension questions of a campaign may be answered."""
PASS_MARK = 70
"""The percentage of answers that have to be right, unless a manager says otherwise."""
TRIES = 2
"""How often a practice may be tried, unless a manager says otherwise."""
ENTRY = "1"
"""The key of a practice item in its task, which has no other."""
MOST_ITEMS = 100
MOST_QUESTIONS = 30
MOST_OPTIONS = 10
MOST_TRIES = 100
LONGEST_TEXT = 20_000
LONGEST_NAME = 200

Stage = Literal[
    "comprehension", "practice", "ready", "misunderstood", "failed", "unqualified", "withdrawn"
]
"""What comes next for an annotator; only those who are `ready` get tasks.

`misunderstood` have no try at the comprehension questions left and `failed` none at the practice,
`unqualified` lack a qualification that can only be earned elsewhere, and a manager has `withdrawn`
the qualification of the last.
"""


@dataclass(frozen=True, slots=True)
class PracticeItem:
    """An item to practise on; `right` is the right answer as JSON, None until there is one."""

    document: str
    systems: tuple[str, ...] = ()
    right: Mapping[str, Any] | None = None
    tolerance: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ComprehensionQuestion:
    """A question about the study; `right` is the index of the right option.

    `explanation` is for those who chose a wrong one, before their second try.
    """

    question: str
    options: tuple[str, ...]
    right: int
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Practice:
    """What an annotator has to pass before the first task.

    `qualification` is the name of what they earn; if empty, it is valid for this campaign alone.
    `leaves_out` keeps the documents of practice items out of the real tasks.
    """

    pass_mark: int = PASS_MARK
    tries: int = TRIES
    required: bool = True
    qualification: str = ""
    leaves_out: bool = True
    items: tuple[PracticeItem, ...] = ()
    comprehension: tuple[ComprehensionQuestion, ...] = ()

    def to_mapping(self) -> dict[str, Any]:
        """The practice as JSON can hold it; `practice_from` reads it back."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PracticeScore:
    """How many answers of an attempt are right, of all that have a right answer."""

    correct: int = 0
    total: int = 0

    def passes(self, pass_mark: int) -> bool:
        """Whether at least `pass_mark` percent are right; with no questions nobody passes."""
        return self.total > 0 and 100 * self.correct >= pass_mark * self.total

    @property
    def percent(self) -> float:
        """The share of right answers, from 0 to 100; 0 where nothing was asked."""
        return 100 * self.correct / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class History:
    """Somebody's attempts so far to be admitted; failures that were forgiven do not count."""

    understood: bool = False
    misunderstandings: int = 0
    failures: int = 0
    qualified: bool = False
    withdrawn: bool = False


def stage_of(
    history: History,
    *,
    questions: int,
    items: int,
    required: bool = True,
    qualification: str = "",
    tries: int = TRIES,
) -> Stage:
    """What comes next for somebody in a campaign with so many questions and practice items.

    >>> from gistmark.judgements.tasks.practice import History, stage_of
    >>> stage_of(History(), questions=2, items=3)
    'comprehension'
    >>> stage_of(History(understood=True, failures=2), questions=2, items=3, tries=2)
    'failed'
    """
    if questions and not history.understood:
        left = history.misunderstandings < COMPREHENSION_TRIES
        return "comprehension" if left else "misunderstood"
    if not required or not (items or qualification) or history.qualified:
        return "ready"
    if history.withdrawn:
        return "withdrawn"
    if not items:
        return "unqualified"
    return "practice" if history.failures < tries else "failed"


def practice_task(item: PracticeItem, annotator: str, *, slot: str) -> Task:
    """A practice item as a task of one entry; the summaries stand as the manager put them."""
    return Task(slot, annotator, 0, (Entry(ENTRY, item.document, item.systems),))


def mark(
    answer: ItemAnswer, right: ItemAnswer, protocol: Protocol, *, tolerance: float, text: str = ""
) -> dict[str, bool]:
    """Which parts of an answer are right, by dimension; "" is the whole item."""
    distances = protocol.question_type.distances(answer, right, protocol, text)
    return {name: distance <= tolerance for name, distance in distances.items()}


def score_of(marks: Iterable[Mapping[str, bool]]) -> PracticeScore:
    """The score of an attempt from the marks of its items."""
    points = [correct for each in marks for correct in each.values()]
    return PracticeScore(sum(points), len(points))


def shuffled(count: int, *, seed: int, annotator: str, attempt: int) -> list[int]:
    """The order of the items in an attempt, different for each attempt and each annotator."""
    order: list[int] = generator(seed, "practice", annotator, attempt).permutation(count).tolist()
    if attempt > 1 and count > 1:
        before = shuffled(count, seed=seed, annotator=annotator, attempt=attempt - 1)
        return order[1:] + order[:1] if order == before else order
    return order


def wrong_answers(
    questions: Sequence[ComprehensionQuestion], chosen: Sequence[int | None]
) -> list[int]:
    """The indices of the questions whose chosen option is not the right one."""
    pairs = enumerate(zip(questions, chosen, strict=True))
    return [index for index, (question, option) in pairs if option != question.right]


def read_right(
    given: object,
    item: PracticeItem,
    protocol: Protocol,
    *,
    texts: Texts,
    corpus: Corpus | None = None,
) -> ItemAnswer:
    """The right answer to an item; an `AnswerError` has all that is wrong with it.

    Dimensions may be left out: they have no right answer and are not marked. One must be there.
    `corpus` is for question types whose entries are completed from it.
    """
    task = practice_task(item, "", slot="practice")
    task = task if corpus is None else completed(task, protocol, corpus)
    sent = {"items": {ENTRY: given}}
    right = read_answer(sent, protocol, task, texts=texts, draft=True).items[ENTRY]
    text = protocol.question_type.marked_text(task.entries[0], texts, protocol)
    if not protocol.question_type.distances(right, right, protocol, text):
        raise AnswerError([Fault("right", "The right answer has nothing to compare others with.")])
    return replace(right, seconds=None)


def in_words(
    given: object, item: PracticeItem, protocol: Protocol, *, texts: Texts
) -> Mapping[str, str]:
    """What an answer to an item says, for people to read, by dimension; "" is the whole item."""
    task = practice_task(item, "", slot="practice")
    sent = {"items": {ENTRY: given}}
    answer = read_answer(sent, protocol, task, texts=texts, draft=True).items[ENTRY]
    text = protocol.question_type.marked_text(task.entries[0], texts, protocol)
    return protocol.question_type.wording(answer, protocol, text)


def practice_from(
    mapping: object,
    protocol: Protocol,
    *,
    judged: Collection[Item],
    texts: Texts,
    corpus: Corpus | None = None,
) -> Practice:
    """The practice that a mapping describes; an `AnswerError` has everything that is wrong.

    `judged` are all items of the corpus under the protocol: a practice item is one of them, with
    the summaries of a pair or a set in any order.
    """
    faults: list[Fault] = []
    given = Fields(mapping, faults)
    usual = Practice()
    right = partial(read_right, protocol=protocol, texts=texts, corpus=corpus)
    whole = Practice(
        _count(given, "pass_mark", usual.pass_mark, 1, 100),
        _count(given, "tries", usual.tries, 1, MOST_TRIES),
        given.take("required", FLAG, usual.required),
        _text(given, "qualification", LONGEST_NAME),
        given.take("leaves_out", FLAG, usual.leaves_out),
        tuple(_read_items(given, protocol, judged, right)),
        tuple(_read_question(question) for question in given.objects("comprehension")),
    )
    if len(whole.items) > MOST_ITEMS:
        given.fault("items", f"must hold at most {MOST_ITEMS} items")
    if len(whole.comprehension) > MOST_QUESTIONS:
        given.fault("comprehension", f"must hold at most {MOST_QUESTIONS} questions")
    given.refuse_others()
    if faults:
        raise AnswerError(faults)
    return whole


RightReader = Callable[[object, PracticeItem], ItemAnswer]
"""Reads the right answer to an item."""


def _read_items(
    given: Fields, protocol: Protocol, judged: Collection[Item], right: RightReader
) -> list[PracticeItem]:
    sides = {(item.document, frozenset(item.systems)) for item in judged}
    read = []
    for fields in given.objects("items"):
        document = fields.take("document", NAME)
        systems = fields.members("systems", NAME)
        is_judged = (document, frozenset(systems)) in sides and len(set(systems)) == len(systems)
        if document is not None and not is_judged:
            named = ", ".join(map(repr, (document, *systems)))
            fields.fault("", f"names {named}, which is not judged in this campaign")
            document = None
        usual = protocol.question_type.usual_tolerance(protocol)
        tolerance = fields.take("tolerance", NUMBER, usual)
        if tolerance is not None and tolerance < 0:
            fields.fault("tolerance", "must be at least 0")
        item = PracticeItem(
            document or "", systems, None, tolerance or 0.0, _text(fields, "reason", LONGEST_TEXT)
        )
        if fields.peek("right") is not None and document is not None:
            item = _with_right(fields, item, right)
        fields.refuse_others()
        read.append(item)
    return read


def _with_right(fields: Fields, item: PracticeItem, read: RightReader) -> PracticeItem:
    try:
        right = read(fields.peek("right"), item)
    except AnswerError as error:
        fields.faults += [
            Fault(f"{fields.path}.right", f"{fields.path}.right: {fault}") for fault in error.faults
        ]
        return item
    return replace(item, right=right.parts())


def _read_question(fields: Fields) -> ComprehensionQuestion:
    options = fields.members("options", NAME)
    right = fields.take("right", Count())
    question = ComprehensionQuestion(
        fields.take("question", NAME) or "",
        options,
        right or 0,
        _text(fields, "explanation", LONGEST_TEXT),
    )
    fields.refuse_others()
    for name, message in question_faults(question):
        fields.fault(name, message)
    return question


def question_faults(question: ComprehensionQuestion) -> Iterable[tuple[str, str]]:
    """What is wrong with a comprehension question: the field, and the end of a sentence."""
    count = len(question.options)
    if not 2 <= count <= MOST_OPTIONS:
        yield "options", f"must hold 2 to {MOST_OPTIONS} options, but holds {count}"
    elif len(set(question.options)) < count:
        yield "options", "must not hold an option twice"
    elif not 0 <= question.right < count:
        yield "right", f"must be the index of an option, 0 to {count - 1}, but is {question.right}"


def _count(given: Fields, name: str, usual: int, low: int, high: int) -> int:
    value = given.take(name, Count(), usual)
    if value is not None and not low <= value <= high:
        given.fault(name, f"must be {low} to {high}, but is {value}")
    return usual if value is None else int(value)


def _text(given: Fields, name: str, longest: int) -> str:
    text: str = (given.take(name, TEXT, "") or "").strip()
    if len(text) > longest:
        given.fault(name, f"must have at most {longest} characters, but has {len(text)}")
    return text
