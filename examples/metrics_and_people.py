"""How well metrics follow people: correlations with the mean human score, and their intervals.

Without arguments it uses the bundled sample. With a corpus of your own:

    python examples/metrics_and_people.py CORPUS --human overall -m js -m bertscore:against=document

docs/neural.md lists the commands behind its numbers.
"""

from __future__ import annotations

import argparse

import numpy as np

import gistmark


def main() -> None:
    options = arguments()
    corpus = sampled(gistmark.load(options.corpus), options.sample, options.seed)
    scores = gistmark.score(corpus, options.metrics)
    study = gistmark.study(corpus, scores, gistmark.StudyOptions(resamples=options.resamples))
    print(f"{corpus!r}\n")
    print(f"| metric | {' | '.join(options.coefficients)} | n |")
    print(f"|---|{'---|' * len(options.coefficients)}---:|")
    for metric, part in measured(scores):
        rows = {
            record.coefficient: record
            for record in study.correlation
            if (record.metric, record.part, record.human) == (metric, part, options.human)
            and record.level == "global"
            and not record.given
        }
        cells = [shown(rows.get(name)) for name in options.coefficients]
        count = max((record.n for record in rows.values()), default=0)
        name = metric if part == "value" else f"{metric}.{part}"
        print(f"| {name} | {' | '.join(cells)} | {count} |")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", default=gistmark.sample_folder())
    parser.add_argument("-m", "--metric", dest="metrics", action="append", metavar="SPEC")
    parser.add_argument("--human", default="Overall Quality", help="a dimension or human score")
    parser.add_argument("--sample", type=int, help="how many documents to sample at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--coefficients", nargs="+", default=["pearson", "spearman"])
    return parser.parse_args()


def sampled(corpus: gistmark.Corpus, size: int | None, seed: int) -> gistmark.Corpus:
    """The corpus with some of its documents."""
    ids = corpus.document_ids
    if size is None or size >= len(ids):
        return corpus
    return corpus.only(np.random.default_rng(seed).choice(ids, size, replace=False).tolist())


def measured(scores: gistmark.Scores) -> list[tuple[str, str]]:
    """Every metric, with each of its parts that say how good a summary is."""
    return [(name, part) for name, column in scores.columns.items() for part in column.judging]


def shown(record: object) -> str:
    if record is None or record.value is None:
        return "–"
    return f"{record.value:.3f} [{record.low:.3f}, {record.high:.3f}]"


if __name__ == "__main__":
    main()
