"""MMR and MMR*: maximal marginal relevance, with the source as the query.

J. Carbonell and J. Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents
and Producing Summaries" (1998), in the variant of DIP-SumEval: the words that a sentence shares
with all texts of the source replace those that it shares with a query, and similarity is Jaccard's.
A sentence has all its words from the source, so this relevance favours long sentences.

MMR* skips artefacts: what surrounds the text of a web page and belongs in no summary. Their phrases
are English; links, menus and lines with hardly any letters are recognised in any language. A rule
looks for the form of an artefact, not for its subject: "We use cookies to improve your visit" is
one, "The court ruled on cookies" is not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmark.options import option
from gistmark.summarizers.extractive.selection import (
    Choice,
    Extractive,
    best_first,
    fitting,
    in_document_order,
    sentences_of,
)
from gistmark.summarizers.extractive.similarity import Float64, row, word_counts
from gistmark.summarizers.summarizer import Budget, Limit, Sentence, Source, require_shares

if TYPE_CHECKING:
    from gistmark.summarizers.extractive.similarity import Matrix

ONLY_ARTEFACTS = "every sentence looks like an artefact of a page, so none is passed over"


@dataclass(frozen=True)
class MmrOptions:
    """Options of MMR and MMR*.

    `balance` is lambda. Carbonell and Goldstein advise 0.7 to focus on what is relevant and 0.3
    to see much of the space around it; 0.5 is between the two.
    """

    balance: float = option(0.5, "how much relevance counts, from 0 to 1; novelty has the rest")

    def __post_init__(self) -> None:
        require_shares("MMR", balance=self.balance)


class Mmr(Extractive):
    """Takes, one by one, the sentence that is most relevant and least like those taken.

    The value of a sentence is balance * Jaccard(sentence, source) - (1 - balance) * the highest
    Jaccard(sentence, taken sentence). Among equals the first is taken. One that does not fit in
    what is left of the limit is skipped. The summary is in the document's order.
    """

    name = "MMR"
    about = "Maximal marginal relevance: sentences like the whole source, unlike those taken."
    Options = MmrOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        texts = [sentence.text for sentence in candidates]
        words = binary_words([*texts, *source.document.texts])
        selected = self._select(words, texts, limit)
        return Choice(in_document_order(selected, candidates))

    def _select(self, words: Matrix, texts: Sequence[str], limit: Limit) -> list[int]:
        """The numbers of the taken texts; the rows of words below theirs are the source's."""
        relevance = self.options.balance * source_relevance(words, len(texts))
        words = words[: len(texts)]
        similarity = np.zeros(len(texts))
        available = np.ones(len(texts), dtype=bool)
        budget = Budget(limit)
        selected: list[int] = []
        while available.any():
            values = relevance - (1 - self.options.balance) * similarity
            order = best_first(np.where(available, values, -np.inf))[: available.sum()]
            for best in order.tolist():
                available[best] = False
                if budget.take(texts[best]):
                    selected.append(best)
                    similarity = np.maximum(similarity, jaccard(words, row(words, best)))
                    break
        return selected


class MmrStar(Mmr):
    """MMR without artefacts of web pages; they stay where there is nothing else."""

    name = "MMR*"
    about = "MMR that passes over copyright, navigation, cookie lines and other artefacts."

    def candidates(self, source: Source, limit: Limit) -> tuple[Sentence, ...]:
        sentences = sentences_of(source.document)
        ordinary = [sentence for sentence in sentences if not is_artefact(sentence.text)]
        return fitting(ordinary or sentences, limit)

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        choice = super().choose(candidates, source, limit)
        only_artefacts = all(is_artefact(sentence.text) for sentence in candidates)
        return Choice(choice.order, note=ONLY_ARTEFACTS if only_artefacts else None)


def binary_words(texts: Sequence[str]) -> Matrix:
    """Whether each text has each word, as 1 or 0."""
    words = word_counts(texts)
    words.data[:] = 1.0
    return words


def source_relevance(words: Matrix, count: int) -> Float64:
    """The similarity of each of the first rows to all the words of the rows below them."""
    in_source = np.bincount(words[count:].indices, minlength=words.shape[1]) > 0
    return jaccard(words[:count], in_source.astype(np.float64))


def jaccard(words: Matrix, target: Float64) -> Float64:
    """For each row of words (0 or 1) what it shares with the others over what either has.

    Two that have no words are not alike.
    """
    shared: Float64 = np.asarray(words @ target)
    union = words.sum(axis=1) + target.sum() - shared
    ratio: Float64 = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    return ratio


_LONGEST = 500
"""Longer sentences are tested only for being a menu or a table."""

_SITE = r"(?:we|our (?:web)?sites?|this (?:web)?site|this page)"
_JOINING = r"(?:subscribe|sign up|sign in|log ?in|register)"
_DONE = r"(?:updated|modified|published|posted|edited|printed|created|reviewed)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:mon|tue|tues|wednes|wed|thu|thurs|fri|satur|sat|sun)(?:day)?"

_PATTERNS = {
    "copyright": (
        r"^\W*copyright\W*(?:\(c\)\W*)?(?:19|20)\d\d\b",
        r"^\W*(?:©|\(c\)\s*(?:19|20)\d\d\b)",
        r"©\s*(?:19|20)\d\d\b",
        r"\ball rights reserved\W*$",
        r"^(?:this|the) (?:material|article|content|story|text|page|work)\b.* may not be \w+",
        r"\b(?:reproduced|reprinted|republished) (?:here )?with permission\b",
    ),
    "cookies and terms": (
        rf"\b{_SITE}(?: \w+){{0,3}} uses? cookies\b",
        r"^\W*(?:accept|allow|reject|manage)(?: all)?(?: our)? cookies?\b",
        r"\b(?:enable|turn on) (?:javascript|cookies) (?:in|on|to|and)\b",
        r"\bby (?:continuing|using|clicking|browsing|signing|registering|submitting)\b.*"
        r"\byou (?:are )?(?:agree|accept|consent)(?:ing)?\b",
    ),
    "calls to the reader": (
        rf"^\W*(?:please )?{_JOINING}(?:\W*$| (?:now|here|today|free|via|with)\b)",
        rf"^\W*(?:please )?{_JOINING} (?:to|for) (?:our|your|free|receive|get|read|continue|"
        r"comment|view|access|updates|alerts|newsletters?)\b",
        r"\bclick (?:here|below|on the link)(?:\W*$| (?:to|for|and|if)\b)",
        r"^\W*(?:share|tweet|pin|print|e-?mail)(?: this| it)?(?: article| story| page| post| link)?"
        r"(?: (?:on|via|with|to)(?: \w+){1,4})?\W*$",
        r"^\W*(?:like|follow|join) us\b(?: on\b.*|\W*$)",
        r"^\W*(?:join|get|receive) (?:our|the latest)\b.*"
        r"\b(?:newsletter|list|inbox|updates|alerts)\b",
        r"^\W*(?:download|get) (?:our|the) (?:\w+ )?app\b",
        r"^\W*(?:leave|post|add|write) a (?:comment|reply)\b",
        r"^\W*scroll (?:down )?(?:to|for)\b",
    ),
    "navigation": (
        r"^\W*(?:skip|jump|back|return) to (?:\w+ )?"
        r"(?:content|top|home|navigation|menu|search|article|page)\W*$",
        r"^\W*(?:read|see|show|view|load)(?: the)? (?:more|full|all)\b(?: \w+){0,3}\W*$",
        r"^\W*you (?:may|might) (?:also like|be interested in)\W*$",
        r"^\W*(?:related|recent|popular|trending|recommended|more)(?: \w+)? "
        r"(?:articles?|stories|posts?|links|topics|news|videos|content)\W*$",
        r"^\W*\d+ (?:comments?|repl(?:y|ies)|shares?|likes?|views?)\W*$",
    ),
    "credits": (
        r"^\W*(?:image|photo|photograph|picture|video|media)s? "
        r"(?:credits?|courtesy|copyright|source|caption)\b",
        r"^\W*(?:image|photo|photograph|picture|credit|illustration|graphic)s?\s*[:©]",
        r"^\W*(?:photos?|photographs?|images?|pictures?) by(?: \S+){1,4}\W*$",
        r"^\W*(?:getty images|reuters|afp|ap photo)(?:\W+\w+)?\W*$",
    ),
    "advertisements": (
        r"^\W*(?:advertisements?|ads?|advertising|sponsored(?: \w+)?|promoted)\W*$",
        r"^\W*(?:(?:story|article) )?continues? (?:reading )?(?:below|after)\b(?: \w+){0,3}\W*$",
    ),
    "dates": (
        rf"^\W*(?:(?:last|first) )?{_DONE}(?: on| at)?:?\W+(?:by\b|\d|{_MONTH}\b|{_WEEKDAY}\b)"
        rf"(?=.*\d)(?:\W+\w+){{0,8}}\W*$",
    ),
}
_ALL_PATTERNS = [form for kind in _PATTERNS.values() for form in kind]
_AT_START = re.compile("|".join(form for form in _ALL_PATTERNS if form.startswith("^")), re.I)
_ANYWHERE = re.compile("|".join(form for form in _ALL_PATTERNS if not form.startswith("^")), re.I)

_LINK = re.compile(
    r"(?:https?://|www\.)\S+|\S+@\S+\.\w+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov)\b\S*", re.I
)
_DATE = re.compile(
    rf"\b(?:{_MONTH}|{_WEEKDAY}|gmt|bst|utc|[ecmp][sd]t|am|pm|on|at)\b|\d+(?:st|nd|rd|th|h)?", re.I
)
_MENU = re.compile(
    r"\b(?:about us|contact(?: us)?|home(?: ?page)?|site ?map|(?:main )?menu|search|"
    r"(?:privacy|cookies?) (?:policy|notice|settings|preferences|statement)|privacy|"
    r"terms(?: (?:of|and|&) (?:use|service|conditions))?|disclaimer|faqs?|"
    r"(?:next|previous|older|newer)(?: (?:page|post|article|story))?|log ?(?:in|out)|"
    r"sign (?:in|out|up)|register|subscribe|reply|report abuse|categories|tags?|archives?|rss|"
    r"newsletter|jobs|careers|advertise with us|facebook|twitter|instagram|youtube|linkedin|"
    r"see|read|view|our|the|and)\b",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN_ITEMS = re.compile(r"\s+[|>»›•·]+\s+")


def is_artefact(text: str) -> bool:
    """Whether a sentence is an artefact; one without any letters is."""
    if _has_few_letters(text) or _is_trail(text):
        return True
    return len(text) <= _LONGEST and (
        _AT_START.match(text) is not None
        or _ANYWHERE.search(text) is not None
        or _has_only(_LINK, text, but=2)
        or _has_only(_DATE, text)
        or _has_only(_MENU, text)
    )


def _has_few_letters(text: str) -> bool:
    """Whether less than a quarter of the signs are letters, or marks on them."""
    if 4 * sum(map(str.isalpha, text)) > len(text):
        return False
    signs = "".join(text.split())
    letters = sum(unicodedata.category(sign)[0] in "LM" for sign in signs)
    return not letters or 4 * letters < len(signs)


def _has_only(pattern: re.Pattern[str], text: str, *, but: int = 0) -> bool:
    """Whether the pattern matches and at most `but` words are left without it."""
    remainder, matches = pattern.subn(" ", text)
    return matches > 0 and len(_WORD.findall(remainder)) <= but


def _is_trail(text: str) -> bool:
    """Whether it is a row of short items between signs, as a menu is."""
    items = _BETWEEN_ITEMS.split(text)
    return len(items) >= 3 and len(_WORD.findall(text)) <= 3 * len(items)
