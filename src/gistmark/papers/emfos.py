"""EMFoS: Ranpara, "Finding Proxy For Human Evaluation" (thesis, 2022), chapter 7 and appendix A.

Of the forty metrics, ROUGE and the one on an embedded model are computed by default. The others are
computed where somebody asks for them, or come from a file of scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gistmark.analysis.correlation.correlations import correlations
from gistmark.analysis.correlation.differences import metric_differences
from gistmark.analysis.data.measures import Measures, measures_of
from gistmark.analysis.human.composites import Composites, composite_scores
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.studies.records import Correlation, Difference
from gistmark.corpus import Corpus
from gistmark.corpus.formats.datasets.emfos import CAMPAIGNS
from gistmark.metrics.catalogue import EMFOS40
from gistmark.models import is_here, known_model
from gistmark.papers.metrics import model_of
from gistmark.papers.paper import (
    RESAMPLES,
    Cell,
    DifferencePlot,
    Paper,
    Plot,
    Printed,
    Release,
    SharePlot,
    cell,
    verdict_on,
)
from gistmark.runtime.seeds import generator
from gistmark.scoring import Scores

TABLES: Mapping[str, Printed] = {
    "Table 7.1": {
        "R1": (0.391125, 0.403563, 0.405817),
        "R2": (0.302982, 0.312113, 0.316820),
        "RL": (0.306813, 0.316603, 0.316652),
    },
    "Table 7.2": {
        "CS1": (0.474557, 0.489912, 0.481815),
        "CS2": (0.473413, 0.490389, 0.488624),
        "CS3": (0.390508, 0.402207, 0.397415),
        "CS4": (0.424224, 0.439674, 0.426063),
        "CS5": (0.380785, 0.394660, 0.379361),
    },
    "Table 7.3": {
        "CS6": (0.310038, 0.316681, 0.333384),
        "CS7": (0.307965, 0.311064, 0.327259),
    },
    "Table 7.4": {
        "BS00": (0.420552, 0.430709, 0.431368),
        "BS01": (0.408182, 0.418725, 0.420935),
        "BS02": (0.383917, 0.393258, 0.390887),
        "BS03": (0.422546, 0.433619, 0.432300),
        "BS04": (0.417388, 0.427617, 0.428478),
        "BS05": (0.405949, 0.418768, 0.423377),
        "BS06": (0.421794, 0.432247, 0.432853),
        "BS07": (0.439262, 0.450845, 0.450916),
        "BS08": (0.426432, 0.438161, 0.440847),
        "BS09": (0.426478, 0.438706, 0.438667),
        "BS10": (0.446845, 0.459058, 0.463744),
        "BS11": (0.391053, 0.402589, 0.405289),
        "BS12": (0.411650, 0.423299, 0.424781),
        "BS13": (0.420807, 0.433452, 0.436602),
        "BS14": (0.414748, 0.425428, 0.428430),
        "BS15": (0.397459, 0.409896, 0.414107),
        "BS16": (0.433419, 0.445226, 0.445338),
        "BS17": (0.420299, 0.433826, 0.437837),
        "BS18": (0.430478, 0.441647, 0.440460),
        "BS19": (0.412649, 0.426417, 0.428735),
        "BS20": (0.454003, 0.467445, 0.472490),
    },
    "Table 7.5": {
        "CS8": (0.285575, 0.290975, 0.281239),
        "CS9": (0.331576, 0.346874, 0.339983),
        "CS10": (0.310512, 0.325337, 0.319883),
        "CS11": (0.408396, 0.423316, 0.404882),
        "CS12": (0.291956, 0.305086, 0.309118),
    },
    "Table 7.6": {
        "WMD00": (0.375220, 0.385934, 0.384831),
        "WMD01": (0.374999, 0.385250, 0.385092),
        "WMD02": (0.381790, 0.393033, 0.386811),
        "WMD03": (0.380668, 0.391698, 0.387522),
    },
    "Table 7.7": {
        "R1": (0.379260, 0.388557, 0.400669),
        "R2": (0.302302, 0.311316, 0.322189),
        "RL": (0.298070, 0.306450, 0.317079),
    },
    "Table 7.8": {
        "CS1": (0.442113, 0.454188, 0.457508),
        "CS2": (0.442481, 0.455519, 0.464508),
        "CS3": (0.359298, 0.367239, 0.370118),
        "CS4": (0.393563, 0.405466, 0.403517),
        "CS5": (0.349610, 0.359223, 0.352005),
    },
    "Table 7.9": {
        "CS6": (0.300683, 0.305207, 0.321900),
        "CS7": (0.346404, 0.344943, 0.358525),
    },
}
"""By table: HS1, HS2 and HS3 of each metric, by the aliases of Tables 5.1 to 5.6."""

SAME_NUMBERS: Mapping[str, str] = {
    "Table 7.10": "Table 7.4",
    "Table 7.11": "Table 7.5",
    "Table 7.12": "Table 7.6",
}
"""Tables of Spearman correlations, and the tables of Pearson correlations with the same numbers."""

ALIASES: Mapping[str, str] = dict(
    zip(
        (
            "R1", "R2", "RL", *(f"CS{number}" for number in range(1, 8)),
            *(f"BS{number:02}" for number in range(21)),
            *(f"CS{number}" for number in range(8, 13)),
            *(f"WMD{number:02}" for number in range(4)),
        ),
        EMFOS40,
        strict=True,
    )
)  # fmt: skip
"""The forty metrics by the names of Tables 5.1 to 5.6."""

FAMILIES = (
    "lexical overlap", "sentence transformers", "[CLS] of BERT-like encoders", "BERTScore",
    "word vectors, cosine", "word vectors, mover's distance",
)  # fmt: skip
"""What Tables and Figures 7.1 to 7.6 (Pearson) and again 7.7 to 7.12 (Spearman) are about."""

COEFFICIENTS = ("pearson", "spearman")

_BASELINE = "R1"

_HUMAN = ("HS1", "HS2", "HS3")

_SCALE = (1.0, 5.0)

_DIMENSIONS = (
    "grammatical correctness", "arrangement", "text quality", "conciseness", "exhaustiveness",
    "overall",
)  # fmt: skip

_TIES = (
    "Ours counts scores as tied that differ only in the last bits of a floating-point number. "
    "Without that, and with HS1 as a sum of products by 0.2, the values are within 0.0001 of the "
    "print; we do not know how the thesis treats ties."
)

_VERSIONS = (
    "The values depend on the version of the model and of its package, which the thesis does not "
    "name."
)

_WEIGHTS = "The thesis describes the weights and does not print them."

_PICTURE = "The published percentages are those of the picture in the public copy's folder Assets."

# Figures A.1 and A.2, in order of size; a pie of 21 has no label for its smallest slices.
_SHARES: Mapping[str, Sequence[float | None]] = {
    "set1": (28.4, 19.0, 10.0, 10.0, 9.7, 9.0, 6.0, 5.0, 3.0),
    "set2": (
        15.0, 11.0, 10.0, 10.0, 10.0, 8.8, 5.0, 5.0, 5.0, 4.0, 4.0, 2.0, 2.0, 1.7, 1.5,
        None, None, None, None, 0.5, 0.3,
    ),
}  # fmt: skip


def compute(release: Release) -> Sequence[Cell]:
    """Chapter 7 beside ours, the weights of HS2, and Figures A.1 and A.2."""
    corpus = release.corpus
    human = {coefficient: _composites(corpus, coefficient) for coefficient in COEFFICIENTS}
    scores = _scored(release)
    return [
        *_tables(scores, human),
        *_weights(human),
        *_contributions(corpus),
    ]


def plots(release: Release) -> Sequence[Plot]:
    """Figures 7.1 to 7.12, each metric against R1, and Figures A.1 and A.2."""
    corpus, scores = release.corpus, _scored(release)
    return [
        *(
            DifferencePlot(
                f"Figure {table.removeprefix('Table ')}",
                f"{coefficient.title()} correlation minus that of R1: {family}",
                _differences(scores, _composites(corpus, coefficient), list(printed)),
            )
            for table, coefficient, family, printed in _printed_tables()
        ),
        *(
            SharePlot(f"Figure A.{number}", f"Who rated the summaries of {campaign}", shares)
            for number, (campaign, shares) in enumerate(_shares(corpus).items(), start=1)
        ),
    ]


def _scored(release: Release) -> Scores:
    with_scores = release if release.scores is not None else PAPER.with_scores(release)
    assert with_scores.scores is not None
    return with_scores.scores


def _composites(corpus: Corpus, coefficient: str) -> Composites:
    """HS1 to HS3; the weights of HS2 are by the same coefficient."""
    return composite_scores(corpus.ratings, scales=PAPER.scales, coefficient=coefficient)


def _printed_tables() -> Iterator[tuple[str, str, str, Printed]]:
    """Each table of chapter 7: its name, coefficient, family and print."""
    families = [(coefficient, family) for coefficient in COEFFICIENTS for family in FAMILIES]
    for number, (coefficient, family) in enumerate(families, start=1):
        table = f"Table 7.{number}"
        yield table, coefficient, family, TABLES[SAME_NUMBERS.get(table, table)]


def _tables(scores: Scores, human: Mapping[str, Composites]) -> Iterator[Cell]:
    """F-measures, cosines and negated distances against HS1 to HS3."""
    records = {
        (coefficient, record.metric, record.human): record
        for coefficient, composites in human.items()
        for record in correlations(
            _oriented(scores), composites.scores, levels=("global",), coefficients=(coefficient,)
        )
    }
    for table, coefficient, _, printed in _printed_tables():
        lacking = _lacking([alias for alias in printed if alias not in scores.columns])
        copied = (
            f"The table has the same numbers as {SAME_NUMBERS[table]}, which is about "
            "Pearson correlation."
            if table in SAME_NUMBERS
            else ""
        )
        for alias, row in printed.items():
            for name, published in zip(_HUMAN, row, strict=True):
                if alias not in scores.columns:
                    why, value = lacking, None
                else:
                    record = records[coefficient, alias, name]
                    why, value = _remark(table, scores, alias, record), record.value
                if copied or verdict_on(published, value, 6) != "exact":
                    why = " ".join(filter(None, (why, copied)))
                else:
                    why = ""
                yield cell(table, alias, name, published, value, 6, why=why)


def _oriented(scores: Scores) -> Measures:
    """The metrics by their aliases; distances are negated, as the print has them."""
    measures = measures_of(scores, parts="main")
    return replace(measures, values=measures.oriented)


def _remark(table: str, scores: Scores, alias: str, record: Correlation) -> str:
    """What a reader should know of a value that differs, or why there is none."""
    column, total = scores[alias], scores.summary_count
    if record.value is None:
        return f"No value: {(column.why or record.reason or '').rstrip('.')}."
    usual = _VERSIONS if model_of(ALIASES[alias]) else _TIES if table == "Table 7.7" else ""
    if record.n == total:
        return usual
    absent = column.why.rstrip(".")
    return f"Over {record.n:,} of {total:,} summaries, because of the others: {absent}. {usual}"


def _lacking(aliases: Sequence[str]) -> str:
    """Why some metrics of a table were not computed."""
    models = {alias: model_of(ALIASES[alias]) or "" for alias in aliases}
    here = [alias for alias, model in models.items() if is_here(known_model(model))]
    absent = [f"{model} ({alias})" for alias, model in models.items() if alias not in here]
    sentences = []
    if absent:
        sentences.append(
            f"Models that are not on this machine: {', '.join(absent)}. Once they are, "
            "--models runs them; --scores takes their scores from elsewhere."
        )
    if here:
        sentences.append(
            f"Not computed, because it was not asked for: --models {','.join(here)} does it."
        )
    return " ".join(sentences)


def _differences(
    scores: Scores, human: Composites, family: Sequence[str]
) -> tuple[Difference, ...]:
    """The metrics of a family against R1; none where no other has scores."""
    aliases = [alias for alias in family if alias in scores.columns and alias != _BASELINE]
    measures = measures_of(scores, parts="main").select([_BASELINE, *aliases])
    if not aliases:
        return ()
    resampling = Resampling(generator(0, "emfos", human.coefficient), RESAMPLES)
    return metric_differences(
        measures, human.scores, resampling, coefficient=human.coefficient, baseline=_BASELINE
    )


def _weights(human: Mapping[str, Composites]) -> Iterator[Cell]:
    for coefficient, composites in human.items():
        for dimension, weight in composites.weights.items():
            column = f"by {coefficient.title()}"
            yield cell("Weights of HS2", dimension, column, None, weight, 6, why=_WEIGHTS)


def _contributions(corpus: Corpus) -> Iterator[Cell]:
    for number, (campaign, shares) in enumerate(_shares(corpus).items(), start=1):
        table = f"Figure A.{number}"
        printed = [*_SHARES[campaign], *[None] * len(shares)]
        for (annotator, share), published in zip(shares.items(), printed, strict=False):
            yield cell(table, annotator, "% of summaries", published, 100 * share, 1, why=_PICTURE)


def _shares(corpus: Corpus) -> dict[str, dict[str, float]]:
    """For each set of reviewers, the share of its summaries that each of them rated."""
    shares = {}
    for campaign in CAMPAIGNS:
        rated = {(r.annotator, r.document) for r in corpus.ratings if r.campaign == campaign}
        counts = Counter(annotator for annotator, _ in sorted(rated))
        shares[campaign] = {name: n / len(rated) for name, n in counts.most_common()}
    return shares


PAPER = Paper(
    name="emfos",
    citation="Ranpara, Finding Proxy For Human Evaluation (EMFoS, thesis)",
    home="github.com/TarangRanpara/EMFoS",
    inside="Dataset",
    files=("DATA.csv",),
    compute=compute,
    metrics=tuple(ALIASES[alias] for alias in TABLES["Table 7.1"]),
    baseline=ALIASES[_BASELINE],
    scales=dict.fromkeys(_DIMENSIONS, _SCALE),
    aliases=ALIASES,
    plots=plots,
)
