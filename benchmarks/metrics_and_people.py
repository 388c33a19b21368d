"""The tables of docs/neural.md and docs/learnt.md: how metrics follow people on whole data sets.

    python benchmarks/metrics_and_people.py CNN=FOLDER PyrXSum=FOLDER EMFoS=FOLDER \\
        DIP-SumEval=FOLDER

Each folder is a corpus, such as `gistmark import blanc CNN_DailyMail_555.json FOLDER` makes. Every
metric is held against the human score that a study puts first: over all summaries (Pearson and
Spearman), within documents (acc_eq with a threshold from other documents), and over the systems'
means (Pearson). A learnt metric is trained on the other corpora and has not seen the one in its
row; with a single corpus there is none. Brackets are 95 % intervals over resampled documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

import gistmark
from gistmark.analysis.correlation.accuracy import accuracies
from gistmark.analysis.correlation.correlations import correlations
from gistmark.analysis.data.measures import MeasureName, Measures, joined, measures_of
from gistmark.analysis.findings.headline import headline_score
from gistmark.analysis.human.scores import HumanScores
from gistmark.analysis.learning.sets import feature_values, human_scores
from gistmark.analysis.learning.training import train_on
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.metrics.batch import Item
from gistmark.metrics.learnt.model import Model
from gistmark.metrics.options import Against
from gistmark.runtime.seeds import generator

FREE = (
    "js", "js:half_life=100", "js:half_life=100,mentions=first", "rouge2:against=document",
    "bertscore:against=document", "bertscore:against=document,half_life=100",
    "sentence-match:against=document,half_life=100", "mover-score:against=document",
    "sentence-cosine:against=document", "cls-cosine:against=document",
    "wordvec-cosine:against=document", "wmd:against=document", "compression", "words",
)  # fmt: skip
"""Metrics that need the document alone."""
BASED = (
    "rouge1:stem=yes", "rouge2:stem=yes", "rougeL:stem=yes", "js:against=references", "bertscore",
    "mover-score", "sentence-cosine", "cls-cosine", "wordvec-cosine", "wmd",
    "pyramid:units=extracted", "pyramid:units=extracted,presence=words", "words",
)  # fmt: skip
"""Metrics that need references."""
ALONE = ("repeated1", "repeated2", "repeated3", "sentences", "words")
"""Metrics that need the summary alone."""

LEARNT = "a learnt metric that has not seen this set"

Row = tuple[str, str, str, str, str, str]


def main() -> None:
    options = arguments()
    corpora = {name: gistmark.load(path) for name, path in options.corpora}
    for name, corpus in corpora.items():
        for against, metrics in groups(corpus):
            table(name, corpora, against, (*metrics, *options.metrics), options.resamples)


def groups(corpus: gistmark.Corpus) -> Iterator[tuple[Against | None, Sequence[str]]]:
    """What summaries can be compared with, and by which metrics; None means nothing."""
    if corpus.documents:
        yield "document", FREE
    if corpus.references:
        yield "references", BASED
    if not corpus.documents and not corpus.references:
        yield None, ALONE


def table(
    name: str,
    corpora: Mapping[str, gistmark.Corpus],
    against: Against | None,
    metrics: Sequence[str],
    resamples: int,
) -> None:
    """Print the rows of one corpus, the learnt metric first."""
    corpus = corpora[name]
    others = {n: c for n, c in corpora.items() if n != name and usable(c, against)}
    measures = measures_of(gistmark.score(corpus, metrics))
    if against and others:
        measures = joined(learnt(corpus, train_on(others, against=against).model), measures)
    human = human_scores(corpus)
    chosen = headline_score(human.names)
    compared = f"against the {against}" if against else "the summary alone"
    scored = np.isfinite(human.of(chosen)).sum()
    print(f"\n**{name}**, {compared}; people: {chosen}; {scored} summaries")
    if others:
        print(f"(learnt from {', '.join(others)})")
    print("\n| metric | Pearson | Spearman | Spearman given length | acc_eq | systems |")
    print("|---|---|---|---|---|---|")
    for row in rows(measures, human.select([chosen]), corpus, resamples):
        print(f"| {' | '.join(row)} |")


def learnt(corpus: gistmark.Corpus, model: Model) -> Measures:
    """The values of a learnt metric, by features from the cache that other metrics fill."""
    texts = {document.id: document.text for document in corpus.documents}
    written = [s for s in corpus.summaries if not s.reference and s.text.strip()]
    items = [
        Item(s.text, tuple(r.text for r in corpus.references.get(s.document, ())),
             texts.get(s.document))
        for s in written
    ]  # fmt: skip
    values = model.predict(feature_values(items, model.features)).values
    units = tuple((s.document, s.system) for s in written)
    return Measures(units, (MeasureName(LEARNT, "value"),), ("higher",), values[None])


def usable(corpus: gistmark.Corpus, against: Against | None) -> bool:
    """Whether a metric can be learnt from a corpus; references may replace a document."""
    return against == "document" or (against == "references" and bool(corpus.references))


def rows(
    measures: Measures, human: HumanScores, corpus: gistmark.Corpus, resamples: int
) -> Iterator[Row]:
    """A row for each measure."""
    anonymous = bool(corpus.anonymous_systems) or len(corpus.systems) < 3
    levels = ("global",) if anonymous else ("global", "system")
    resampling = Resampling(generator(0), resamples, "documents")
    length = measures.select(["words"])
    records = [
        *correlations(measures, human, levels=levels, coefficients=("pearson", "spearman"),
                      resampling=resampling),
        *correlations(measures, human, levels=("global",), coefficients=("spearman",),
                      resampling=resampling, given=length),
    ]  # fmt: skip
    within = accuracies(measures, human, seed=0, resamples=resamples) if not anonymous else ()
    for measure in measures.names:
        about = (measure.metric, measure.part)
        own = {
            (r.level, r.coefficient, bool(r.given)): r
            for r in records
            if (r.metric, r.part) == about
        }
        tied = [
            r for r in within
            if (r.metric, r.part, r.statistic) == (*about, "acc_eq_cross_validated")
        ]  # fmt: skip
        name = str(measure)
        yield (
            f"**{LEARNT}**" if name == LEARNT else f"`{name}`",
            shown(own.get(("global", "pearson", False))),
            shown(own.get(("global", "spearman", False))),
            shown(own.get(("global", "spearman", True))),
            shown(tied[0] if tied else None),
            shown(own.get(("system", "pearson", False))),
        )


def shown(record: object) -> str:
    if record is None or record.value is None:
        return "–"
    if record.low is None or record.high is None:
        return f"{record.value:.3f}"
    return f"{record.value:.3f} [{record.low:.3f}, {record.high:.3f}]"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", metavar="NAME=FOLDER", type=named)
    parser.add_argument("-m", "--metric", dest="metrics", action="append", default=[])
    parser.add_argument("--resamples", type=int, default=1000)
    return parser.parse_args()


def named(text: str) -> tuple[str, str]:
    name, _, folder = text.partition("=")
    return name, folder


if __name__ == "__main__":
    main()
