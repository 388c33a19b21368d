"""Tokenised texts as they were written, for reading: `he 's -lrb- 40 -rrb- .` is `he's (40).`

Corpora such as HighRES' hold texts as tokens with spaces between them, in the manner of the Penn
Treebank. Where a text shows the signs of tokenisation, and none of ordinary writing, the spaces can
be undone. What is stored stays as it is: `Written` carries spans from the stored text to the shown
one and back, so that a mark made on the one is a mark on the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gistmark.text.words import Span, touched_words, word_spans

BRACKETS = {
    "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}",
}  # fmt: skip
"""How the Penn Treebank writes brackets."""
_QUOTES = {"``": '"', "''": '"', "`": "'"}
_OPENING = frozenset({"(", "[", "{", "``", "`", "-lrb-", "-lsb-", "-lcb-", "“", "‘", "¿", "¡"})
_CLOSING = frozenset(
    {")", "]", "}", "''", "-rrb-", "-rsb-", "-rcb-", "”", ".", ",", ";", ":", "!", "?", "%", "...",
     "…"}
)  # fmt: skip
_CLITIC = re.compile(r"(?:['’](?:s|re|ve|ll|d|m)|n['’]t)", re.IGNORECASE)
_CURRENCY = re.compile(r"(?:[A-Z]{1,3})?[$£€¥]|#")
_ESCAPED = re.compile(r"\\([/*])")
_SIGNS = frozenset({".", ",", "``", "''", "`", *BRACKETS})
"""What stands alone only in a tokenised text, or hardly ever otherwise."""
_ATTACHED = re.compile(r"\w[,;!?]$|^[\"(“]\w|\w[\")”]$")
_SENTENCE_END = re.compile(r"\w\w[.!?][\"'”’)]?$", re.MULTILINE)
_LONE_PER_ATTACHED = 4
"""A tokenised text has more than so many signs that stand alone for each that is attached to a
word, such as the point of `Inc.`"""


@dataclass(frozen=True, slots=True)
class Written:
    """A text as it is shown, and the spans of its tokens in the stored and in the shown text."""

    text: str
    stored_tokens: tuple[Span, ...]
    shown_tokens: tuple[Span, ...]

    def to_shown(self, start: int, end: int) -> Span:
        """Where a span of the stored text stands in the shown one."""
        return _same_tokens((start, end), self.stored_tokens, self.shown_tokens)


def as_written(text: str) -> Written:
    """The text as it was written, if it is tokenised and that can be undone; else as it is.

    >>> as_written("`` He 's back -lrb- at last -rrb- , is n't he ? ''").text
    '"He\\'s back (at last), isn\\'t he?"'
    >>> as_written("He said: “well, well.”").text
    'He said: “well, well.”'
    """
    stored_tokens = word_spans(text, "space")
    tokens = [text[start:end] for start, end in stored_tokens]
    if not _is_tokenised(text, tokens):
        return Written(text, tuple(stored_tokens), tuple(stored_tokens))
    pieces: list[str] = []
    shown_tokens: list[Span] = []
    position = 0
    quotes = _quote_sides(tokens)
    for index, (start, _) in enumerate(stored_tokens):
        gap = text[stored_tokens[index - 1][1] if index else 0 : start]
        if index and gap.strip(" ") == "" and _follows_directly(tokens, index, quotes):
            gap = ""
        token = _spelling(tokens[index])
        pieces += (gap, token)
        position += len(gap)
        shown_tokens.append((position, position + len(token)))
        position += len(token)
    pieces.append(text[stored_tokens[-1][1] :])
    return Written("".join(pieces), tuple(stored_tokens), tuple(shown_tokens))


def written_summary(text: str, source: str | None) -> Written:
    """A summary as it is shown: as it was written, if its document is tokenised too.

    Where only the summary looks tokenised, its system wrote the spaces, and people judge what it
    wrote.
    """
    if source is None or not _is_tokenised(source, source.split()):
        tokens = tuple(word_spans(text, "space"))
        return Written(text, tokens, tokens)
    return as_written(text)


def summary_as_written(text: str, source: str | None) -> str:
    """The text of a summary as it is shown."""
    return written_summary(text, source).text


def _is_tokenised(text: str, tokens: Sequence[str]) -> bool:
    """Whether signs stand alone, as tokenizers leave them, and hardly any is attached to a word."""
    lone = sum(token.lower() in _SIGNS or bool(_CLITIC.fullmatch(token)) for token in tokens)
    attached = sum(bool(_ATTACHED.search(token)) for token in tokens)
    attached += len(_SENTENCE_END.findall(text))
    return lone > _LONE_PER_ATTACHED * attached


def _quote_sides(tokens: Sequence[str]) -> dict[int, str]:
    """Which side the plain quotes are on: they open and close in turns."""
    sides: dict[int, str] = {}
    opened = {'"': False, "'": False}
    for index, sign in enumerate(tokens):
        if sign == "`":
            opened["'"] = True
        elif sign == '"' or (sign == "'" and opened["'"]):
            sides[index] = "closing" if opened[sign] else "opening"
            opened[sign] = not opened[sign]
        elif sign == "'" and index and tokens[index - 1].lower().endswith("s"):
            sides[index] = "closing"
    return sides


def _follows_directly(tokens: Sequence[str], index: int, quotes: dict[int, str]) -> bool:
    """Whether a token follows the one before it without a space."""
    before, token = tokens[index - 1].lower(), tokens[index].lower()
    if token in _CLOSING or quotes.get(index) == "closing" or _CLITIC.fullmatch(token):
        return True
    if before in _OPENING or quotes.get(index - 1) == "opening":
        return True
    return bool(_CURRENCY.fullmatch(tokens[index - 1])) and token[0].isdigit()


def _spelling(token: str) -> str:
    """A token as ordinary writing has it, such as `(` for `-lrb-`."""
    sign = BRACKETS.get(token.lower()) or _QUOTES.get(token)
    return sign or _ESCAPED.sub(r"\1", token)


def _same_tokens(span: Span, origin: Sequence[Span], target: Sequence[Span]) -> Span:
    """The span of the same tokens; within a token that stayed as it is, of the same letters."""
    touched = touched_words(origin, *span)
    if not touched:
        raise ValueError(f"There is no token between {span[0]} and {span[1]}.")
    first, last = touched[0], touched[-1]
    (start, end), (goal, _) = origin[first], target[first]
    begins = goal
    if end - start == target[first][1] - goal:
        begins = goal + max(0, span[0] - start)
    (start, end), (_, goal) = origin[last], target[last]
    ends = goal
    if end - start == goal - target[last][0]:
        ends = goal - max(0, end - span[1])
    return begins, ends
