"""`pyramid`: the weighted share of content units that a summary states, without people.

    score = sum over units u of w_u p_u / ideal weight

where w_u is the weight of a unit and p_u the probability that the summary states it. Nenkova and
Passonneau, "Evaluating Content Selection in Summarization: The Pyramid Method" (2004), had people
write the units and mark them; Zhang and Bansal (2021) replaced the marks, then the units. With
units that people wrote it is what `gistmark study` computes from people's marks, so that the two
can be compared.

With `against=document` the units are the facts of the document, as where Mieskes, Loza Mencía and
Kronsbein, "A Data Set for the Analysis of Text Quality Dimensions in Summarization Evaluation"
(2020), have no references and take the documents of a topic as the text for ROUGE and PEAK. All
texts of a document are one text there, as for ROUGE: a fact counts once for each of its wordings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.content_units.options import PyramidOptions
from gistmark.metrics.content_units.presence import Pair, location, presence
from gistmark.metrics.content_units.units import (
    Unit,
    UnitSet,
    assigned,
    extracted_units,
    facts_of,
    written_units,
)
from gistmark.metrics.metric import Float64, Need, OnModel, Values
from gistmark.metrics.targets import MISSING, NEEDED
from gistmark.models.loading import label_of
from gistmark.models.vectors.pipelines import pipeline_label
from gistmark.signature import Signature
from gistmark.text.sentences import Span

NOTHING_WRITTEN = "nobody wrote content units for the document"
NOTHING = "the document has neither a reference nor content units that people wrote"
NO_FACTS = {"references": "the references have no words", "document": "the document has no words"}
PRESENT = 0.5
"""From this probability on, a unit is shown as stated."""


@dataclass(frozen=True)
class StatedUnit:
    """A unit with the probability that the summary states it, and the sentence that does.

    `span` is None where the unit is not stated, or by the summary as a whole.
    """

    text: str
    weight: float
    probability: float
    span: Span | None

    @property
    def is_present(self) -> bool:
        return self.probability >= PRESENT


@dataclass(frozen=True)
class Explanation:
    """The value of a summary and the units behind it, or the reason why there is none."""

    value: float | None
    units: tuple[StatedUnit, ...] = ()
    reason: str | None = None


class Pyramid(OnModel):
    """The weighted share of content units that the summary states: 0 to 1, higher is better.

    The units are those that people wrote for the document, where there are any, and otherwise those
    of the references; with `against=document`, those of the document. An empty summary states
    nothing and has 0; without units there is no value. Where several references have different
    units, a summary is measured against as many of the heaviest ones as a reference has on average,
    and more than that is 1.
    """

    family = "pyramid"
    about = (
        "The share of content units that the summary states, by weight; 0 to 1. Units are those "
        "that people wrote for the document, or else facts of its references, or of the document."
    )
    Options: ClassVar[type[Any]] = PyramidOptions

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"units"}) if self.options.units == "written" else self._sources

    @property
    def reads(self) -> frozenset[Need]:
        auto = self.options.units == "auto"
        return self._sources | {"units"} if auto else self.needs

    @property
    def _sources(self) -> frozenset[Need]:
        return NEEDED[self.options.against]

    @property
    def signature(self) -> str:
        """The signature with all its fields in alphabetical order."""
        inherited = Signature.parse(super().signature)
        return str(
            Signature(inherited.family, inherited.version, dict(sorted(inherited.fields.items())))
        )

    def _shown(self) -> dict[str, str]:
        options = self.options
        fields = {}
        if options.model:
            fields["model"] = label_of(options.model)
        if options.presence == "nli":
            fields["nli"] = options.nli
        if options.parses:
            fields["parser"] = pipeline_label(options.parser)
        return fields

    def score(self, batch: Batch) -> Values:
        values = np.full((len(batch), 1), np.nan)
        reasons = {}
        for row, result in enumerate(self._results(batch)):
            if isinstance(result, str):
                reasons[row] = result
            else:
                values[row] = _value(*result)
        return Values(values, reasons)

    def explain(self, batch: Batch) -> Iterator[Explanation]:
        """For each item its value, its units, and where its summary states them."""
        for item, result in zip(batch, self._results(batch), strict=True):
            if isinstance(result, str):
                yield Explanation(None, reason=result)
            else:
                yield Explanation(_value(*result), tuple(self._stated_units(item, *result)))

    def _stated_units(
        self, item: Item, units: UnitSet, probabilities: Float64
    ) -> Iterator[StatedUnit]:
        for unit, probability in zip(units.units, probabilities.tolist(), strict=True):
            span = (
                location(unit, item.summary, self.options.lang) if probability >= PRESENT else None
            )
            yield StatedUnit(unit.text, unit.weight, probability, span)

    def _results(self, batch: Batch) -> list[tuple[UnitSet, Float64] | str]:
        """For each item its units and their probabilities, or why it has none."""
        unit_sets = [self._units(batch, item) for item in batch]
        texts = [self._texts(item.summary) for item in batch]
        pairs = [
            (wording, text)
            for units, summary_texts in zip(unit_sets, texts, strict=True)
            if not isinstance(units, str)
            for unit in units.units
            for wording in unit.wordings
            for text in summary_texts
        ]
        probabilities = dict(zip(pairs, presence(batch, self.options, pairs).tolist(), strict=True))
        return [
            units
            if isinstance(units, str)
            else (units, self._match_units(units.units, summary_texts, probabilities))
            for units, summary_texts in zip(unit_sets, texts, strict=True)
        ]

    def _texts(self, summary: str) -> list[str]:
        """What each unit is looked for in: the summary, or each of its facts."""
        if self.options.match == "each":
            return [summary]
        return [fact for fact, _ in facts_of(summary, self.options.parser, self.options.lang)]

    def _units(self, batch: Batch, item: Item) -> UnitSet | str:
        """The units of an item, or why it has none."""
        options = self.options
        if options.units != "extracted":
            written = written_units(item.units)
            if written.units:
                return written
            if options.units == "written":
                return NOTHING_WRITTEN
        texts = item.references
        if options.against == "document":
            texts = () if item.document is None else (item.document,)
        if not texts:
            return NOTHING if options.units == "auto" else MISSING[options.against]
        memo: dict[tuple[str, ...], UnitSet] = batch.memo(
            ("extracted units", options.parser, options.lang), dict
        )
        if texts not in memo:
            memo[texts] = extracted_units(texts, pipeline=options.parser, lang=options.lang)
        units = memo[texts]
        return units if units.units else NO_FACTS[options.against]

    def _match_units(
        self, units: Sequence[Unit], texts: Sequence[str], probabilities: dict[Pair, float]
    ) -> Float64:
        """The probability of each unit; with `match=assign` each text states at most one."""
        table = np.array([
            [max(probabilities[wording, text] for wording in unit.wordings) for text in texts]
            for unit in units
        ])  # fmt: skip
        if self.options.match == "each":
            return table[:, 0]
        result = np.zeros(len(units))
        weights = np.array([unit.weight for unit in units])
        for row, column in assigned(weights[:, None] * table.reshape(len(units), len(texts))):
            result[row] = table[row, column]
        return result


def _value(units: UnitSet, probabilities: Float64) -> float:
    weights = np.array([unit.weight for unit in units.units])
    return min(1.0, float(weights @ probabilities) / units.ideal)
