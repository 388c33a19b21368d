"""`find_units`: where each summary states each content unit, by the metric `pyramid`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.content_units.pyramid import Explanation, Pyramid
from gistmark.scoring.run import Progress, source_of
from gistmark.text.languages import ENGLISH

Origin = tuple[str, str]
"""A document and a system."""


@dataclass(frozen=True)
class UnitPresence:
    """What `pyramid` found in each summary, and its signature for each language of the corpus."""

    metric: str
    signatures: Mapping[str, str]
    explanations: Mapping[Origin, Explanation]


def find_units(
    corpus: Corpus,
    metric: str = "pyramid",
    *,
    with_references: bool = False,
    lang: str | None = None,
    progress: Progress | None = None,
) -> UnitPresence:
    """Look for the units of every document in its summaries.

    `metric` is `pyramid`, with options or without; the others are those of `gistmark.score`.
    """
    source = source_of(corpus, with_references=with_references, lang=lang)
    metrics = {code: pyramid_from(metric, code) for code in source.languages}
    explanations: dict[Origin, Explanation] = {}
    for block in source.blocks(Pyramid.block_size):
        explained = metrics[block.lang].explain(block.batch())
        origins = zip(block.documents, block.systems, strict=True)
        explanations.update(zip(origins, explained, strict=True))
        if progress is not None:
            progress(len(explanations), source.size)
    signatures = {code: pyramid.signature for code, pyramid in metrics.items()}
    return UnitPresence(metric, signatures, explanations)


def pyramid_from(spec: str, lang: str = ENGLISH) -> Pyramid:
    """The metric of a spec, which must be a pyramid."""
    metric = metric_from(spec, lang)
    if not isinstance(metric, Pyramid):
        raise UsageError(f"{spec} looks for no content units; only pyramid does.")
    return metric
