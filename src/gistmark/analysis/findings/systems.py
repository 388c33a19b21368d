"""The conclusions of a study, in words: computed once, stored in `study.json`, shown from there.

Every sentence is a claim. It is made only where it holds, with the number of what was compared
and with the test behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gistmark.analysis.findings import words
from gistmark.analysis.findings.headline import headline_agreement, headline_score
from gistmark.analysis.findings.words import show_estimate, show_number
from gistmark.analysis.human.marks import ERRORS, UNITS
from gistmark.analysis.ranking.bradley_terry import METHOD as BRADLEY_TERRY
from gistmark.analysis.ranking.fit import AGAINST_VOTES, NO_LINE, VOTES_BETWEEN
from gistmark.analysis.ranking.pairs import BOTH, DOCUMENTS, NOTHING_SHARED, SIGNIFICANT
from gistmark.analysis.ranking.ranking import (
    ANNOTATOR_ADJUSTED,
    DOCUMENT_ADJUSTED,
    MEAN,
    MEANS,
    PEOPLE,
)
from gistmark.analysis.studies.records import (
    Agreement,
    ErrorCount,
    Finding,
    Headline,
    Note,
    Pair,
    Rank,
)
from gistmark.analysis.variance.components import Contrast

_EVIDENCE = {
    "ratings": "ratings",
    "comparisons": "pairwise choices",
    "highlights": "highlights",
    "units": "marks",
    "spans": "error spans",
    "answers": "answers",
    "rankings": "rankings",
    "best-worst": "best-worst choices",
}


def system_findings(
    headline: Headline,
    ranking: Sequence[Rank],
    pairs: Sequence[Pair],
    contrasts: Sequence[Contrast] = (),
    annotators: Mapping[str, int] | None = None,
) -> Iterator[Finding]:
    """The best system by ratings, by comparisons, by each ranking, by content units and errors.

    `contrasts` are those of the ratings' mixed models; `annotators` says how many people are behind
    each kind of evidence.
    """
    ordered = dict.fromkeys((r.by, r.dimension) for r in ranking if r.by in _SETS)
    for by, dimension in (
        ("ratings", headline.ratings),
        ("comparisons", headline.comparisons),
        *ordered,
        ("units", UNITS),
        ("spans", ERRORS),
    ):
        records = [r for r in ranking if (r.by, r.dimension) == (by, dimension)]
        method = next((record.method for record in records), None)
        ranking_records = [r for r in records if r.method == method]
        ranked = [r for r in ranking_records if r.rank is not None]
        if ranked:
            kind = (by, dimension, method)
            tests = [pair for pair in pairs if (pair.by, pair.dimension, pair.method) == kind]
            elsewhere = [c for c in contrasts if c.dimension == dimension and c.over == "both"]
            evidence = _Evidence(
                ranked, tests, len(ranked) < len(ranking_records),
                elsewhere if by == "ratings" and method in MEANS else [],
                (annotators or {}).get(by),
            )  # fmt: skip
            yield _best_system(evidence)


@dataclass(frozen=True)
class _Evidence:
    """What a finding about systems rests on.

    `partial` says that some systems have no rank; `contrasts` are those that hold for other
    annotators, `annotators` how many there are, if that is known.
    """

    ranked: Sequence[Rank]
    pairs: Sequence[Pair]
    partial: bool
    contrasts: Sequence[Contrast]
    annotators: int | None

    @property
    def best(self) -> list[Rank]:
        return [record for record in self.ranked if record.rank == self.ranked[0].rank]

    @property
    def tested(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair.p is not None]

    @property
    def significant(self) -> list[Pair]:
        """The pairs that differ significantly, in the direction of the ranking."""
        return [pair for pair in self.pairs if is_apart(pair)]

    @property
    def documents(self) -> int:
        """How many documents tell two systems apart; of a single system, how many it has."""
        return max((pair.n for pair in self.pairs), default=self.ranked[0].n)

    @property
    def beaten(self) -> list[str]:
        """The systems from which the best differs significantly."""
        return [pair.right for pair in self.significant if pair.left == self.best[0].system]

    @property
    def others(self) -> str:
        """What the systems that are not the best are called."""
        return f"other {'ranked ' if self.partial else ''}system"

    def qualified(self, claim: str) -> str:
        """A claim about significance: tests over documents hold for those who judged them."""
        if self.tested[0].test == BOTH or not self.significant:
            return claim
        who = "this annotator" if self.annotators == 1 else "these annotators"
        return f"With {who}, {claim[0].lower()}{claim[1:]}"


def is_apart(pair: Pair | Contrast) -> bool:
    """Whether the left of two systems is significantly better than the right."""
    significant = pair.p_corrected is not None and pair.p_corrected < SIGNIFICANT
    return significant and (pair.difference or 0.0) > 0


_SETS = ("rankings", "best-worst")

_MEANING = {
    "rankings": "A ranking gives 1 to the best summary of a set and 0 to the worst. ",
    "best-worst": "A summary has 1 as the best of its set, -1 as the worst, else 0. ",
    "units": "It is the weighted share of content units that a summary states. ",
    "spans": "A summary without errors has 0; each error subtracts its weight. ",
}


def _best_system(evidence: _Evidence) -> Finding:
    """The best system by one ranking, and from how many others it differs significantly."""
    best, ranked = evidence.best, evidence.ranked
    first, names = best[0], [record.system for record in best]
    value = show_estimate(first.value, *((first.low, first.high) if not best[1:] else (None, None)))
    has = "has" if not best[1:] else "share"
    what = f"{first.dimension} by people’s {_EVIDENCE[first.by]}"
    if first.by in _SETS:
        what = f"people’s {_EVIDENCE[first.by]} by {first.dimension}"
    if first.by in ("units", "spans"):
        what = "the content unit score" if first.by == "units" else f"the {first.dimension}"
    strength = first.method == BRADLEY_TERRY
    unit = "comparison" if strength else "document"
    meaning = "" if strength else _MEANING.get(first.by, "") + _ADJUSTING.get(first.method, "")
    pairs = evidence.pairs
    misfit = f"{NO_LINE}. " if pairs and pairs[0].test == VOTES_BETWEEN else ""
    here = " on this document" if evidence.documents == 1 else ""
    return Finding(
        kind="systems",
        text=f"{words.listed(names)} {has} the highest {first.method}"
        f"{' strength' if strength else ''} of {what}{here}: {value}.",
        detail=f"{meaning}{words.counted(first.n, unit)}. {misfit}{_company(evidence)}",
        by=first.by,
        dimension=first.dimension,
        name=first.system,
        value=first.value,
        low=first.low,
        high=first.high,
        compared=len(ranked),
        n=first.n,
    )


_ADJUSTING = {
    DOCUMENT_ADJUSTED: "Systems were judged on different documents, and this is taken out. ",
    ANNOTATOR_ADJUSTED: "Systems were judged by different annotators, and this is taken out. ",
}


def _company(evidence: _Evidence) -> str:
    """From whom the best system differs, from whom it cannot be told apart, and all pairs."""
    best, tested = evidence.best, evidence.tested
    others = len(evidence.ranked) - 1
    if not others:
        return f"It is the only {'system that is ranked' if evidence.partial else 'system'}."
    reversed_pairs = [p for p in evidence.pairs if p.reason == AGAINST_VOTES]
    against = words.listed([f"{pair.right} over {pair.left}" for pair in reversed_pairs])
    against = f"The votes between the two prefer {against}." if reversed_pairs else ""
    if not tested and against:
        return against
    if not tested and evidence.pairs and evidence.pairs[0].reason not in (None, NOTHING_SHARED):
        return f"No two systems could be compared: {evidence.pairs[0].reason}."
    if not tested:
        return "No two systems have a value for the same document, so none could be compared."
    documents = evidence.documents
    if tested[0].test == DOCUMENTS and 2.0 ** (1 - documents) * len(tested) >= SIGNIFICANT:
        if documents == 1:
            return "One document says nothing about others, so no difference can be significant."
        few = words.counted(documents, "document")
        many = f" after correction for {len(tested):,} comparisons" if tested[1:] else ""
        return f"With {few}, no difference between two systems can be significant{many}."
    counts = _counts(tested, evidence.significant, untested=len(evidence.pairs) - len(tested))
    apart = "" if best[1:] else f"{_apart(evidence)}{_line(evidence.ranked)}"
    if apart and evidence.beaten:
        sentences = [evidence.qualified(apart), counts, _elsewhere(evidence)]
    else:
        sentences = [apart, evidence.qualified(counts)]
    return " ".join(filter(None, (*sentences, against)))


def _counts(tested: Sequence[Pair], significant: Sequence[Pair], *, untested: int) -> str:
    """How many pairs of systems differ, and by which test."""
    test, number = tested[0].test, len(significant)
    if not tested[1:] and not untested:
        differs = "differs" if number else "does not differ"
        return f"The only pair of systems {differs} significantly ({test}, 5 %)."
    every = f"all {len(tested):,} pairs of systems"
    if untested:
        every = f"{words.counted(len(tested), 'tested pair')} of systems"
    differ = "none differs" if not number else "1 differs" if number == 1 else f"{number:,} differ"
    return f"Of {every}, {differ} significantly ({test}, Holm’s correction, 5 %)."


def _apart(evidence: _Evidence) -> str:
    """From how many of the others the best differs; the rest by name."""
    system, others = evidence.best[0].system, len(evidence.ranked) - 1
    tested = [pair.right for pair in evidence.tested if pair.left == system]
    alike = [name for name in tested if name not in evidence.beaten]
    against = [p for p in evidence.pairs if p.left == system and p.reason == AGAINST_VOTES]
    untested = others - len(tested) - len(against)
    missing = f"{words.counted(untested, 'system')} could not be compared with it."
    beyond = f"It cannot be told apart from {words.listed(alike)}." if alike else ""
    if evidence.beaten:
        share = _share(len(evidence.beaten), others, evidence.others)
        beyond = f"It differs significantly from {share}" + (
            f" and cannot be told apart from {words.listed(alike)}." if alike else "."
        )
    return " ".join(filter(None, (beyond, missing if untested else "")))


def _share(number: int, others: int, noun: str) -> str:
    """`all 3 other systems`, `the other system`, `2 of the 3 other systems`."""
    if number < others:
        return f"{number:,} of the {others:,} {noun}s"
    return f"the {noun}" if others == 1 else f"all {others:,} {noun}s"


def _elsewhere(evidence: _Evidence) -> str:
    """From how many of those that the best differs from it differs for other annotators too."""
    system = evidence.best[0].system
    if not evidence.contrasts or evidence.tested[0].test == BOTH:
        return ""
    apart = {c.right for c in evidence.contrasts if c.left == system and is_apart(c)}
    number = len(apart & {*evidence.beaten})
    if not number:
        return "For other annotators no difference from another system is shown (mixed model)."
    share = _share(number, len(evidence.ranked) - 1, evidence.others)
    return f"For other annotators too, it differs significantly from {share} (mixed model)."


def _line(ranked: Sequence[Rank]) -> str:
    """A line below the first systems, where everyone above differs from everyone below."""
    above = [record for record in ranked if record.cluster == 1]
    if len(above) in (0, 1, len(ranked)):
        return ""
    below = len(ranked) - len(above)
    others = "the one below" if below == 1 else f"each of the {below:,} below"
    return f" Each of the best {len(above):,} differs significantly from {others}."


def ranking_notes(ranking: Sequence[Rank]) -> Iterator[Note]:
    """Notes on scores by people whose plain means put systems in another order than their ranks."""
    reordered: dict[str, list[tuple[str, str, str]]] = {}
    for by, dimension in dict.fromkeys((r.by, r.dimension) for r in ranking if r.by in PEOPLE):
        records = [r for r in ranking if (r.by, r.dimension) == (by, dimension)]
        adjusted = [r for r in records if r.method in _ADJUSTING and r.rank is not None]
        plain = {r.system: r.value or 0.0 for r in records if r.method == MEAN}
        order = sorted(adjusted, key=lambda record: -plain[record.system])
        ranks = [record.rank or 0.0 for record in order]
        if ranks != sorted(ranks):
            first = min(order, key=lambda record: record.rank or 0.0)
            names = (dimension, order[0].system, first.system)
            reordered.setdefault(first.method, []).append(names)
    for method, several in reordered.items():
        dimension, by_plain, by_adjusted = several[0]
        what = f"Plain means put {by_plain} first, {method}s {by_adjusted}"
        if by_plain == by_adjusted or several[1:]:
            where = f" by {words.listed([names[0] for names in several])}" if several[1:] else ""
            what = f"Plain means put systems in another order{where} than {method}s"
        yield Note(
            "systems" if several[1:] else dimension,
            f"Systems were not judged {_DIFFERENT[method]}. {what}; ranks are by the latter.",
        )


_DIFFERENT = {
    DOCUMENT_ADJUSTED: "on the same documents",
    ANNOTATOR_ADJUSTED: "by the same annotators",
}


def contrast_notes(pairs: Iterable[Pair], contrasts: Iterable[Contrast]) -> Iterator[Note]:
    """Notes on pairs that differ over documents, and of which that is not shown for others."""
    beyond = {(c.dimension, c.left, c.right): is_apart(c) for c in contrasts if c.over == "both"}
    unshared: dict[str, list[str]] = {}
    for pair in pairs:
        if pair.by != "ratings" or pair.method not in MEANS or pair.test != DOCUMENTS:
            continue
        key = (pair.dimension, pair.left, pair.right)
        turned = (pair.dimension, pair.right, pair.left)
        if is_apart(pair) and (key in beyond or turned in beyond) and not beyond.get(key):
            unshared.setdefault(pair.dimension, []).append(f"{pair.left} from {pair.right}")
    for dimension, names in unshared.items():
        yield Note(
            dimension,
            "Significant with these annotators, but by the mixed model not for others: "
            f"the difference of {words.listed(names)}.",
        )


def agreement_findings(records: Iterable[Agreement]) -> Iterator[Finding]:
    """A reading of alpha for each kind of judgement, and for each question of other types."""
    groups: dict[str, list[Agreement]] = {}
    for record in headline_agreement(records):
        if record.value is not None:
            groups.setdefault(record.subject, []).append(record)
    for subject, group in groups.items():
        if subject in _BY_QUESTION:
            yield from (_agreement_reading(record, [record]) for record in group)
            continue
        main = headline_score([record.dimension for record in group])
        yield _agreement_reading(next(r for r in group if r.dimension == main), group)


TENTATIVE = 0.667
"""Where Krippendorff's custom begins to allow conclusions."""

_BY_QUESTION = ("answers", "rankings", "best-worst")
_PREPOSITIONS = {"answers": "to", "rankings": "by", "best-worst": "by"}
_ABOUT_ALPHA = (
    "Alpha describes single judgements, and is low when nearly all values are the same; means over "
    "several annotators are more reliable than it suggests."
)
_ABOUT_TAU = (
    "It is the mean over sets of the correlation of every two annotators; -1 would mean opposite "
    "orders. Means over several annotators are more reliable than it suggests."
)


def _agreement_reading(record: Agreement, group: Sequence[Agreement]) -> Finding:
    values = [other.value for other in group if other.value is not None]
    low, high = show_number(min(values)), show_number(max(values))
    over = f" Over {len(values)} dimensions it ranges from {low} to {high}."
    spread = over if low != high else ""
    if record.subject == "spans":
        spread = _by_category(group)
    detail = f"{_documents(record)} {_reading(record)}{spread}"
    if record.statistic == "kendall-tau":
        detail = f"{_documents(record)} {_ABOUT_TAU}"
    elif record.subject not in _BY_QUESTION:
        detail += f" {_ABOUT_ALPHA}"
    about = f" {_PREPOSITIONS.get(record.subject, 'of')} {record.dimension}"
    about = about if record.dimension else ""
    value = show_estimate(record.value, record.low, record.high)
    return Finding(
        kind="agreement",
        text=f"Agreement in {_EVIDENCE[record.subject]}{about}: {value} "
        f"({words.statistic(record.statistic)}; 0 is chance, 1 is full agreement).",
        detail=detail,
        by=record.subject,
        dimension=record.dimension,
        name=record.statistic,
        value=record.value,
        low=record.low,
        high=record.high,
        n=record.n,
    )


def _documents(record: Agreement) -> str:
    """Over how many documents the interval is, or that other documents may say something else."""
    documents = words.counted(record.documents, "document")
    if record.low is None:
        return f"{documents}, without an interval, so other documents may show something else."
    return f"{documents}."


def _by_category(group: Sequence[Agreement]) -> str:
    """Where agreement on errors is least and greatest, if there are several categories."""
    categories = [record for record in group if record.dimension and record.value is not None]
    ordered = sorted(categories, key=lambda record: record.value or 0.0)
    if len(ordered) < 2:
        return ""
    low, high = (f"{show_number(r.value)} ({r.dimension})" for r in (ordered[0], ordered[-1]))
    return f" By category it ranges from {low} to {high}."


def error_findings(records: Sequence[ErrorCount]) -> Iterator[Finding]:
    """How many errors people marked, and of which category most."""
    judgements = sum({record.system: record.judgements for record in records}.values())
    errors = sum(record.count for record in records)
    if not errors:
        return
    counts: dict[str, int] = {}
    for record in records:
        counts[record.category] = counts.get(record.category, 0) + record.count
    most = max(counts.values())
    names = [category for category, count in counts.items() if count == most]
    frequent = f"The most frequent category is {names[0]} ({most:,})."
    if names[1:]:
        frequent = f"The most frequent categories are {words.listed(names)} ({most:,} each)."
    yield Finding(
        kind="errors",
        text=f"People marked {words.counted(errors, 'error')} in "
        f"{words.counted(judgements, 'judgement')} of summaries.",
        detail=frequent if len(counts) > len(names) else "",
        by="spans",
        name=names[0],
        value=errors / judgements,
        compared=len(counts),
        n=judgements,
    )


def _reading(record: Agreement) -> str:
    """Krippendorff's customary reading of his alpha (Content Analysis, 2004, chapter 11)."""
    alpha = record.value or 0.0
    for bound, reading in (
        (0.8, "0.8 and above is reliable"),
        (TENTATIVE, f"{TENTATIVE} to 0.8 allows tentative conclusions"),
    ):
        if alpha >= bound:
            unsure = record.low is not None and record.low < bound
            but = ", but the interval reaches below that" if unsure else ""
            return f"By Krippendorff’s custom, {reading}{but}."
    unsure = record.high is not None and record.high >= TENTATIVE
    return (
        f"That is below {TENTATIVE}, which by Krippendorff’s custom is too low for any conclusions"
        f"{', but the interval reaches above that' if unsure else ''}."
    )
