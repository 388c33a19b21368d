"""Summarisers on a large topic: LexRank and TextRank against lexrank and sumy, growth, memory.

The topic is made of the bundled sample's words, drawn by Zipf's law in the order of how common
they are there. The peers go through all pairs of sentences in Python, so they get few sentences,
and the ratio would be larger with more. They get words; Gistmark starts from the texts.

lexrank has the same similarity (raw counts, idf = log(N / n) over what it is given, here the
sentences) and no jumps, so the scores must agree with ours at damping 1. sumy's LexRank has
idf = log(N / (1 + n)) and stops early, and its TextRank counts repeated words and gives each
sentence an edge to itself, so there the ranks are compared.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
from scipy.stats import spearmanr

from gistmark.corpus import load, sample_folder
from gistmark.records import Document
from gistmark.summarizers import Limit, Source, system_from
from gistmark.summarizers.extractive.graph_ranking import lexrank_scores, textrank_scores
from gistmark.summarizers.extractive.similarity import CONTENT, WORDS
from gistmark.text import Profile, words
from harness import best_of, peak, report
from summarizer_packages import lexrank_package, sumy_lexrank, sumy_textrank

FEW = 400
SIZES = (2_500, 10_000)
GROWING = ("MMR", "Submodular", "LexRank")
WANTED = 5
PAIRS_GROW = (SIZES[1] / SIZES[0]) ** 2
GIB = 2


def main() -> None:
    sentences = topic(FEW)
    lexrank_scores(sentences[:10])
    against(
        "LexRank, speed over lexrank", sentences, WORDS, lexrank_package,
        lambda: lexrank_scores(sentences, damping=1.0), equal=True,
    )  # fmt: skip
    against(
        "LexRank, speed over sumy", sentences, WORDS, sumy_lexrank,
        lambda: lexrank_scores(sentences, damping=1.0),
    )  # fmt: skip
    against(
        "TextRank, speed over sumy", sentences, CONTENT, sumy_textrank,
        lambda: textrank_scores(sentences),
    )  # fmt: skip
    for name in GROWING:
        growth(name)


def topic(count: int) -> list[str]:
    """A number of different sentences of 8 to 28 words."""
    known = Counter(
        word
        for document in load(sample_folder()).documents
        for word in words(document.text, Profile(tok="words"))
    )
    common = np.array([word for word, _ in known.most_common()], dtype=object)
    weights = 1 / np.arange(1, len(common) + 1)
    rng = np.random.default_rng(6)
    lengths = rng.integers(8, 29, count)
    drawn = rng.choice(common, lengths.sum(), p=weights / weights.sum())
    return [" ".join(each).capitalize() + "." for each in np.split(drawn, np.cumsum(lengths)[:-1])]


def against(
    claim: str,
    sentences: list[str],
    profile: Profile,
    peer: Callable[[list[list[str]]], np.ndarray],
    ours: Callable[[], np.ndarray],
    *,
    equal: bool = False,
) -> None:
    ready = [words(sentence, profile) for sentence in sentences]
    peer(ready[:10])
    (theirs, own), (expected, found) = best_of(2, lambda: peer(ready), ours)
    if equal:
        worst = np.abs(expected / expected.sum() - found).max()
        if not worst <= 1e-8:
            raise SystemExit(f"the scores differ from the peer's by {worst}")
        print(f"      largest difference of a score: {worst:.1e}")
    else:
        print(
            f"      correlation of the ranks with the peer's: {spearmanr(expected, found)[0]:.3f}"
        )
    print(f"      {len(sentences)} sentences: {own:.3f} s, the peer {theirs:.1f} s")
    report(claim, theirs / own, f">= {WANTED}", theirs >= WANTED * own)


def growth(name: str) -> None:
    """Each size in a process of its own, so that the peak of memory is its own."""
    seconds, memory = {}, {}
    for size in SIZES:
        command = [sys.executable, __file__, name, str(size)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds[size], memory[size] = map(float, done.stdout.split())
        print(f"      {name}, {size:,} sentences: {seconds[size]:.2f} s, {memory[size]:.2f} GiB")
    small, large = SIZES
    factor = seconds[large] / seconds[small]
    sizes = f"from {small:,} to {large:,} sentences"
    report(f"{name}, growth {sizes}", factor, f"<= {PAIRS_GROW:.0f}", factor <= PAIRS_GROW)
    report(f"{name}, peak memory in GiB", memory[large], f"< {GIB}", memory[large] < GIB)


def summarize(name: str, size: int) -> None:
    """One summary of a topic; prints the seconds and the peak of memory."""
    system = system_from(name)
    system.summarize(Source(Document("small", tuple(topic(50)))), Limit())
    source = Source(Document("topic", tuple(topic(size))))
    started = time.perf_counter()
    outcome = system.summarize(source, Limit())
    seconds = time.perf_counter() - started
    if not outcome.text:
        raise SystemExit("the summary is empty")
    print(seconds, peak())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        summarize(sys.argv[1], int(sys.argv[2]))
    else:
        main()
