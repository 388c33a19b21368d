"""Corpora as training sets: what people say about each summary, and the features of its text.

Features come from a scoring run, so they are cached like all scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.findings.headline import headline_score
from gistmark.analysis.human.composites import composite_scores
from gistmark.analysis.human.marks import unit_shares
from gistmark.analysis.human.scores import HumanScores, dimension_means, joined, votes_won
from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.learnt.copies import beside_the_rest
from gistmark.metrics.learnt.features import FEATURES, Feature
from gistmark.metrics.learnt.fitting import TrainingSet
from gistmark.metrics.learnt.spoiling import SPOILINGS, Spoiling, copied_lead, spoiled
from gistmark.metrics.learnt.structure import MEASURES, structure
from gistmark.metrics.metric import Float64
from gistmark.metrics.options import Against
from gistmark.records import Document, Summary
from gistmark.runtime.seeds import generator
from gistmark.scoring import score

LEAST_SUMMARIES = 20
SPOILED = 100
"""How many summaries of a corpus are spoiled in every way, sampled by seed. All get a copied lead,
since the weight of copying is a quantile of what these would gain.
"""


@dataclass(frozen=True)
class Judged:
    """The summaries of a corpus that people scored, with what each is compared with.

    `stands_in` says that references stand in for the documents, if anything does.
    """

    name: str
    human: str
    items: Sequence[Item]
    documents: Sequence[str]
    scores: Float64
    stands_in: bool = False

    def part(self, rows: NDArray[np.int64], number: int) -> Judged:
        """Some of the summaries, under a name of their own."""
        return replace(
            self,
            name=f"{self.name}, part {number}",
            items=[self.items[row] for row in rows],
            documents=[self.documents[row] for row in rows],
            scores=self.scores[rows],
        )


def judged(corpus: Corpus, name: str, *, against: Against, human: str | None = None) -> Judged:
    """The scored summaries of a corpus; without a choice, the human score that a study puts first.

    Where summaries are to be compared with their document and the corpus has no texts of these,
    the references take its place; where there are none, only the summaries are looked at.
    """
    table = human_scores(corpus)
    human = human or headline_score(table.names)
    if human is None:
        raise GistmarkError(f"{name}: nobody rated, compared or marked any summary.")
    values = table.of(human)
    written = {(s.document, s.system): s for s in corpus.summaries if not s.reference}
    texts = {document.id: document.text for document in corpus.documents}

    def item(summary: Summary) -> Item:
        """The summary with what it is compared with."""
        references = tuple(r.text for r in corpus.references.get(summary.document, ()))
        if against == "references":
            return Item(summary.text, references)
        text = texts.get(summary.document) or "\n".join(references)
        return Item(summary.text, (), text or None)

    pairs = [
        (item(written[unit]), unit[0], float(value))
        for unit, value in zip(table.units, values, strict=True)
        if unit in written and not np.isnan(value) and written[unit].text.strip()
    ]
    usable = [pair for pair in pairs if against == "document" or pair[0].references]
    if len(usable) < LEAST_SUMMARIES:
        wanted = " and a reference" if against == "references" else ""
        raise GistmarkError(
            f"{name}: too few summaries ({len(usable)}) have the human score {human!r}{wanted}; "
            f"training takes {LEAST_SUMMARIES} or more."
        )
    return Judged(
        name, human, [pair[0] for pair in usable], [document for _, document, _ in usable],
        np.array([value for _, _, value in usable]),
        stands_in=against == "document" and not any(d.text.strip() for d in corpus.documents),
    )  # fmt: skip


def human_scores(corpus: Corpus) -> HumanScores:
    """Means of ratings, composites, shares of votes and of content units, by summary."""
    return joined(
        dimension_means(corpus.ratings),
        composite_scores(corpus.ratings).scores,
        votes_won(corpus.comparisons),
        unit_shares(corpus),
    )


def training_set(
    data: Judged, *, against: Against, seed: int = 0, cache: bool | Path = True
) -> TrainingSet:
    """The features of a corpus's summaries, and of some that are spoiled."""
    variants = list(_spoiled(data, seed)) if against == "document" else []
    items = [*data.items, *(replace(data.items[i], summary=text) for _, i, text in variants)]
    # Beginning like the reference is no fault.
    values = feature_values(items, FEATURES[against], cache=cache, rest=not data.stands_in)
    size = len(data.items)
    spoiled_rows: dict[str, tuple[Float64, Float64]] = {}
    for kind in SPOILINGS:
        rows = [row for row, variant in enumerate(variants) if variant[0] == kind]
        if rows:
            before = values[[variants[row][1] for row in rows]]
            spoiled_rows[kind] = before, values[[size + row for row in rows]]
    return TrainingSet(data.name, values[:size], data.scores, data.documents, spoiled_rows)


def _spoiled(data: Judged, seed: int) -> Iterator[tuple[Spoiling, int, str]]:
    """Spoiled summaries: how, of which item, and the text; of none scored below the median.

    A copied lead may well be better than a bad summary, and the lead of a reference is a good
    summary. Most spoiling shows only beside a text to compare with. Which ones are sampled does not
    depend on the corpus's name, which may be a path.
    """
    rng = generator(seed, "spoiled", data.human, len(data.items))
    compared = np.array([item.document is not None for item in data.items])
    good = np.flatnonzero(compared & (data.scores >= np.median(data.scores)))
    sampled = set(rng.choice(good, min(SPOILED, len(good)), replace=False).tolist())
    for index in good.tolist():
        item = data.items[index]
        variants = spoiled(item, data.items, rng) if index in sampled else copied_lead(item)
        for kind, text in variants.items():
            if text and not (kind == "lead" and data.stands_in):
                yield kind, index, text


def feature_values(
    items: Sequence[Item],
    features: Sequence[Feature],
    *,
    cache: bool | Path = True,
    rest: bool = True,
) -> Float64:
    """The features of texts, a row for each item, turned so that more is better.

    With `rest`, a copied lead is compared with the rest of its document.
    """
    measure = partial(_measured, features=features, cache=cache)
    batch = Batch.of(items)
    return beside_the_rest(batch, features, measure) if rest else measure(batch)


def _measured(batch: Batch, features: Sequence[Feature], cache: bool | Path) -> Float64:
    specs = [*dict.fromkeys(feature.spec for feature in features if feature.metric)]
    table = score(_corpus([*batch]), specs, cache=cache)
    order = {id: row for row, id in enumerate(table.documents)}
    rows = [order[str(index)] for index in range(len(batch))]
    shape = structure(batch) if any(not f.metric for f in features) else None
    columns = []
    for feature in features:
        if feature.metric:
            column = table[feature.spec].part(feature.part)[rows]
        else:
            assert shape is not None
            column = shape[:, MEASURES.index(feature.name)]
        columns.append(feature.sign * column)
    return np.column_stack(columns)


def _corpus(items: Sequence[Item]) -> Corpus:
    """Each item as a document of its own; equal texts are read once all the same."""
    documents, summaries = [], []
    for index, item in enumerate(items):
        if item.document is not None:
            documents.append(Document(str(index), (item.document,)))
        summaries.append(Summary(str(index), "summary", item.summary))
        summaries += [
            Summary(str(index), f"reference-{n}", text, reference=True)
            for n, text in enumerate(item.references, start=1)
        ]
    return Corpus(documents=tuple(documents), summaries=tuple(summaries))
