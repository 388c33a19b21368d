"""The conclusions of a study, in words: computed once, stored in `study.json`, shown from there.

Every sentence is a claim. It is made only where it holds, with the number of what was compared
and with the test behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gistmark.analysis.findings import words
from gistmark.analysis.findings.headline import headline_agreement, headline_score
from gistmark.analysis.findings.words import show_estimate, show_number
from gistmark.analysis.human.marks import ERRORS, UNITS
from gistmark.analysis.ranking.bradley_terry import METHOD as BRADLEY_TERRY
from gistmark.analysis.ranking.fit import AGAINST_VOTES, NO_LINE, VOTES_BETWEEN
from gistmark.analysis.ranking.pairs import DOCUMENTS, SIGNIFICANT
from gistmark.analysis.studies.records import Agreement, ErrorCount, Finding, Headline, Pair, Rank

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
    headline: Headline, ranking: Sequence[Rank], pairs: Sequence[Pair]
) -> Iterator[Finding]:
    """The best system by ratings, by comparisons, by each ranking, by content units and errors."""
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
        ranked = [r for r in records if r.method == method and r.rank is not None]
        if ranked:
            kind = (by, dimension, method)
            own = [pair for pair in pairs if (pair.by, pair.dimension, pair.method) == kind]
            yield _best_system(ranked, own)


_SETS = ("rankings", "best-worst")

_MEANING = {
    "rankings": "A ranking gives 1 to the best summary of a set and 0 to the worst. ",
    "best-worst": "A summary has 1 as the best of its set, -1 as the worst, else 0. ",
    "units": "It is the weighted share of content units that a summary states. ",
    "spans": "A summary without errors has 0; each error subtracts its weight. ",
}


def _best_system(ranked: Sequence[Rank], pairs: Sequence[Pair]) -> Finding:
    """The best system by one ranking, and from how many others it differs significantly."""
    best = [record for record in ranked if record.rank == ranked[0].rank]
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
    meaning = "" if strength else _MEANING.get(first.by, "")
    misfit = f"{NO_LINE}. " if pairs and pairs[0].test == VOTES_BETWEEN else ""
    return Finding(
        kind="systems",
        text=f"{words.listed(names)} {has} the highest {first.method}"
        f"{' strength' if strength else ''} of {what}: {value}.",
        detail=f"{meaning}{words.counted(first.n, unit)}. {misfit}{_company(best, ranked, pairs)}",
        by=first.by,
        dimension=first.dimension,
        name=first.system,
        value=first.value,
        low=first.low,
        high=first.high,
        compared=len(ranked),
        n=first.n,
    )


def _company(best: Sequence[Rank], ranked: Sequence[Rank], pairs: Sequence[Pair]) -> str:
    """From whom the best system differs, from whom it cannot be told apart, and all pairs."""
    others = len(ranked) - 1
    if not others:
        return "It is the only system."
    tested = [pair for pair in pairs if pair.p is not None]
    against = _against(pairs)
    if not tested and against:
        return against
    if not tested:
        return "No two systems have a value for the same document, so none could be compared."
    documents = max(pair.n for pair in tested)
    if tested[0].test == DOCUMENTS and 2.0 ** (1 - documents) * len(tested) >= SIGNIFICANT:
        few = words.counted(documents, "document")
        many = f" after correction for {len(tested):,} comparisons" if tested[1:] else ""
        return f"With {few}, no difference between two systems can be significant{many}."
    significant = [pair for pair in tested if (pair.p_corrected or 0.0) < SIGNIFICANT]
    counts = _counts(tested, significant, untested=len(pairs) - len(tested))
    counts = " ".join(filter(None, (counts, against)))
    if best[1:]:
        return counts
    own = [pair for pair in pairs if best[0].system in (pair.left, pair.right)]
    compared = len([p for p in own if p.p is not None or p.reason == AGAINST_VOTES])
    apart = _apart(best[0].system, others, tested, significant, untested=others - compared)
    return " ".join(filter(None, (f"{apart}{_line(ranked)}", counts)))


def _against(pairs: Sequence[Pair]) -> str:
    """The pairs whose own votes go against the order."""
    against = [f"{p.right} over {p.left}" for p in pairs if p.reason == AGAINST_VOTES]
    return f"The votes between the two prefer {words.listed(against)}." if against else ""


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


def _apart(
    system: str, others: int, tested: Sequence[Pair], significant: Sequence[Pair], *, untested: int
) -> str:
    """From how many of the others one system differs; the rest by name."""
    own = [pair for pair in tested if system in (pair.left, pair.right)]
    apart = [pair for pair in significant if system in (pair.left, pair.right)]
    alike = [p.right if p.left == system else p.left for p in own if p not in apart]
    if len(apart) == others:
        who = "the other system" if others == 1 else f"all {others:,} other systems"
        return f"It differs significantly from {who}."
    missing = f"{words.counted(untested, 'system')} could not be compared with it."
    beyond = f"It cannot be told apart from {words.listed(alike)}." if alike else ""
    if apart:
        beyond = f"It differs significantly from {len(apart):,} of the {others:,} other systems" + (
            f" and cannot be told apart from {words.listed(alike)}." if alike else "."
        )
    return " ".join(filter(None, (beyond, missing if untested else "")))


def _line(ranked: Sequence[Rank]) -> str:
    """A line below the first systems, where everyone above differs from everyone below."""
    above = [record for record in ranked if record.cluster == 1]
    if len(above) in (0, 1, len(ranked)):
        return ""
    below = len(ranked) - len(above)
    others = "the one below" if below == 1 else f"each of the {below:,} below"
    return f" Each of the best {len(above):,} differs significantly from {others}."


def agreement_findings(records: Iterable[Agreement]) -> Iterator[Finding]:
    """A reading of alpha for each kind of judgement, and for each question of other types."""
    groups: dict[str, list[Agreement]] = {}
    for record in headline_agreement(records):
        if record.value is not None:
            groups.setdefault(record.subject, []).append(record)
    for subject, group in groups.items():
        if subject in _BY_QUESTION:
            yield from (_agreement_reading(each, [each], _EVIDENCE[subject]) for each in group)
            continue
        main = headline_score([record.dimension for record in group])
        chosen = next(record for record in group if record.dimension == main)
        yield _agreement_reading(chosen, group, _EVIDENCE[subject])


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


def _agreement_reading(record: Agreement, group: Sequence[Agreement], noun: str) -> Finding:
    values = [other.value for other in group if other.value is not None]
    low, high = show_number(min(values)), show_number(max(values))
    over = f" Over {len(values)} dimensions it ranges from {low} to {high}."
    spread = over if low != high else ""
    if record.subject == "spans":
        spread = _by_category(group)
    about = f" {_PREPOSITIONS.get(record.subject, 'of')} {record.dimension}"
    about = about if record.dimension else ""
    value = show_estimate(record.value, record.low, record.high)
    return Finding(
        kind="agreement",
        text=f"Agreement in {noun}{about}: {value} "
        f"({words.statistic(record.statistic)}; 0 is chance, 1 is full agreement).",
        detail=_agreement_detail(record, spread),
        by=record.subject,
        dimension=record.dimension,
        name=record.statistic,
        value=record.value,
        low=record.low,
        high=record.high,
        n=record.n,
    )


def _agreement_detail(record: Agreement, spread: str) -> str:
    if record.statistic == "kendall-tau":
        return f"{_documents(record)} {_ABOUT_TAU}"
    reading = f"{_documents(record)} {_reading(record)}{spread}"
    return reading if record.subject in _BY_QUESTION else f"{reading} {_ABOUT_ALPHA}"


def _documents(record: Agreement) -> str:
    """Over how many documents the interval is, or that other documents may say something else."""
    documents = words.counted(record.documents, "document")
    if record.low is None:
        return f"{documents}, without an interval, so other documents may show something else."
    return f"{documents}."


def _by_category(group: Sequence[Agreement]) -> str:
    """Where agreement on errors is least and greatest, if there are several categories."""
    known = [record for record in group if record.dimension and record.value is not None]
    ordered = sorted(known, key=lambda record: record.value or 0.0)
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
