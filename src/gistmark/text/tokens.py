"""Many texts to word numbers at once, each text and each distinct word handled a single time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from gistmark.text.folding import fold_words
from gistmark.text.interning import (
    BLOCK,
    NEWLINE,
    SPACE,
    Bytes,
    Int32,
    Int64,
    drop_words,
    gather_words,
    intern_words,
)
from gistmark.text.languages import Profile, Tokenizer
from gistmark.text.words import ASCII_TOKENIZERS, joined_words

_ASCII_SPACE = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
_ODD = "surrogatepass"  # half a surrogate pair, as broken JSON has it, is a character like others


@dataclass(frozen=True)
class TokenTable:
    """The words of several texts as numbers; equal words have equal numbers.

    The words of text `i` are `ids[offsets[i]:offsets[i + 1]]`; `lines` says in which line of its
    text each stands. Numbers run from 0 to `size - 1`.
    """

    ids: Int32
    lines: Int32
    offsets: Int64
    size: int

    @cached_property
    def lengths(self) -> Int64:
        """The number of words of each text."""
        return np.diff(self.offsets)


@dataclass(frozen=True)
class Vocabulary:
    """A token table together with its distinct words, from which folded tables are made.

    Word `i` stands at `starts[i]` in `buffer` and is `lengths[i]` bytes long, with capitals as in
    the text where the words are `plain` ones, which have none.
    """

    table: TokenTable
    buffer: Bytes
    starts: Int64
    lengths: Int32
    plain: bool

    @cached_property
    def words(self) -> list[str]:
        """The spelling of the distinct words, by number; computed on first use."""
        joined = gather_words(self.buffer, self.starts, self.lengths).tobytes()
        spelled = joined.lower() if self.plain else joined
        return spelled.decode("utf-8", _ODD).split("\n")[:-1]

    def folded(self, profile: Profile) -> TokenTable:
        """The token table after the profile's normalisation, stop words and stems."""
        if profile.plain:
            return self.table
        numbers: dict[str, int] = {}
        number_of = np.array(
            [
                -1 if word is None else numbers.setdefault(word, len(numbers))
                for word in fold_words(self.words, profile)
            ],
            dtype=np.int32,
        )
        ids = number_of[self.table.ids]
        lines, offsets = self.table.lines, self.table.offsets
        if profile.stop:
            ids, lines, offsets = drop_words(ids, lines, offsets)
        return TokenTable(ids, lines, offsets, len(numbers))


def tokenize(texts: Sequence[str], profile: Profile) -> TokenTable:
    """The words of all texts under a profile."""
    return vocabulary(texts, profile.tok).folded(profile)


def vocabulary(texts: Sequence[str], tok: Tokenizer) -> Vocabulary:
    """The words of all texts as the tokenizer finds them."""
    if tok == "words" or tok == "chars":
        prepared = [joined_words(text, tok) for text in texts]
    else:
        prepared = [text if text.isascii() else _prepared(text, tok) for text in texts]
    plain = tok in ASCII_TOKENIZERS
    buffer, text_offsets = _encoded(prepared, None if plain else _byte_table(tok))
    ids, lines, offsets, starts, lengths = intern_words(
        buffer.view(np.uint64), text_offsets, np.flatnonzero(buffer == NEWLINE), plain
    )
    table = TokenTable(ids, lines, offsets, len(starts))
    return Vocabulary(table, buffer, starts, lengths, plain)


def _encoded(texts: list[str], table: bytes | None) -> tuple[Bytes, Int64]:
    """All texts as UTF-8 in one buffer, bytes as the table has them, and where each starts."""
    joined = " ".join(texts)
    measured = texts if joined.isascii() else [text.encode("utf-8", _ODD) for text in texts]
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, measured), np.int64, len(texts)) + 1, out=offsets[1:])
    data = joined.encode("utf-8", _ODD)
    data = data.translate(table) if table else data
    data = data.ljust(len(data) + BLOCK + -len(data) % BLOCK, b" ")
    return np.frombuffer(data, dtype=np.uint8), offsets


def _prepared(text: str, tok: Tokenizer) -> str:
    """A text beyond ASCII with nothing but the byte table's separators between its words."""
    if tok == "rouge_score":
        return text.lower().encode("ascii", "replace").decode()
    if tok == "rouge155":
        return text.encode("ascii", "replace").decode()
    cased = text if tok == "space-cased" else text.lower()
    return "\n".join(" ".join(line.split()) for line in cased.split("\n"))


@lru_cache
def _byte_table(tok: Tokenizer) -> bytes:
    """For each byte the one that counts (lower case, say), a space or a newline."""
    table = bytearray(SPACE if byte in _ASCII_SPACE else byte for byte in range(256))
    table[NEWLINE] = NEWLINE
    return bytes(table) if tok == "space-cased" else bytes(table).lower()
