"""Dependency parses by a pipeline of spaCy: the words of a text, and which depends on which.

A parse is plain records, so nothing of spaCy outlives its document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from gistmark.errors import GistmarkError
from gistmark.models.runtime import by_length, one_at_a_time
from gistmark.models.vectors.pipelines import LONGEST, load_quietly, pipeline_folder
from gistmark.runtime.cancellation import check
from gistmark.text import readable, sentence_spans

_PARTS = ("tok2vec", "transformer", "tagger", "morphologizer", "attribute_ruler", "parser")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a sentence: `head` is the index of the one it depends on, its own for the root.

    `kind` is its part of speech by Universal Dependencies, `relation` how it depends on its head
    by the labels of the pipeline. `start` is where it begins in the text.
    """

    text: str
    start: int
    kind: str
    relation: str
    head: int
    space: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


Sentence = tuple[Token, ...]


@dataclass(frozen=True)
class Parser:
    """A pipeline of spaCy with its parser."""

    name: str
    nlp: Any

    @property
    def lang(self) -> str:
        """The language that it was trained on."""
        return str(self.nlp.lang)

    def parse(self, texts: Sequence[str], lang: str) -> list[list[Sentence]]:
        """The sentences of each text; equal texts are parsed once.

        Texts are cut into sentences by the rules of `lang`, as everywhere, and each is parsed by
        itself. A sentence that is too long for the parser is cut off.
        """
        spans = {text: sentence_spans(readable(text), lang) for text in dict.fromkeys(texts)}
        pieces = [
            (text, start, readable(text)[start : min(end, start + LONGEST)])
            for text, sentences in spans.items()
            for start, end in sentences
        ]
        parsed: dict[str, list[tuple[int, Sentence]]] = {text: [] for text in spans}
        with one_at_a_time():
            for indexes in by_length([len(piece) for _, _, piece in pieces], LONGEST):
                check()
                with self.nlp.memory_zone():
                    documents = self.nlp.pipe([pieces[index][2] for index in indexes])
                    for index, document in zip(indexes, documents, strict=True):
                        text, start, _ = pieces[index]
                        parsed[text].append((start, _tokens(document, start)))
        return [[sentence for _, sentence in sorted(parsed[text])] for text in texts]


def parser(name: str) -> Parser:
    """The parser of a pipeline by name or folder; one that is not here is an error that says so."""
    with one_at_a_time():
        return _load_parser(name, pipeline_folder(name))


@lru_cache(maxsize=2)
def _load_parser(name: str, folder: Path) -> Parser:
    nlp = load_quietly(name, folder, _load)
    if "parser" not in nlp.pipe_names:
        raise GistmarkError(
            f"The pipeline {name} has no parser; take one that has, such as en_core_web_sm."
        )
    return Parser(name, nlp)


def _load(spacy: Any, folder: Path) -> Any:
    parts = spacy.util.load_config(folder / "config.cfg")["nlp"]["pipeline"]
    nlp = spacy.load(folder, exclude=[part for part in parts if part not in _PARTS])
    nlp.max_length = max(nlp.max_length, LONGEST)
    return nlp


def _tokens(document: Any, offset: int) -> Sentence:
    return tuple(
        Token(
            text=str(token.text),
            start=offset + int(token.idx),
            kind=str(token.pos_),
            relation=str(token.dep_),
            head=int(token.head.i),
            space=bool(token.whitespace_),
        )
        for token in document
    )
