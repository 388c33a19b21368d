"""The packages sumy and lexrank as peers, fetched for the duration of a benchmark.

Their wheels come without dependencies into a folder that is gone at the end. What they import to
split texts or to fetch pages gets an empty stand-in, because both get words, not texts.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

VERSIONS = {"sumy": "0.13.0", "lexrank": "0.1.0"}
STAND_INS: dict[str, dict[str, Any]] = {
    "pycountry": {"languages": None},
    "pyrsistent": {"freeze": lambda value: value},
    "path": {"Path": Path},
    "urlextract": {"URLExtract": object},
}


def lexrank_package(words: list[list[str]]) -> np.ndarray:
    """The scores of lexrank's LexRank; every sentence is a document of its collection for idf."""
    _fetch()
    from lexrank.algorithms.summarizer import LexRank

    class OnWords(LexRank):
        def tokenize_sentence(self, sentence: list[str]) -> list[str]:
            return sentence

    return OnWords([[each] for each in words]).rank_sentences(words, threshold=0.1)


def sumy_lexrank(words: list[list[str]]) -> np.ndarray:
    """The scores of sumy's LexRank: its own steps, without its choice of sentences."""
    _fetch()
    from sumy.summarizers.lex_rank import LexRankSummarizer

    peer = LexRankSummarizer()
    tf, idf = peer._compute_tf(words), peer._compute_idf(words)
    return peer.power_method(peer._create_matrix(words, peer.threshold, tf, idf), peer.epsilon)


def sumy_textrank(words: list[list[str]]) -> np.ndarray:
    """The scores of sumy's TextRank."""
    _fetch()
    from sumy.summarizers.text_rank import TextRankSummarizer

    sentences = [_Sentence(each) for each in words]
    ratings = TextRankSummarizer().rate_sentences(SimpleNamespace(sentences=sentences))
    return np.array([ratings[sentence] for sentence in sentences])


class _Sentence:
    """A sentence as sumy's summarisers look at it."""

    def __init__(self, words: list[str]) -> None:
        self.words = words


@cache
def _fetch() -> None:
    folder = Path(tempfile.mkdtemp(prefix="gistmark-summarizers-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    wanted = [f"{name}=={version}" for name, version in VERSIONS.items()]
    command = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download",
        "--no-deps", "--only-binary", ":all:", "--dest", str(folder), *wanted,
    ]  # fmt: skip
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        raise SystemExit(f"pip could not fetch {' and '.join(wanted)}, which this benchmark needs.")
    for wheel in folder.glob("*.whl"):
        shutil.unpack_archive(wheel, folder, "zip")
    sys.path.insert(0, str(folder))
    for name, contents in STAND_INS.items():
        module = ModuleType(name)
        module.__dict__.update(contents)
        sys.modules.setdefault(name, module)
