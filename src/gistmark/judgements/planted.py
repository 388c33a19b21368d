"""Planted summaries: a good, a mediocre and a bad one, to tell who rates with care.

As in Hardy, Narayan and Vlachos, "HighRES" (2019), section 3.3: the good one is an unedited
summary, the mediocre one is sentences of the document with grammatical mistakes, and for the bad
one the words of that are scrambled. To be reviewed by the manager like the questions.
"""

from __future__ import annotations

from dataclasses import dataclass

from gistmark.corpus.corpus import Corpus
from gistmark.errors import Problem, UsageError
from gistmark.judgements.mistakes import scrambled, with_mistakes
from gistmark.judgements.seeds import generator
from gistmark.records import Planted
from gistmark.text.sentences import sentences

_FEWEST_WORDS = 6
"""A text of fewer words cannot be told from a scrambled one."""


@dataclass(frozen=True, slots=True)
class ProposedPlanted:
    """Triples for all documents that had none, and a problem for each that gives none."""

    planted: tuple[Planted, ...]
    problems: tuple[Problem, ...]


def propose_planted(
    document: str, text: str, good: str, *, seed: int, lang: str | None = None
) -> Planted:
    """A planted triple for a document: `good` is a summary of it that needs no editing.

    The mediocre one takes sentences of the document at random until it is as long as the good
    one, or no sentence is left.

    >>> from gistmark.judgements import propose_planted
    >>> text = "The bridge was closed on Tuesday. A painter had found a long crack in its arm."
    >>> triple = propose_planted("bridge", text, "A crack has closed the bridge.", seed=3)
    >>> triple.good, triple.mediocre == triple.bad
    ('A crack has closed the bridge.', False)
    """
    draw = generator(seed, "planted", document)
    every = [" ".join(each.split()) for each in sentences(text, lang)]
    wanted = max(len(good.split()), _FEWEST_WORDS)
    chosen: list[int] = []
    for place in draw.permutation(len(every)).tolist():
        if sum(len(every[each].split()) for each in chosen) >= wanted:
            break
        chosen.append(place)
    sampled = " ".join(every[place] for place in sorted(chosen))
    if len(sampled.split()) < _FEWEST_WORDS:
        raise UsageError(
            f"Document {document!r} is too short to plant summaries: it has fewer than "
            f"{_FEWEST_WORDS} words."
        )
    mediocre = with_mistakes(sampled, draw)
    return Planted(good, mediocre, scrambled(mediocre, draw), document)


def propose_missing_planted(corpus: Corpus, *, seed: int) -> ProposedPlanted:
    """A triple for every document that has a reference and none yet; a problem where none can be.

    The good one is the document's first reference.
    """
    there = {triple.document for triple in corpus.planted}
    made: list[Planted] = []
    problems: list[Problem] = []
    for document in corpus.documents:
        if document.id in there:
            continue
        references = corpus.references.get(document.id)
        if not references:
            problems.append(
                Problem(f"Document {document.id!r} has no reference to plant as the good summary.")
            )
            continue
        try:
            made.append(
                propose_planted(
                    document.id, document.text, references[0].text, seed=seed, lang=document.lang
                )
            )
        except UsageError as error:
            problems.append(Problem(str(error)))
    return ProposedPlanted(tuple(made), tuple(problems))
