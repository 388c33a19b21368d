"""True/False statements for documents that have none, to be reviewed by the manager.

True ones are sentences of the document; false ones are such sentences with a number, a name or a
negation changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gistmark.corpus.corpus import Corpus
from gistmark.errors import Problem
from gistmark.records import About, Question
from gistmark.runtime.seeds import generator
from gistmark.text.sentences import sentences

Change = Literal["number", "name", "negation"]

_DIGITS = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\w)")
_NUMBER_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_WRITTEN_NUMBER = re.compile(rf"\b({'|'.join(_NUMBER_WORDS)})\b")
_ENDS = re.compile(r"[’']s$|[^\w’'-]+$")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_NEGATED = re.compile(r"\b(is|are|was|were|has|have|had|will|can|could|would|should|must) not\b")
_NEVER = re.compile(r"\bnever ")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|will|can|could|would|should|must)\b(?! not\b)(?!n[’'])"
)
_FEWEST_WORDS, _MOST_WORDS = 6, 30
_CUT_SHORT = re.compile(r"\b(?:Mrs?|Ms|Dr|Prof|St|No|vs)\.$")
_QUOTES = re.compile('["“”„«»]')
_LEANING = frozenset(
    (
        "he", "she", "it", "they", "this", "that", "these", "those", "his", "her", "its", "their",
        "such", "but", "and", "or", "so", "then", "there", "however", "meanwhile", "also", "both",
        "one", "another", "i", "we", "you",
    )
)  # fmt: skip
"""A sentence that begins with one of these makes little sense without the one before."""


@dataclass(frozen=True, slots=True)
class ProposedQuestion:
    """A generated statement: nobody has reviewed it yet.

    `change` is what was changed in the sentence; None in a true statement, which is the sentence.
    """

    question: Question
    change: Change | None
    sentence: str
    """The sentence of the text that it comes from."""


@dataclass(frozen=True, slots=True)
class ProposedQuestions:
    """Statements for all documents without one, and a problem for each that allows none."""

    questions: tuple[ProposedQuestion, ...]
    problems: tuple[Problem, ...]


def propose_questions(
    document: str, text: str, *, seed: int, about: About = "document", lang: str | None = None
) -> tuple[ProposedQuestion, ...]:
    """One true and one false statement about a text, from different sentences if possible.

    Fewer where the text gives no more: no sentence of a few words, or nothing in any that a rule
    can change. The false one occurs nowhere in the text.
    """
    rng = generator(seed, "question", document, about)
    every = sentences(text, lang)
    usable = _usable(every)
    order = [usable[index] for index in rng.permutation(len(usable))]
    names = names_in(every)
    english = lang is None or lang.lower().startswith("en")
    false = next(
        (
            ProposedQuestion(Question(document, false, False, about), change, sentence)
            for sentence in order
            for false, change in altered(sentence, names, rng, english=english)
            if not occurs(false, text)
        ),
        None,
    )
    rest = [each for each in order if false is None or each != false.sentence] or order
    true = [
        ProposedQuestion(Question(document, sentence, True, about), None, sentence)
        for sentence in rest[:1]
    ]
    return (*true, false) if false is not None else tuple(true)


def propose_missing_questions(
    corpus: Corpus, *, seed: int, about: About = "document"
) -> ProposedQuestions:
    """Statements for every document (or first reference) of the corpus that has none."""
    covered = {question.document for question in corpus.questions if question.about == about}
    questions: list[ProposedQuestion] = []
    problems: list[Problem] = []
    for document, (text, lang) in _texts(corpus, about).items():
        if document in covered:
            continue
        proposed = propose_questions(document, text, seed=seed, about=about, lang=lang)
        questions += proposed
        if len({each.question.answer for each in proposed}) < 2:
            kind = "a false" if proposed else "a"
            what = "the text" if about == "document" else "the reference"
            problems.append(
                Problem(
                    f"No sentence of {what} of document {document!r} can be made into {kind} "
                    f"statement; write one."
                )
            )
    return ProposedQuestions(tuple(questions), tuple(problems))


def occurs(statement: str, text: str) -> bool:
    """Whether a statement stands in a text, whatever the white space and the case."""
    return _folded(statement).rstrip(".!?") in _folded(text)


def _usable(every: list[str]) -> list[str]:
    """The sentences that make sense by themselves; else clauses of them; else all but tiny ones."""
    plain = [
        each
        for each in every
        if "\n" not in each and not _QUOTES.search(each) and not _CUT_SHORT.search(each)
    ]
    alone = [text for text in plain if (text.split() or [""])[0].strip(",").lower() not in _LEANING]
    whole = [text for text in alone if _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS]
    if whole:
        return whole
    clauses = [clause for text in plain for clause in re.split(r"[;:,] ", text)]
    long = [clause for clause in clauses if _FEWEST_WORDS <= len(clause.split()) <= _MOST_WORDS]
    return long or [text for text in plain if len(text.split()) >= 3]


def _texts(corpus: Corpus, about: About) -> dict[str, tuple[str, str | None]]:
    langs = {each.id: each.lang for each in corpus.documents}
    if about == "document":
        return {each.id: (each.text, each.lang) for each in corpus.documents}
    return {
        document: (references[0].text, langs.get(document))
        for document, references in corpus.references.items()
    }


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def altered(
    sentence: str, names: Sequence[str], rng: np.random.Generator, *, english: bool
) -> Iterator[tuple[str, Change]]:
    """The sentence, made false by one rule after another, in random order.

    `names` are those of the document. Negation knows English only.
    """
    rules: list[tuple[Change, Callable[[], str | None]]] = [
        ("number", lambda: _other_number(sentence, rng)),
        ("name", lambda: _other_name(sentence, names, rng)),
    ]
    if english:
        rules.append(("negation", lambda: _negated(sentence)))
    for index in rng.permutation(len(rules)).tolist():
        change, rule = rules[index]
        false = rule()
        if false is not None and false != sentence:
            yield false, change


def names_in(sentences: Sequence[str]) -> tuple[str, ...]:
    """The names of a text: runs of capitalised words, without those that begin a sentence."""
    names: dict[str, None] = {}
    for sentence in sentences:
        run: list[str] = []
        for word in (*sentence.split()[1:], ""):
            plain = _ENDS.sub("", _ENDS.sub("", word))
            capital = len(plain) > 1 and plain[0].isupper()
            if capital:
                run.append(plain)
            if run and (not capital or plain != word):
                names[" ".join(run)] = None
                run = []
    return tuple(names)


def _other_number(sentence: str, rng: np.random.Generator) -> str | None:
    digits = list(_DIGITS.finditer(sentence))
    written = list(_WRITTEN_NUMBER.finditer(sentence))
    matches = digits + written
    if not matches:
        return None
    chosen = matches[int(rng.integers(len(matches)))]
    if chosen in written:
        others = [word for word in _NUMBER_WORDS if word != chosen.group()]
        return _put(sentence, chosen, others[int(rng.integers(len(others)))])
    return _put(sentence, chosen, _another(chosen.group(), rng))


def _another(number: str, rng: np.random.Generator) -> str:
    """A number of the same look that is clearly different: a year moves, others grow."""
    plain = number.replace(",", "")
    if "." in plain:
        decimals = len(plain.partition(".")[2])
        return f"{float(plain) * 2 + 1:.{decimals}f}"
    value = int(plain)
    year = len(number) == 4 and 1500 <= value <= 2100
    moved = value + int(rng.integers(3, 9)) if year else value * 2 + int(rng.integers(1, 4))
    return f"{moved:,}" if "," in number else str(moved)


def _other_name(sentence: str, names: Sequence[str], rng: np.random.Generator) -> str | None:
    there = [name for name in names if re.search(rf"\b{re.escape(name)}\b", sentence)]
    there += [day for day in (*_DAYS, *_MONTHS) if re.search(rf"\b{day}\b", sentence)]
    for index in rng.permutation(len(there)).tolist():
        name = there[index]
        others = _alternatives(name, sentence, names)
        if others:
            match = re.search(rf"\b{re.escape(name)}\b", sentence)
            assert match is not None, "the name was found in the sentence"
            return _put(sentence, match, others[int(rng.integers(len(others)))])
    return None


def _alternatives(name: str, sentence: str, names: Sequence[str]) -> list[str]:
    """Days for a day, months for a month, other names of the document for a name."""
    for group in (_DAYS, _MONTHS):
        if name in group:
            return [other for other in group if other not in sentence]
    calendar = {*_DAYS, *_MONTHS}
    words = set(name.split())
    return [
        other
        for other in names
        if other not in sentence and words.isdisjoint(other.split()) and other not in calendar
    ]


def _negated(sentence: str) -> str | None:
    """Without its negation, or with one behind its first auxiliary."""
    if match := _NEGATED.search(sentence):
        return _put(sentence, match, match.group(1))
    if match := _NEVER.search(sentence):
        return _put(sentence, match, "")
    if match := _AUXILIARY.search(sentence):
        return _put(sentence, match, f"{match.group()} not")
    return None


def _put(sentence: str, match: re.Match[str], word: str) -> str:
    return sentence[: match.start()] + word + sentence[match.end() :]
