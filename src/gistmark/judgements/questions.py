"""True/False statements for documents that have none, to be reviewed by the manager.

True ones are sentences of the document; false ones are such sentences with a number, a name or a
negation changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from gistmark.corpus.corpus import Corpus
from gistmark.errors import Problem
from gistmark.judgements.alterations import Change, altered, names_in
from gistmark.judgements.seeds import generator
from gistmark.records import About, Question
from gistmark.text.sentences import sentences

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
"""A sentence that begins with one of these says little without the one before."""


@dataclass(frozen=True, slots=True)
class ProposedQuestion:
    """A generated statement: nobody has reviewed it yet.

    `made` tells how: `taken` from the text as it is, or with this changed.
    """

    question: Question
    made: Literal["taken"] | Change
    sentence: str
    """The sentence of the text that it comes from."""


@dataclass(frozen=True, slots=True)
class ProposedQuestions:
    """Statements for all documents that had none, and a problem for each that gives none."""

    questions: tuple[ProposedQuestion, ...]
    problems: tuple[Problem, ...]


def propose_questions(
    document: str, text: str, *, seed: int, about: About = "document", lang: str | None = None
) -> tuple[ProposedQuestion, ...]:
    """One true and one false statement about a text, of different sentences where it can be.

    Fewer where the text gives no more: no sentence of a few words, or nothing in any that a rule
    can change. The false one occurs nowhere in the text.
    """
    draw = generator(seed, "question", document, about)
    every = sentences(text, lang)
    usable = _usable(every)
    order = [usable[place] for place in draw.permutation(len(usable))]
    names = names_in(every)
    english = lang is None or lang.lower().startswith("en")
    false = next(
        (
            ProposedQuestion(Question(document, made, False, about), change, sentence)
            for sentence in order
            for made, change in altered(sentence, names, draw, english=english)
            if not occurs(made, text)
        ),
        None,
    )
    rest = [each for each in order if false is None or each != false.sentence] or order
    true = [
        ProposedQuestion(Question(document, sentence, True, about), "taken", sentence)
        for sentence in rest[:1]
    ]
    return (*true, false) if false is not None else tuple(true)


def propose_missing_questions(
    corpus: Corpus, *, seed: int, about: About = "document"
) -> ProposedQuestions:
    """Statements for every document (or first reference) of the corpus that has none."""
    asked = {question.document for question in corpus.questions if question.about == about}
    found: list[ProposedQuestion] = []
    problems: list[Problem] = []
    for document, (text, lang) in _texts(corpus, about).items():
        if document in asked:
            continue
        proposed = propose_questions(document, text, seed=seed, about=about, lang=lang)
        found += proposed
        if len({each.question.answer for each in proposed}) < 2:
            kind = "a false" if proposed else "a"
            what = "the text" if about == "document" else "the reference"
            problems.append(
                Problem(
                    f"No sentence of {what} of document {document!r} can be made into {kind} "
                    f"statement; write one."
                )
            )
    return ProposedQuestions(tuple(found), tuple(problems))


def occurs(statement: str, text: str) -> bool:
    """Whether a statement stands in a text, whatever the white space and the case."""
    return _folded(statement).rstrip(".!?") in _folded(text)


def _usable(every: list[str]) -> list[str]:
    """The sentences that make sense alone; else clauses of them; else all that are not tiny."""
    plain = [
        each
        for each in every
        if "\n" not in each and not _QUOTES.search(each) and not _CUT_SHORT.search(each)
    ]
    alone = [each for each in plain if _first_word(each) not in _LEANING]
    whole = [each for each in alone if _FEWEST_WORDS <= len(each.split()) <= _MOST_WORDS]
    if whole:
        return whole
    clauses = [clause for each in plain for clause in re.split(r"[;:,] ", each)]
    long = [each for each in clauses if _FEWEST_WORDS <= len(each.split()) <= _MOST_WORDS]
    return long or [each for each in plain if len(each.split()) >= 3]


def _first_word(sentence: str) -> str:
    return sentence.split(maxsplit=1)[0].strip(",").lower() if sentence.split() else ""


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
