"""HighRES' documents: CoreNLP-like JSON, and the component indexes of its highlights.

A document's text is its tokens' `originalText`, joined by a space, and by an empty line where a
paragraph ends, so that splitting the text at white space gives the tokens back. Highlights count
in components: every token of a sentence is one, and a white-space component follows it unless
the token is the last but one of its sentence. Line breaks do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gistmark.corpus.fields import WrongValueError
from gistmark.text.words import touched_words

_PARAGRAPH = "\n\n"
_DISPLAYED = {"-LRB-": "(", "-RRB-": ")", "``": '"', "''": '"'}
_TOKEN = re.compile(r"\S+")
_END_OF_SENTENCE = re.compile(r"""[.!?…。！？]["'”’)\]]*$""")


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its position in the text, how it is displayed, and its component index."""

    start: int
    end: int
    word: str
    component: int


@dataclass(frozen=True, slots=True)
class TokenText:
    """A document's text and its tokens, in order."""

    text: str
    tokens: tuple[Token, ...]

    def spans(self, components: Iterable[int]) -> Iterator[tuple[int, int]]:
        """The spans of text that component indexes mark; consecutive ones are one span."""
        by_component = {token.component: token for token in self.tokens}
        for run in _runs(components):
            marked = [by_component[component] for component in run if component in by_component]
            if marked:
                yield marked[0].start, marked[-1].end

    def components(self, start: int, end: int) -> list[int]:
        """The component indexes of the tokens in a span, with the white space between them."""
        touched = touched_words([(token.start, token.end) for token in self.tokens], start, end)
        marked = [self.tokens[index].component for index in touched]
        return list(range(marked[0], marked[-1] + 1)) if marked else []

    def laid_over(self, text: str) -> TokenText:
        """Move the tokens to a text that has the same words, but other white space."""
        pairs = zip(self.tokens, _TOKEN.finditer(text), strict=True)
        return TokenText(
            text, tuple(replace(t, start=match.start(), end=match.end()) for t, match in pairs)
        )

    def words(self, components: Iterable[int]) -> str:
        """The displayed words of some components, joined by spaces."""
        component_set = set(components)
        return " ".join(token.word for token in self.tokens if token.component in component_set)


def parse_document(content: Any) -> TokenText:
    """A document's text and tokens from its JSON; `WrongValueError` says what is wrong."""
    try:
        sentences = [sentence["tokens"] for sentence in content["sentences"]]
        ends = set(content.get("paragraph", {}).get("endSentIndex", ()))
        words = [[(t["originalText"], t.get("word", "")) for t in tokens] for tokens in sentences]
    except (TypeError, KeyError, AttributeError) as error:
        raise WrongValueError(f"This is not a document of HighRES: {error} was expected") from None
    if not all(isinstance(part, str) for line in words for pair in line for part in pair):
        raise WrongValueError("This is not a document of HighRES: a token is not text")
    return lay_out(words, ends)


def lay_out(sentences: Sequence[Sequence[tuple[str, str]]], ends: set[int]) -> TokenText:
    """Join sentences of (original, word) pairs; `ends` numbers the last sentences of paragraphs."""
    pieces: list[str] = []
    tokens: list[Token] = []
    position = component = 0
    for number, sentence in enumerate(sentences, start=1):
        for index, (original, word) in enumerate(sentence):
            end = position + len(original)
            tokens.append(Token(position, end, _DISPLAYED.get(word, word), component))
            component += 1 if index == len(sentence) - 2 else 2
            last = index == len(sentence) - 1
            gap = _PARAGRAPH if last and number in ends else " "
            pieces += (original, gap)
            position = end + len(gap)
    return TokenText("".join(pieces[:-1]), tuple(tokens))


def split_document(text: str) -> tuple[list[list[str]], list[int]]:
    """Tokens by sentence and the numbers of the paragraphs' last sentences, for writing.

    A token is what stands between white space; a sentence ends at its punctuation mark and at
    the end of a paragraph.
    """
    sentences: list[list[str]] = []
    ends: list[int] = []
    is_open = False
    previous_end = 0
    for match in _TOKEN.finditer(text):
        if sentences and text.count("\n", previous_end, match.start()) > 1:
            ends.append(len(sentences))
            is_open = False
        if not is_open:
            sentences.append([])
        sentences[-1].append(match[0])
        is_open = _END_OF_SENTENCE.search(match[0]) is None
        previous_end = match.end()
    return sentences, [*ends, len(sentences)]


def dump_document(id: str, text: str) -> tuple[dict[str, object], TokenText]:
    """A document as HighRES' JSON, and its tokens as they will be read back."""
    sentences, ends = split_document(text)
    laid_out = lay_out([[(token, token) for token in s] for s in sentences], set(ends))
    tokens = iter(laid_out.tokens)
    content: dict[str, object] = {
        "doc_id": id,
        "sentences": [
            {
                "index": number,
                "tokens": [_dump_token(i, t, next(tokens)) for i, t in enumerate(s, 1)],
            }
            for number, s in enumerate(sentences)
        ],
        "corefs": {},
        "paragraph": {"endSentIndex": ends},
    }
    return content, laid_out


def _dump_token(index: int, original: str, token: Token) -> Mapping[str, object]:
    return {
        "index": index,
        "word": original,
        "originalText": original,
        "characterOffsetBegin": token.start,
        "characterOffsetEnd": token.end,
    }


def _runs(numbers: Iterable[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for number in sorted(set(numbers)):
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run
