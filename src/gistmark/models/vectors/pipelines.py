"""Pipelines of spaCy: the embedded one, an installed package, or a folder; and their vectors.

A pipeline is opened from its folder, so nothing of an installed package is imported for it. Only
the parts that vectors come from are loaded.
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError
from gistmark.models.catalogue import KNOWN
from gistmark.models.loading import explained, label_of
from gistmark.models.runtime import by_length, library, one_at_a_time
from gistmark.models.store import model_folder, spacy_package
from gistmark.models.vectors.files import Float32
from gistmark.models.vectors.words import UNKNOWN, Lookup, label
from gistmark.runtime.cancellation import check
from gistmark.runtime.files import user_path
from gistmark.text import readable, sentence_spans

Float64 = NDArray[np.float64]

LONGEST = 100_000
"""Characters that go through a pipeline at once; a longer text is cut between sentences."""

_LIKE_SPACY = re.compile(r"[a-z]{2,3}_[a-z]+_[a-z]+_(sm|md|lg|trf)")
_CONTEXT = "tok2vec"


@dataclass(frozen=True)
class WordTable:
    """The word vectors of a pipeline, with the same `look_up` as `WordVectors`."""

    matrix: Float32
    vocabulary: Any

    def look_up(self, words: Sequence[str]) -> Lookup:
        """Where the words stand in the matrix."""
        strings = self.vocabulary.strings
        keys = [strings[readable(word)] for word in words]
        rows = np.asarray(self.vocabulary.vectors.find(keys=keys), dtype=np.int64).reshape(-1)
        return Lookup(rows, int((rows == UNKNOWN).sum()))


@dataclass(frozen=True)
class TextVectors:
    """A row for each text, zeros where it has no vector, and how many of its words are known.

    `words` counts the tokens of a text that are neither punctuation nor white space (or all, if
    there are no others), `known` those of them that have a vector.
    """

    rows: Float64
    words: NDArray[np.int64]
    known: NDArray[np.int64]


@dataclass(frozen=True)
class Pipeline:
    """A pipeline of spaCy with the parts that its vectors come from."""

    name: str
    nlp: Any

    def text_vectors(self, texts: Sequence[str]) -> TextVectors:
        """For each text the vector that spaCy gives it, `Doc.vector`.

        It is the mean over the tokens of their word vectors or, in a pipeline without word
        vectors, of what `tok2vec` makes of each token in its context, which gives every word a
        vector. The parts of a text that was cut count by their tokens.
        """
        pieces = [(index, part) for index, text in enumerate(texts) for part in _parts(text)]
        has_table = bool(self.nlp.vocab.vectors_length)
        width = int(self.nlp.vocab.vectors_length) or self._context_width
        sums = np.zeros((len(texts), width))
        tokens, words, known = np.zeros((3, len(texts)), dtype=np.int64)
        with one_at_a_time():
            for piece, document in self._read([part for _, part in pieces]):
                text = pieces[piece][0]
                sums[text] += np.array(document.vector, dtype=np.float64) * len(document)
                tokens[text] += len(document)
                counted_tokens = [t for t in document if not (t.is_punct or t.is_space)] or document
                words[text] += len(counted_tokens)
                known[text] += sum(not has_table or token.has_vector for token in counted_tokens)
        return TextVectors(sums / np.maximum(tokens, 1)[:, None], words, known)

    def word_table(self) -> WordTable:
        """The table of word vectors; a pipeline that has none is an error that says so."""
        vectors = self.nlp.vocab.vectors
        if not vectors.size or vectors.mode != "default":
            raise GistmarkError(
                f"The pipeline {self.name} has no table of word vectors; take one that has, "
                "such as en_core_web_md, or other vectors."
            )
        return WordTable(vectors.data, self.nlp.vocab)

    @property
    def _context_width(self) -> int:
        if _CONTEXT not in self.nlp.pipe_names:
            raise GistmarkError(f"The pipeline {self.name} gives texts no vectors.")
        return int(self.nlp.get_pipe(_CONTEXT).model.get_dim("nO"))

    def _read(self, texts: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """The index of each text that has tokens, and spaCy's document of it; the longest first."""
        for indexes in by_length([len(text) for text in texts], LONGEST):
            check()
            with self.nlp.memory_zone():
                documents = self.nlp.pipe([texts[index] for index in indexes])
                for index, document in zip(indexes, documents, strict=True):
                    if len(document):
                        yield index, document


def is_pipeline(name: str) -> bool:
    """Whether the name is that of a pipeline, here or not, rather than of plain word vectors."""
    if name in KNOWN:
        return KNOWN[name].kind == "parser"
    folder = user_path(name)
    if folder.exists():
        return (folder / "config.cfg").is_file() and (folder / "meta.json").is_file()
    return bool(_LIKE_SPACY.fullmatch(name)) or spacy_package(name) is not None


def pipeline(name: str) -> Pipeline:
    """The pipeline of this name or folder; one that is not here is an error with the command."""
    with one_at_a_time():
        return _load_pipeline(name, pipeline_folder(name))


def pipeline_label(name: str) -> str:
    """The pipeline's name and the start of its hash, as signatures show them; never an error."""
    model = KNOWN.get(name)
    if model is not None and model.wheel is not None:
        return f"{name}@{model.wheel.sha256[:12]}"
    file_name = Path(name).name
    try:
        files = sorted(path for path in pipeline_folder(name).rglob("*") if path.is_file())
    except GistmarkError:
        return f"{file_name}@missing"
    stamps = tuple((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files)
    return f"{file_name}@{_digest(stamps)[:12]}"


def labels_of(options: object) -> dict[str, str]:
    """The models and word vectors that options name, as signatures show them, by option."""
    labels = {}
    if hasattr(options, "model"):
        labels["model"] = label_of(options.model)
    if hasattr(options, "vectors"):
        name = options.vectors
        labels["vectors"] = pipeline_label(name) if is_pipeline(name) else label(name)
    return labels


@lru_cache(maxsize=16)
def _digest(stamps: tuple[tuple[str, int, int], ...]) -> str:
    digest = sha256()
    for file, _, _ in stamps:
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()


def pipeline_folder(name: str) -> Path:
    """The folder of a pipeline; one that is not here is an error with the command."""
    if name in KNOWN:
        return model_folder(name)
    folder = user_path(name)
    if folder.is_dir():
        return folder.resolve()
    package = spacy_package(name)
    if package is None:
        raise GistmarkError(
            f"The pipeline {name} is not installed; get it with: python -m spacy download {name}"
        )
    return package


@lru_cache(maxsize=2)
def _load_pipeline(name: str, folder: Path) -> Pipeline:
    return Pipeline(name, load_quietly(name, folder, _load))


def load_quietly(name: str, folder: Path, load: Callable[[Any, Path], Any]) -> Any:
    """What `load` makes of spaCy and a folder, without warnings; an error names the pipeline."""
    spacy: Any = library("spacy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return explained(name, lambda: load(spacy, folder))


def _load(spacy: Any, folder: Path) -> Any:
    """The tokenizer and the word vectors, or where there are none what `tok2vec` needs."""
    parts = spacy.util.load_config(folder / "config.cfg")["nlp"]["pipeline"]
    nlp = spacy.load(folder, exclude=[part for part in parts if part != _CONTEXT])
    if nlp.vocab.vectors.size and _CONTEXT in nlp.pipe_names:
        nlp.disable_pipe(_CONTEXT)
    nlp.max_length = max(nlp.max_length, LONGEST)
    return nlp


def _parts(text: str) -> list[str]:
    """The text, or what it is cut into: whole sentences together, of at most `LONGEST`."""
    text = readable(text)
    if len(text) <= LONGEST:
        return [text]
    starts = [start for start, _ in sentence_spans(text)]
    cuts = [0]
    while len(text) - cuts[-1] > LONGEST:
        cuts.append(_next_cut(text, starts, cuts[-1]))
    return [text[start:end] for start, end in pairwise([*cuts, len(text)])]


def _next_cut(text: str, starts: list[int], begin: int) -> int:
    """The last start of a sentence that is near enough, or else of a word, or as far as it goes."""
    end = begin + LONGEST
    sentence = bisect_right(starts, end) - 1
    if sentence >= 0 and starts[sentence] > begin:
        return starts[sentence]
    space = text.rfind(" ", begin, end)
    return space + 1 if space >= begin else end
