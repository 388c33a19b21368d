"""The sections of the report and their order, for the page and for the Markdown file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gistmark.analysis.studies.records import Finding
from gistmark.report.figures import Absent, Figure
from gistmark.report.table import Table
from gistmark.report.tables.questions import OVERVIEW, PREFIX
from gistmark.report.views import View


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A few plain sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Findings:
    """The key findings."""

    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class Folded:
    """A table that is long or of secondary interest: a page shows it on demand."""

    table: Table


@dataclass(frozen=True, slots=True)
class Group:
    """Several tables of one kind, folded together."""

    title: str
    tables: Sequence[Table]


@dataclass(frozen=True, slots=True)
class Scatter:
    """The position of the interactive scatter."""


Block = Paragraph | Findings | Table | Folded | Group | Figure | Absent | Scatter


@dataclass(frozen=True, slots=True)
class Section:
    """A headed part of the report."""

    id: str
    title: str
    blocks: Sequence[Block]


def outline(
    view: View,
    tables: Mapping[str, Table],
    figures: Mapping[str, Figure | Absent],
) -> list[Section]:
    """The sections of the report."""
    return [
        Section("findings", "Key findings", [Findings(view.study.findings)]),
        Section("ranking", "Systems", [
            figures["systems"], *_with_prefix(tables, "ranking_", except_for="ranking_by_metrics"),
            figures["pairs"], *_folded(tables["pairs"]),
            *(block for table in _with_prefix(tables, "preferences") for block in _folded(table)),
            *(block for table in _with_prefix(tables, "fits") for block in _folded(table)),
            *_with_prefix(tables, "length_"),
        ]),
        Section("leaderboard", "Systems by dimension and metric", [
            tables["leaderboard"], *_evidence_figure(view, figures), figures["ranks"],
            *_folded(tables["systems_by_metric"], always=True),
            *_folded(tables["ranking"]), *_folded(tables["ranking_by_metrics"]),
        ]),
        *_campaign_section(tables),
        *_question_sections(view, tables),
        Section("correlation", "Metrics and people", [
            *_correlation_blocks(view, tables, figures),
        ]),
        Section("differences", "Differences between metrics", [
            figures["differences"], figures["metric_pairs"],
            *_folded(tables["differences_headline"], always=True),
            *_folded(tables["differences"]),
            *(Folded(table) for table in _with_prefix(tables, "accuracy_differences")),
        ]),
        *_contribution_section(tables),
        *_section_of_table(tables, "errors", "Errors"),
        Section("agreement", "Agreement", [
            tables["agreement_overview"], figures["splits"], figures["dimension_correlations"],
            figures["histograms"], *_folded(tables["agreement"]),
            *_folded(tables["agreement_details"]),
            *_group("Human scores against each other", _with_prefix(tables, "dimensions_")),
        ]),
        *_confidence_section(tables),
        *_section_of_table(tables, "hard_documents", "Hard documents"),
        *_machine_section(tables),
        *_section_of_table(tables, "sequential", "Decisions of the campaign"),
        *_section_of_table(tables, "powered", "People and metrics together"),
        *_variance_section(tables, figures),
        Section("annotators", "Annotators", [
            figures["annotators"], tables["annotators"],
            *_folded(tables["annotators_by_dimension"]),
        ]),
        Section("scatter", "Every system and every summary", [
            Scatter(), *_folded(tables["human_scores"]),
        ]),
        Section("notes", "Data notes", [tables["notes"]]),
        Section("methods", "Methods", [
            Paragraph(view.study.methods or "The study does not describe its methods."),
        ]),
        Section("signatures", "Signatures", [
            Paragraph("A signature names everything that a metric’s values depend on: enough to "
                      "compute them again."),
            tables["signatures"],
        ]),
    ]  # fmt: skip


def _question_sections(view: View, tables: Mapping[str, Table]) -> list[Section]:
    """The section on further questions: an overview, then a table each; texts are folded."""
    if OVERVIEW not in tables:
        return []
    blocks: list[Block] = [tables[OVERVIEW]]
    for number, question in enumerate(view.study.questions, start=1):
        table = tables[f"{PREFIX}{number}"]
        blocks.append(Folded(table) if question.type == "text" else table)
    return [Section(OVERVIEW, "Questions", blocks)]


def _section_of_table(tables: Mapping[str, Table], name: str, title: str) -> list[Section]:
    """A section of one table; none if there is no such table."""
    return [Section(name, title, [tables[name]])] if name in tables else []


def _confidence_section(tables: Mapping[str, Table]) -> list[Section]:
    """The section on confidence and weights; none if the study has no such table."""
    if "confidence" not in tables:
        return []
    agreement = [tables[name] for name in ("confidence_agreement",) if name in tables]
    details = Folded(tables["confidence_details"])
    return [
        Section("confidence", "Confidence and weights", [tables["confidence"], *agreement, details])
    ]


def _machine_section(tables: Mapping[str, Table]) -> list[Section]:
    """The section on machines as judges; none if no machine judged."""
    names = ("machines", "judges", "highlight_matches", "highlight_rankings")
    blocks = [tables[name] for name in names if name in tables]
    return [Section("judges", "Judges that are not people", [*blocks])] if blocks else []


def _campaign_section(tables: Mapping[str, Table]) -> list[Section]:
    """The section that compares campaigns; none if there is one campaign."""
    if "modes_mean" not in tables:
        return []
    differences = _folded(tables["mode_differences"])
    return [Section("campaigns", "Campaigns", [*_with_prefix(tables, "modes_"), *differences])]


def _contribution_section(tables: Mapping[str, Table]) -> list[Section]:
    """The section on what makes the values of learnt metrics; none without such a metric."""
    if "contributions" not in tables:
        return []
    systems, summaries = tables["contributions_by_system"], Folded(tables["contributions"])
    return [Section("contributions", "Learnt metrics", [systems, summaries])]


def _variance_section(
    tables: Mapping[str, Table], figures: Mapping[str, Figure | Absent]
) -> list[Section]:
    """The section on the sources of variance; none without ratings."""
    if "variance" not in tables:
        return []
    blocks = [figures["variance"], tables["reliability"], *_folded(tables["variance"])]
    return [Section("variance", "Sources of variance", [*blocks, *_folded(tables["contrasts"])])]


def _evidence_figure(view: View, figures: Mapping[str, Figure | Absent]) -> list[Block]:
    """The figure of ratings against pairwise choices; none unless people gave both."""
    has_both = view.headline.ratings is not None and view.headline.comparisons is not None
    return [figures["ratings_and_comparisons"]] if has_both else []


def _correlation_blocks(
    view: View, tables: Mapping[str, Table], figures: Mapping[str, Figure | Absent]
) -> Iterator[Block]:
    """First the levels of the headline, then all summaries together, then everything else."""
    pooled = f"correlation_global_{view.headline.coefficient}"
    kinds = [(level, coefficient) for level in view.levels for coefficient in view.coefficients]
    pivots = [name for kind in kinds if (name := "correlation_{}_{}".format(*kind)) in tables]
    yield tables["correlation_headline"]
    yield figures["metric_correlations"]
    if "accuracy_headline" in tables:
        yield Folded(tables["accuracy_headline"])
    for name in ("gaps", "close_systems"):
        if name in tables:
            yield Folded(tables[name])
    if pooled in pivots:
        yield Folded(tables[pooled])
    yield from _group(
        "All human scores at other levels and by other coefficients",
        [tables[name] for name in pivots if name != pooled],
    )
    yield from _folded(tables["correlation"])
    yield from _folded(tables["correlation_conditions"])
    if "accuracy" in tables:
        yield Folded(tables["accuracy"])


def _with_prefix(tables: Mapping[str, Table], prefix: str, *, except_for: str = "") -> list[Table]:
    return [
        table for name, table in tables.items() if name.startswith(prefix) and name != except_for
    ]


def _group(title: str, tables: Sequence[Table]) -> list[Block]:
    return [Group(title, tables)] if tables else []


def _folded(table: Table, *, always: bool = False) -> list[Block]:
    """A folded table; an empty one is left out, or with `always` shown unfolded."""
    return [Folded(table)] if table.rows else [table] if always else []
