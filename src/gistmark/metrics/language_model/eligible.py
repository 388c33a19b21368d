"""Which words of a sentence a model has to predict for BLANC.

Very short words are easy to guess with or without a summary, so only longer ones are predicted.
Two rules for masked models:

- `package`, the rule of the authors' package, goes by tokens: a token that is a whole word needs
  `least` characters, the first piece of a split word `lead`, every later piece `follow` (never,
  as long as this is 100). Every gap-th token is masked in one pass.
- `paper`, the rule of the paper, goes by words: a word needs `least` letters or digits. Every
  gap-th word is masked in one pass, with all its pieces, and each piece counts. The paper leaves
  open what a word is; here it is what the model's tokenizer splits a text into before it looks
  for pieces, so for BERT a punctuation mark is a word too, but one that is never long enough.

A causal model predicts the first token of each word of `least` letters or digits, in one pass, or
only the words that are `whole`: one token each. A
Chinese or Japanese character is a word by itself, so such texts want `least=1`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from unicodedata import category, combining

from gistmark.errors import GistmarkError
from gistmark.text import readable
from gistmark.text.words import word_spans

Tokens = tuple[int, ...]
Positions = tuple[int, ...]
Span = tuple[int, int]
Rule = Literal["package", "paper"]

GAPS: dict[Rule, int] = {"package": 2, "paper": 6}
"""Of how many tokens or words one is masked in a pass."""

_PIECE_MARK = "##"


@dataclass(frozen=True)
class Least:
    """How many characters a word, the first piece of a split one, and a later piece need."""

    word: int = 4
    lead: int = 2
    follow: int = 100


@dataclass(frozen=True)
class Pieces:
    """The tokens of a sentence.

    `sizes` holds the characters of each token, without the mark that it is a later piece;
    `words` the number of the word that it belongs to; `letters` the letters and digits that this
    word has as a whole.
    """

    tokens: Tokens
    sizes: tuple[int, ...]
    words: tuple[int, ...]
    letters: tuple[int, ...]

    def first(self, count: int) -> Pieces:
        """The first `count` of them."""
        return self if count >= len(self.tokens) else self.part(slice(count))

    def part(self, cut: slice) -> Pieces:
        """The tokens of a slice, their words numbered from 0."""
        words = self.words[cut]
        numbers = tuple(word - words[0] for word in words)
        return Pieces(self.tokens[cut], self.sizes[cut], numbers, self.letters[cut])


def in_pieces(tokenizer: Any, texts: Sequence[str]) -> list[Pieces]:
    """The tokens of each text, without any that mark start or end."""
    if not texts:
        return []
    encoded = _encode(tokenizer, texts)
    marked = type(tokenizer.backend_tokenizer.model).__name__ == "WordPiece"
    pieces = []
    for index, (text, tokens) in enumerate(zip(texts, encoded["input_ids"], strict=True)):
        spans = encoded["offset_mapping"][index]
        words = _numbered(encoded.word_ids(index))
        # A WordPiece may be shorter than what it stands for, which had accents.
        spellings = (
            tokenizer.convert_ids_to_tokens(tokens) if marked else [text[a:b] for a, b in spans]
        )
        sizes = tuple(len(token.removeprefix(_PIECE_MARK).strip()) for token in spellings)
        pieces.append(Pieces(tuple(tokens), sizes, words, _letters(text, words, spans)))
    return pieces


def maskings(
    pieces: Pieces, *, gap: int, rule: Rule = "package", least: Least | None = None, wide: int = 1
) -> list[Positions]:
    """The positions of the tokens that are masked together, pass by pass; no pass is empty.

    In each pass `wide` tokens (words, for the paper's rule) of every `gap` may be masked. A
    sentence with fewer than `gap` of them has as many passes as it has tokens.
    """
    least = least or Least()
    numbers = range(len(pieces.tokens)) if rule == "package" else pieces.words
    eligible = _long_tokens(pieces, least) if rule == "package" else _long_words(pieces, least)
    gap = min(gap, numbers[-1] + 1 if numbers else 0)
    passes = []
    for first in range(gap):
        masked = _cyclic_range(first, first + wide, gap)
        passes.append(tuple(position for position in eligible if numbers[position] % gap in masked))
    return [positions for positions in passes if positions]


def maskable(
    pieces: Pieces, *, rule: Rule = "package", least: Least | None = None
) -> tuple[list[Positions], int]:
    """What of a summary may be masked to tune a model, and how many tokens or words there are.

    By the rule of the package these are tokens. By that of the paper they are words, each with all
    of its pieces, and they must be longer than `least`, where those of a document may be as long.
    """
    least = least or Least()
    if rule == "package":
        return [(position,) for position in _long_tokens(pieces, least)], len(pieces.tokens)
    words: dict[int, list[int]] = {}
    for position in _long_words(pieces, replace(least, word=least.word + 1)):
        words.setdefault(pieces.words[position], []).append(position)
    return [*map(tuple, words.values())], pieces.words[-1] + 1 if pieces.words else 0


def word_starts(
    tokenizer: Any, texts: Sequence[str], least: int, *, whole: bool = False
) -> list[tuple[Tokens, Positions]]:
    """The tokens of each text, and the positions of those in which a long enough word starts.

    With `whole`, only of those that hold the word to its end.
    """
    if not texts:
        return []
    encoded = _encode(tokenizer, texts)
    return [
        (tuple(tokens), _tokens_holding(_long_spans(text, least), spans, whole=whole))
        for text, tokens, spans in zip(
            texts, encoded["input_ids"], encoded["offset_mapping"], strict=True
        )
    ]


def _encode(tokenizer: Any, texts: Sequence[str]) -> Any:
    if not tokenizer.is_fast:
        raise GistmarkError(
            f"The tokenizer of {tokenizer.name_or_path} does not give the offsets of its "
            "tokens; use a model with a tokenizer.json."
        )
    return tokenizer(
        [*map(readable, texts)],
        add_special_tokens=False,
        return_offsets_mapping=True,
        verbose=False,
    )


def _cyclic_range(first: int, end: int, gap: int) -> set[int]:
    """The numbers from `first` on, going on from 0 at the gap, but past the gap only once."""
    return set(range(first, min(end, gap))) | set(range(end % gap if end >= gap else 0))


def _long_spans(text: str, least: int) -> list[Span]:
    """Where the words of at least so many letters or digits start and end."""
    spans = word_spans(text, "words")
    return [(start, end) for start, end in spans if _letters_of(text[start:end]) >= least]


def _tokens_holding(words: Sequence[Span], spans: Sequence[Span], *, whole: bool) -> Positions:
    """The first token that holds the start of each word, or all of it; spans go left to right.

    Several tokens may hold one character, such as the bytes of a rare letter.
    """
    positions: list[int] = []
    token = 0
    for start, end in words:
        while token < len(spans) and spans[token][1] <= start:
            token += 1
        if token == len(spans) or spans[token][0] > start or positions[-1:] == [token]:
            continue
        if not whole or spans[token][1] >= end:
            positions.append(token)
    return tuple(positions)


def _numbered(words: Sequence[int | None]) -> tuple[int, ...]:
    """Words numbered from 0; a token that belongs to none is a word of its own."""
    numbers: list[int] = []
    previous: int | None = None
    for word in words:
        latest = numbers[-1] if numbers else -1
        numbers.append(latest if word is not None and word == previous else latest + 1)
        previous = word
    return tuple(numbers)


def _letters(text: str, words: Sequence[int], spans: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """For each token the letters and digits of its word."""
    bounds: dict[int, tuple[int, int]] = {}
    for word, (start, end) in zip(words, spans, strict=True):
        first, last = bounds.get(word, (start, end))
        bounds[word] = min(first, start), max(last, end)
    counts = {word: _letters_of(text[start:end]) for word, (start, end) in bounds.items()}
    return tuple(counts[word] for word in words)


def _letters_of(word: str) -> int:
    """Letters, digits and the vowel signs of Indic scripts; no accents and no apostrophes."""
    return sum(map(str.isalnum, word)) + sum(
        category(character) in ("Mc", "Mn") and not combining(character)
        for character in word
        if not character.isascii()
    )


def _long_tokens(pieces: Pieces, least: Least) -> Positions:
    words, positions = pieces.words, []
    for position, size in enumerate(pieces.sizes):
        if position and words[position] == words[position - 1]:
            required = least.follow
        elif words[position + 1 : position + 2] == (words[position],):
            required = least.lead
        else:
            required = least.word
        if size >= required:
            positions.append(position)
    return tuple(positions)


def _long_words(pieces: Pieces, least: Least) -> Positions:
    return tuple(position for position, count in enumerate(pieces.letters) if count >= least.word)
