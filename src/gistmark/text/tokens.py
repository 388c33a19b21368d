"""Many texts to word numbers at once, each text and each distinct word handled a single time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from gistmark.text.folding import fold_words
from gistmark.text.interning import (
    SEPARATOR,
    Bytes,
    Int16,
    Int32,
    Int64,
    drop_words,
    gather_words,
    intern_words,
)
from gistmark.text.profiles import Profile, Tokenizer
from gistmark.text.words import joined_words

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

    Word `i` stands at `starts[i]` in `buffer` and is `lengths[i]` bytes long.
    """

    table: TokenTable
    buffer: Bytes
    starts: Int64
    lengths: Int32

    @cached_property
    def words(self) -> list[str]:
        """The spelling of the distinct words, by number; made when first asked for."""
        joined = gather_words(self.buffer, self.starts, self.lengths).tobytes()
        return joined.decode("utf-8", _ODD).split("\n")[:-1]

    def folded(self, profile: Profile) -> TokenTable:
        """The same texts with the profile's normalisation, stop words and stems."""
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
    buffer, text_offsets = _encoded(prepared)
    ids, lines, offsets, starts, lengths = intern_words(buffer, text_offsets, _byte_table(tok))
    table = TokenTable(ids, lines, offsets, len(starts))
    return Vocabulary(table, buffer, starts, lengths)


def _encoded(texts: list[str]) -> tuple[Bytes, Int64]:
    """All texts as UTF-8 in one buffer, and where each starts."""
    joined = "".join(texts)
    measured = texts if joined.isascii() else [text.encode("utf-8", _ODD) for text in texts]
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, measured), np.int64, len(texts)), out=offsets[1:])
    return np.frombuffer(bytearray(joined.encode("utf-8", _ODD)), dtype=np.uint8), offsets


def _prepared(text: str, tok: Tokenizer) -> str:
    """A text beyond ASCII with nothing but the byte table's separators between its words."""
    if tok == "rouge_score":
        return text.lower().encode("ascii", "replace").decode()
    if tok == "rouge155":
        return text.encode("ascii", "replace").decode()
    cased = text if tok == "space-cased" else text.lower()
    return "\n".join(" ".join(line.split()) for line in cased.split("\n"))


@lru_cache
def _byte_table(tok: Tokenizer) -> Int16:
    """For each byte the one that counts, or `SEPARATOR`."""
    table = np.full(256, SEPARATOR, dtype=np.int16)
    for byte in range(256):
        if _in_word(byte, tok):
            table[byte] = byte
    if tok != "space-cased":
        upper = np.arange(ord("A"), ord("Z") + 1)
        table[upper] = upper + 32
    return table


def _in_word(byte: int, tok: Tokenizer) -> bool:
    if tok in ("rouge_score", "rouge155"):
        return byte < 128 and chr(byte).isalnum()
    return byte not in _ASCII_SPACE
