"""Planted summaries: a good, a mediocre and a bad one, to tell who rates with care.

As in Hardy, Narayan and Vlachos, "HighRES" (2019), section 3.3: the good one is an unedited
summary, the mediocre one is sentences of the document with grammatical mistakes, and the bad one is
scrambled words. The words come from other sentences than the mediocre one's, and punctuation stands
where it does in ordinary text: otherwise a program could recognise both by comparing bags of words,
or by their looks. The manager reviews them, as with the statements.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gistmark.corpus.corpus import Corpus
from gistmark.errors import Problem, UsageError
from gistmark.records import Planted
from gistmark.runtime.seeds import generator
from gistmark.text.sentences import sentences
from gistmark.text.words import words

_FEWEST_WORDS = 6
"""A text of fewer words cannot be told from a scrambled one."""


_WRONG = {
    "is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has",
    "had": "having", "does": "do", "do": "does", "did": "done", "be": "been", "been": "being",
    "can": "can to", "must": "must to", "could": "could to", "a": "an", "an": "a", "the": "",
    "in": "at", "on": "in", "at": "on", "of": "from", "to": "for", "for": "to", "by": "from",
    "with": "by", "from": "of", "its": "it", "it": "its", "their": "them", "they": "them",
    "he": "him", "him": "he", "she": "her", "his": "he", "we": "us", "i": "me",
    "this": "these", "these": "this", "that": "what", "who": "which", "which": "who",
    "more": "most", "says": "say", "say": "says", "said": "say", "every": "all",
}  # fmt: skip
_WORD = re.compile(r"^(\W*)([\w’'-]+)(\W*)$")
_PIECE = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)
_ENDS = re.compile(r"[.!?…][\"'”’»)\]]*$")
_SHARE = 0.4
"""The share of the words with a known wrong form that get it."""


@dataclass(frozen=True, slots=True)
class ProposedPlanted:
    """Triples for all documents without one, and a problem for each document that allows none."""

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
    rng = generator(seed, "planted", document)
    every = [" ".join(sentence.split()) for sentence in sentences(text, lang)]
    wanted = max(len(good.split()), _FEWEST_WORDS)
    order: list[int] = rng.permutation(len(every)).tolist()
    chosen = _enough(order, every, wanted)
    sampled = " ".join(every[index] for index in sorted(chosen))
    if len(sampled.split()) < _FEWEST_WORDS:
        raise UsageError(
            f"Document {document!r} is too short to plant summaries: it has fewer than "
            f"{_FEWEST_WORDS} words."
        )
    mediocre = with_mistakes(sampled, rng)
    others = _enough([index for index in order if index not in chosen], every, wanted)
    rest = " ".join(every[index] for index in sorted(others))
    if len(rest.split()) < min(wanted, len(sampled.split())) / 2:
        rest = _thinned(" ".join(filter(None, (rest, sampled))), rng)
    return Planted(good, mediocre, scrambled(rest, rng), document)


def same_words(left: str, right: str) -> bool:
    """Whether two texts have the same words, each as often, in whatever order."""
    return Counter(words(left)) == Counter(words(right))


def _enough(order: Sequence[int], every: Sequence[str], wanted: int) -> list[int]:
    """The first of the sentences in this order that have so many words together."""
    chosen: list[int] = []
    for index in order:
        if sum(len(every[each].split()) for each in chosen) >= wanted:
            break
        chosen.append(index)
    return chosen


def _thinned(text: str, rng: np.random.Generator) -> str:
    """The text without every third of its words, for a document with no other sentences."""
    kept = text.split()
    count = max(1, len(kept) // 3)
    gone = set(rng.permutation(len(kept))[:count].tolist())
    return " ".join(word for index, word in enumerate(kept) if index not in gone)


def propose_missing_planted(corpus: Corpus, *, seed: int) -> ProposedPlanted:
    """A triple for every document with a reference and no triple; a problem where none can be made.

    The good one is the document's first reference.
    """
    there = {triple.document for triple in corpus.planted}
    proposed: list[Planted] = []
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
            proposed.append(
                propose_planted(
                    document.id, document.text, references[0].text, seed=seed, lang=document.lang
                )
            )
        except UsageError as error:
            problems.append(Problem(str(error)))
    return ProposedPlanted(tuple(proposed), tuple(problems))


def with_mistakes(text: str, rng: np.random.Generator) -> str:
    """The text with wrong forms in place of some of its words.

    English words are put into a wrong form; a text in which none is known gets words doubled and
    swapped, which is wrong in any language.
    """
    tokens = text.split()
    forms = ((index, _wrong_form(word)) for index, word in enumerate(tokens))
    broken = {index: wrong for index, wrong in forms if wrong is not None}
    if len(broken) < 2:
        return " ".join(_stuttered(tokens, rng))
    count = max(2, round(len(broken) * _SHARE))
    indices = list(broken)
    for chosen in rng.permutation(len(indices))[:count].tolist():
        tokens[indices[chosen]] = broken[indices[chosen]]
    return " ".join(filter(None, tokens))


def scrambled(text: str, rng: np.random.Generator) -> str:
    """The words of a text in an order that leaves few of them beside their old neighbours.

    Punctuation stays where it stands, and each sentence begins with a capital letter.
    """
    pieces = [_PIECE.match(word) for word in text.split()]
    marked = [piece.groups() for piece in pieces if piece is not None and piece[2]]
    begins = [not index or _ENDS.search(marked[index - 1][2]) for index in range(len(marked))]
    names = {core for (_, core, _), first in zip(marked, begins, strict=True) if not first}
    cores = [
        core if core in names or not first else f"{core[0].lower()}{core[1:]}"
        for (_, core, _), first in zip(marked, begins, strict=True)
    ]
    if len(cores) < 2:
        return text
    pairs = set(pairwise(cores))
    orders = [[cores[index] for index in rng.permutation(len(cores))] for _ in range(12)]
    best = min(orders, key=lambda order: sum(pair in pairs for pair in pairwise(order)))
    parts = [
        f"{before}{core[0].upper() if first else core[0]}{core[1:]}{behind}"
        for (before, _, behind), core, first in zip(marked, best, begins, strict=True)
    ]
    whole = " ".join(parts)
    return whole if _ENDS.search(whole) else f"{whole}."


def _wrong_form(word: str) -> str | None:
    """A word in a form that is wrong there; None where no rule knows one."""
    match = _WORD.match(word)
    if match is None:
        return None
    before, core, behind = match.groups()
    wrong = _WRONG.get(core.lower(), _other_ending(core))
    if wrong is None:
        return None
    cased = wrong.capitalize() if core[0].isupper() else wrong
    return f"{before}{cased}{behind}"


def _other_ending(word: str) -> str | None:
    if len(word) < 5 or not word.islower() or word.endswith("thing"):
        return None
    for ending, other in (("ing", "ed"), ("ied", "ying"), ("ed", "ing"), ("ies", "y")):
        if word.endswith(ending):
            return word[: -len(ending)] + other
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return None


def _stuttered(tokens: Sequence[str], rng: np.random.Generator) -> list[str]:
    """One word in five doubled, and another in five swapped with its neighbour."""
    changed = list(tokens)
    count = max(1, len(changed) // 5)
    for index in rng.permutation(max(len(changed) - 1, 0))[:count].tolist():
        changed[index], changed[index + 1] = changed[index + 1], changed[index]
    for index in sorted(rng.permutation(len(changed))[:count].tolist(), reverse=True):
        changed.insert(index, changed[index])
    return changed
