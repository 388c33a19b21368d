"""How often a study says something false, and how often its intervals hold the truth.

Data sets of many shapes are drawn whose truth is known (`shapes.py`); the public `gistmark.study`
runs on each, its sentences are read, and each kind of conclusion is counted: in how many data sets
was one said at all, and in how many a false one. A sentence about significance may be false in
5 of 100 data sets, intervals at 95 % should hold between 92 and 98 of 100.

    python truth.py [DATA_SETS] [WORDS ...]     only shapes whose name has one of the words
    python truth.py --table                     the last counts of every shape, as in docs/study.md

Rows that a binomial test (at 99 %) cannot tell from their promise count as kept. Counts are kept
in `truth.jsonl`, so that shapes can be counted one after another.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy import stats

import gistmark
from gistmark.analysis.correlation.accuracy import ACC_EQ, CROSS_VALIDATED, SPA
from gistmark.analysis.findings.systems import TENTATIVE
from gistmark.analysis.planning import ChoiceSpread, Deviations, Planning
from gistmark.analysis.ranking.ranking import MEANS, PEOPLE
from gistmark.analysis.resampling.bootstrap import FEWEST_SYSTEMS
from gistmark.analysis.resampling.jackknife import DOCUMENTS
from gistmark.analysis.studies.records import Finding, Pair
from gistmark.analysis.studies.results import Study
from gistmark.report.tables.metrics import accuracy_difference_tables, accuracy_tables
from gistmark.report.views import View
from shapes import (
    People,
    Shape,
    World,
    bradley_terry,
    compared,
    crowd,
    names,
    rated,
    shapes,
)

LEVEL = 0.05
HELD = (0.92, 0.98)
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Verdict:
    """Something that was said (`right` or not), or an interval that held the truth or not."""

    kind: str
    right: bool


ACCURACIES = (ACC_EQ, CROSS_VALIDATED, SPA)

# What may be false, and how often

ALLOWED = {
    **{f"systems by {by}": LEVEL for by in PEOPLE},
    "best": LEVEL,
    "other annotators": LEVEL,
    "fit": LEVEL,
    **{
        f"{what} at {level} level": LEVEL
        for level in ("system", "summary", "global")
        for what in ("follows", "length is closer", "better than others", "tests")
    },
    "metric order": LEVEL,
    "annotators": LEVEL,
    "errors": 0.0,
    "answers": 0.0,
    "agreement": LEVEL,
    "most weight": LEVEL,
    "differ where unsure": LEVEL,
    "judges": LEVEL,
    "sequence": LEVEL,
    "helper": 0.0,
    "warned": LEVEL,
    "warned falsely": LEVEL,
    **{f"{name} tests": LEVEL for name in ACCURACIES},
    **{f"{name} tests, these systems": LEVEL for name in ACCURACIES},
    **{f"{name} above chance": LEVEL for name in ACCURACIES},
    "accuracy scope": 0.0,
    "copies": 0.0,
    "twins": 0.0,
    "families": LEVEL,
    "families named": 0.0,
    "few draws": 0.0,
    "campaigns": LEVEL,
}
"""In which share of the data sets a false sentence of a kind may be said."""

UNPROMISED = (
    "a good judge",
    *(f"power: follows at {level} level" for level in ("system", "summary", "global")),
)
"""How often another person passes as a judge, and how often a metric that follows people is said
to do so, is printed, and nothing is promised."""

BETWEEN = {"machines": (0.35, 0.65)}
"""Shares that are neither errors nor coverage: how often a judge as good as a person is above."""


def systems_apart(study: Study, world: World) -> Iterator[Verdict]:
    """ "Differs significantly", in sentences, letters and pairs, of systems by people."""
    for finding in _about(study, "systems"):
        if finding.by == "sequence":
            continue
        pairs = [p for p in study.pairs if _ranking(p) == _ranking_of(study, finding)]
        found = [p for p in pairs if p.p_corrected is not None and p.p_corrected < SIGNIFICANT]
        wrong = [p for p in found if not _true(p, world)]
        if "iffer" not in finding.detail:
            continue
        yield Verdict(f"systems by {finding.by}", not (wrong and _says_significant(finding)))


def _says_significant(finding: Finding) -> bool:
    text = finding.detail
    return bool(
        re.search(r"differs significantly from (all|the|\d)", text)
        or re.search(r"(\d+) differs? significantly", text)
        or "systems differs significantly" in text
    )


def _true(pair: Pair, world: World) -> bool:
    left, right = pair.left, pair.right
    if (pair.difference or 0.0) < 0:
        left, right = right, left
    return world.better(left, right)


def named_best(study: Study, world: World) -> Iterator[Verdict]:
    """The system that a sentence names first is the best one."""
    for finding in _about(study, "systems"):
        worse = [name for name in world.worth if world.better(name, finding.name)]
        yield Verdict("best", not worse)


_ELSEWHERE = re.compile(r"[Ff]or other annotators[^.]*differs[^.]* from (all|the other|\d+)")


def other_annotators(study: Study, world: World) -> Iterator[Verdict]:
    """What is said of other annotators, and without a word about these, must hold for others."""
    for finding in _about(study, "systems"):
        pairs = [p for p in study.pairs if _ranking(p) == _ranking_of(study, finding)]
        wrong = [
            p for p in pairs
            if p.p_corrected is not None and p.p_corrected < SIGNIFICANT
            and not world.better(p.left, p.right, elsewhere=True)
        ]  # fmt: skip
        unqualified = _says_significant(finding) and "these annotators" not in finding.detail
        contrasts = [
            c for c in study.contrasts
            if c.dimension == finding.dimension and c.over == "both"
            and c.p_corrected is not None and c.p_corrected < SIGNIFICANT
            and not world.better(
                *((c.left, c.right) if (c.difference or 0) > 0 else (c.right, c.left)),
                elsewhere=True,
            )
        ]  # fmt: skip
        said = bool(_ELSEWHERE.search(finding.detail))
        yield Verdict("other annotators", not (unqualified and wrong) and not (said and contrasts))


def fit_notes(study: Study, world: World) -> Iterator[Verdict]:
    """A note that choices fit no line of strengths, where they do."""
    yield Verdict("fit", not any("do not fit" in note.text for note in study.notes))


_CLAIMS = re.compile(r" follows? people’s .* most closely")
_BETTER = re.compile(r"is significantly better than (all|the other|\d)")


def metrics_follow(study: Study, world: World) -> Iterator[Verdict]:
    """ "Follows people most closely", "significantly better", "length correlates more strongly"."""
    noise = all(
        metric in world.unrelated for metric in (world.scores.columns if world.scores else ())
    )
    for finding in _about(study, "metrics"):
        claimed = bool(_CLAIMS.search(finding.text))
        where = f"at {finding.level} level"
        yield Verdict(f"follows {where}", not (claimed and finding.name in world.unrelated))
        if noise:
            yield Verdict(f"better than others {where}", not _BETTER.search(finding.detail))
        if world.corpus.summaries:
            longer = "correlates more strongly" in finding.detail
            yield Verdict(f"length is closer {where}", not longer)
    for finding in _about(study, "annotators"):
        yield Verdict("annotators", finding.name not in world.unrelated)


def followers_said(study: Study, world: World) -> Iterator[Verdict]:
    """How often a metric that follows people is said to; nothing is promised."""
    for finding in _about(study, "metrics"):
        yield Verdict(
            f"power: follows at {finding.level} level", bool(_CLAIMS.search(finding.text))
        )


def metric_order(study: Study, world: World) -> Iterator[Verdict]:
    """The metric that is named first is one that follows people, if any does."""
    for finding in _about(study, "metrics"):
        if _CLAIMS.search(finding.text):
            yield Verdict("metric order", finding.name not in world.unrelated)


def metric_tests(study: Study, world: World) -> Iterator[Verdict]:
    """No two of equally good metrics are called different."""
    for level in ("system", "summary"):
        found = [
            d for d in study.differences
            if d.level == level and d.p_corrected is not None and d.p_corrected < SIGNIFICANT
        ]  # fmt: skip
        yield Verdict(f"tests at {level} level", not found)


def accuracy_tests(study: Study, world: World) -> Iterator[Verdict]:
    """No two of equally good metrics are called different for other systems."""
    for name in ACCURACIES:
        found = [
            d for d in study.accuracy_differences
            if d.statistic == name and d.over != DOCUMENTS
            and d.p_corrected is not None and d.p_corrected < SIGNIFICANT
        ]  # fmt: skip
        yield Verdict(f"{name} tests", not found)


def accuracy_tests_here(study: Study, world: World) -> Iterator[Verdict]:
    """No two metrics that are equally good for these very systems are called different."""
    for name in ACCURACIES:
        found = [
            d for d in study.accuracy_differences
            if d.statistic == name and d.p_corrected is not None and d.p_corrected < SIGNIFICANT
        ]  # fmt: skip
        yield Verdict(f"{name} tests, these systems", not found)


def accuracy_scope(study: Study, world: World) -> Iterator[Verdict]:
    """Where nothing holds for other systems, the head of the table says so."""
    count = len({rating.system for rating in world.corpus.ratings})
    view = View(study, world.corpus, world.scores, "m0")
    for table in (*accuracy_tables(view), *accuracy_difference_tables(view)):
        said = f"for these {count} systems" in table.title
        yield Verdict("accuracy scope", said == (count < FEWEST_SYSTEMS))


def above_chance(study: Study, world: World) -> Iterator[Verdict]:
    """The interval of a metric of noise is not above what chance gives."""
    for record in study.accuracy:
        if record.metric == "m0" and record.low is not None:
            chance = record.chance if record.chance is not None else -np.inf
            above = record.over != DOCUMENTS and record.low > chance
            yield Verdict(f"{record.statistic} above chance", not above)


def copies_named(study: Study, world: World) -> Iterator[Verdict]:
    """Metrics that are copies are named once, and none is better than its copy."""
    copies = list(world.scores.columns) if world.scores else []
    notes = [note.text for note in study.notes if "the same values as" in note.text]
    named = len(notes) == 1 and all(re.search(rf"\b{name}\b", notes[0]) for name in copies)
    tests = [*study.differences, *study.accuracy_differences]
    better = any(d.p is not None and d.p < SIGNIFICANT for d in tests)
    said = any(_BETTER.search(finding.detail) for finding in _about(study, "metrics"))
    yield Verdict("copies", named and not better and not said)


def twins_named(study: Study, world: World) -> Iterator[Verdict]:
    """Two names of one system are noticed, and no others."""
    notes = [note.text for note in study.notes if "one system under two names" in note.text]
    yield Verdict("twins", len(notes) == 1 and "s0 and s1" in notes[0])


def families_held(study: Study, world: World) -> Iterator[Verdict]:
    """Corrected over all dimensions no equal systems differ, and their number is said."""
    false = [p for p in study.pairs if p.p_all is not None and p.p_all < SIGNIFICANT
             and p.method == study.pairs[0].method and not _true(p, world)]  # fmt: skip
    yield Verdict("families", not false)
    rankings = len({p.dimension for p in study.pairs if p.by == "ratings"})
    chance = f"{100 * (1 - 0.95**rankings):.0f} %"
    said = [n for n in study.notes if f"in {rankings} rankings" in n.text and chance in n.text]
    yield Verdict("families named", len(said) == 1 and f"{rankings} by ratings" in study.methods)


def few_draws(study: Study, world: World) -> Iterator[Verdict]:
    """Where intervals would need more draws there are none, and a note says why."""
    drawn = [*study.correlation, *study.differences]
    shown = [record for record in drawn if record.low is not None]
    said = any("too few for an interval" in note.text for note in study.notes)
    yield Verdict("few draws", not shown and said)


def judges_pass(study: Study, world: World) -> Iterator[Verdict]:
    """ "May stand in for people" of a judge that is worth nothing."""
    for record in study.judges:
        yield Verdict("judges", not record.passed)


def good_judges_pass(study: Study, world: World) -> Iterator[Verdict]:
    """How often another person passes; nothing is promised."""
    for record in study.judges:
        yield Verdict("a good judge", bool(record.passed))


def machines_above(study: Study, world: World) -> Iterator[Verdict]:
    """A judge that is another person is above people about as often as below."""
    for record in study.machines:
        if record.agreement is not None and record.people is not None:
            yield Verdict("machines", record.agreement > record.people)


def decisions(study: Study, world: World) -> Iterator[Verdict]:
    """No decision of an adaptive campaign is false: for others too, unless these are named."""
    named = [f.detail for f in _about(study, "systems") if f.by == "sequence"]
    elsewhere = not all("with these annotators" in detail for detail in named)
    wrong = [
        p for p in study.sequential
        if (p.decided == "left" and not world.better(p.left, p.right, elsewhere=elsewhere))
        or (p.decided == "right" and not world.better(p.right, p.left, elsewhere=elsewhere))
    ]  # fmt: skip
    if study.sequential:
        yield Verdict("sequence", not wrong)


def warned(study: Study, world: World) -> Iterator[Verdict]:
    """Documents that the helper chose: there is a warning, or no estimate."""
    texts = [note.text for note in study.notes] + [f.detail for f in _about(study, "helper")]
    said = any("not a random sample" in t or "no random sample" in t for t in texts)
    cautious = all(p.caution or p.value is None for p in study.powered)
    yield Verdict("warned", said or cautious)


def warned_falsely(study: Study, world: World) -> Iterator[Verdict]:
    """Documents at random: there is no warning."""
    texts = [note.text for note in study.notes] + [p.caution or "" for p in study.powered]
    said = any("not a random sample" in t or "no random sample" in t for t in texts)
    yield Verdict("warned falsely", not said)


def helper_kept(study: Study, world: World) -> Iterator[Verdict]:
    """How many documents a helper is worth is what the records say."""
    for finding in _about(study, "helper"):
        saved = [p.saved for p in study.powered if not p.right and p.saved is not None]
        middle = int(np.median(sorted(saved)))
        said = re.search(r"as narrow as with (\d+)", finding.text)
        yield Verdict("helper", int(said.group(1)) == middle if said else middle == 0)


def errors_counted(study: Study, world: World) -> Iterator[Verdict]:
    for finding in _about(study, "errors"):
        count = sum(1 for span in world.corpus.spans if span.category)
        yield Verdict("errors", f"{count:,} error" in finding.text)


def answers_counted(study: Study, world: World) -> Iterator[Verdict]:
    for finding in _about(study, "answers"):
        votes: dict[str, int] = {}
        for answer in world.corpus.responses:
            votes[answer.value] = votes.get(answer.value, 0) + 1
        most = [name for name, count in votes.items() if count == max(votes.values())]
        yield Verdict("answers", all(f"“{name}”" in finding.text for name in most))


def agreement_read(study: Study, world: World) -> Iterator[Verdict]:
    """What alpha is read as, where no interval makes it doubtful, is what the truth is read as."""
    for finding in _about(study, "agreement"):
        truth = world.values.get(("agreement", finding.name))
        doubted = "but the interval" in finding.detail or "without an interval" in finding.detail
        if truth is None:
            continue
        least = 0.8 if "0.8 and above" in finding.detail else TENTATIVE
        right = truth < TENTATIVE if "too low" in finding.detail else truth >= least
        yield Verdict("agreement", right or doubted)


def campaigns_apart(study: Study, world: World) -> Iterator[Verdict]:
    """Campaigns that do not differ are not said to, neither in their means nor in their spread."""
    for finding in _about(study, "campaigns"):
        if "are higher in" in finding.text:
            upper, lower = re.search(r"in (c\d) than in (c\d)", finding.text).groups()
            yield Verdict("campaigns", world.better(upper, lower))
        else:
            yield Verdict("campaigns", bool(world.values[("spread",)]))
    if not _about(study, "campaigns"):
        yield Verdict("campaigns", True)


def confidence_read(study: Study, world: World) -> Iterator[Verdict]:
    """ "Most weight to", and "the same two annotators differ more where neither is sure"."""
    weighed = [f for f in _about(study, "confidence") if f.by == "weight"]
    doubted = [f for f in _about(study, "confidence") if f.by != "weight"]
    doubt = world.values[("doubt",)]
    yield Verdict(
        "most weight", all(world.values["heaviest", finding.name] > 0 for finding in weighed)
    )
    yield Verdict(
        "differ where unsure",
        all(doubt > 0 and "differ more" in finding.text for finding in doubted),
    )


# Coverage


def campaigns_covered(study: Study, world: World) -> Iterator[Verdict]:
    for record in study.mode_differences:
        target = world.values.get(("campaigns", record.left, record.right))
        whole = record.statistic == "mean" and not record.system
        if whole and target is not None and record.low is not None:
            yield Verdict("campaigns covered", record.low <= target <= record.high)


def pairs_covered(study: Study, world: World) -> Iterator[Verdict]:
    method = next((r.method for r in study.ranking), None)
    for pair in study.pairs:
        if pair.method != method or pair.low is None:
            continue
        target = world.values.get(("pair", pair.left, pair.right))
        if target is None:
            reverse = world.values.get(("pair", pair.right, pair.left))
            target = None if reverse is None else -reverse
        if target is not None:
            yield Verdict("pairs covered", pair.low <= target <= pair.high)


def means_covered(study: Study, world: World) -> Iterator[Verdict]:
    for rank in study.ranking:
        target = world.values.get(("mean", rank.system))
        if rank.method in MEANS and rank.low is not None and target is not None:
            yield Verdict("means covered", rank.low <= target <= rank.high)


def correlations_covered(study: Study, world: World) -> Iterator[Verdict]:
    for record in study.correlation:
        target = world.values.get(("correlation", record.metric, record.level, record.coefficient))
        if target is None or record.low is None or record.given or record.subset:
            continue
        yield Verdict(f"{record.level} {record.coefficient}", record.low <= target <= record.high)


def agreement_covered(study: Study, world: World) -> Iterator[Verdict]:
    for record in study.agreement:
        target = world.values.get(("agreement", record.statistic))
        if not record.scope and record.low is not None and target is not None:
            yield Verdict(record.statistic, record.low <= target <= record.high)


def helper_covered(study: Study, world: World) -> Iterator[Verdict]:
    for record in study.powered:
        target = world.values.get(("powered", record.left, record.right))
        if target is not None and record.low is not None:
            yield Verdict("helper covered", record.low <= target <= record.high)


def accuracy_covered(study: Study, world: World) -> Iterator[Verdict]:
    for record in study.accuracy:
        target = world.values.get(("accuracy", record.metric, record.statistic))
        if target is not None and record.low is not None:
            yield Verdict(f"{record.statistic} covered", record.low <= target <= record.high)


def shares_covered(study: Study, world: World) -> Iterator[Verdict]:
    for record in study.options:
        target = world.values.get(("share", record.option))
        if target is not None and record.low is not None and not record.system:
            yield Verdict("shares covered", record.low <= target <= record.high)


READERS: dict[str, Callable[[Study, World], Iterator[Verdict]]] = {
    "systems": systems_apart,
    "best": named_best,
    "other annotators": other_annotators,
    "fit": fit_notes,
    "metrics": metrics_follow,
    "metric order": metric_order,
    "power: follows": followers_said,
    "metric tests": metric_tests,
    "accuracy tests": accuracy_tests,
    "accuracy tests here": accuracy_tests_here,
    "accuracy scope": accuracy_scope,
    "accuracy covered": accuracy_covered,
    "chance": above_chance,
    "copies": copies_named,
    "twins": twins_named,
    "families": families_held,
    "few draws": few_draws,
    "judges": judges_pass,
    "a good judge": good_judges_pass,
    "machines": machines_above,
    "sequence": decisions,
    "helper": helper_kept,
    "warned": warned,
    "warned falsely": warned_falsely,
    "errors": errors_counted,
    "answers": answers_counted,
    "agreement": agreement_read,
    "confidence": confidence_read,
    "pairs covered": pairs_covered,
    "means covered": means_covered,
    "correlations covered": correlations_covered,
    "agreement covered": agreement_covered,
    "helper covered": helper_covered,
    "shares covered": shares_covered,
    "campaigns": campaigns_apart,
    "campaigns covered": campaigns_covered,
}

FINDINGS = {
    "systems": "systems",
    "metrics": "metrics",
    "annotators": "metrics",
    "helper": "helper",
    "errors": "errors",
    "agreement": "agreement",
    "answers": "answers",
    "campaigns": "campaigns",
    "confidence": "confidence",
}
"""Which of `READERS` reads the findings of each kind; a test holds it against the source."""


def _about(study: Study, kind: str) -> list[Finding]:
    return [finding for finding in study.findings if finding.kind == kind]


def _ranking(pair: Pair) -> tuple[str, str, str]:
    return pair.by, pair.dimension, pair.method


def _ranking_of(study: Study, finding: Finding) -> tuple[str, str, str]:
    """The ranking that a finding speaks of: the first by this evidence and dimension."""
    method = next(
        r.method for r in study.ranking if (r.by, r.dimension) == (finding.by, finding.dimension)
    )
    return finding.by, finding.dimension, method


# Counting


@dataclass
class Row:
    """One kind of conclusion of one shape, over all its data sets."""

    shape: str
    kind: str
    said: int = 0
    right: int = 0
    sets: int = 0
    false_sets: int = 0

    def add(self, verdicts: list[Verdict]) -> None:
        """Count what was said of one data set."""
        self.said += len(verdicts)
        self.right += sum(bool(verdict.right) for verdict in verdicts)
        self.false_sets += any(not verdict.right for verdict in verdicts)

    def join(self, other: Row) -> None:
        """Count the data sets of another row too."""
        self.said += other.said
        self.right += other.right
        self.sets += other.sets
        self.false_sets += other.false_sets

    @property
    def kept(self) -> bool | None:
        """Whether the promise is kept, as far as this many data sets tell; None without one."""
        if self.kind in UNPROMISED:
            return None
        if self.kind in ALLOWED:
            return bool(stats.binom.sf(self.false_sets - 1, self.sets, ALLOWED[self.kind]) > 0.01)
        if not self.said:
            return True
        low, high = BETWEEN.get(self.kind, HELD)
        # Several intervals of one data set hang together, so data sets are what counts.
        size = min(self.said, self.sets)
        held = round(self.right / self.said * size)
        below = stats.binom.cdf(held, size, low)
        above = stats.binom.sf(held - 1, size, high)
        return bool(below > 0.01 and (above > 0.01 or self.kind not in BETWEEN))

    @property
    def share(self) -> float:
        """Of the data sets, those with a false sentence; of intervals, those that held."""
        if self.kind in ALLOWED:
            return self.false_sets / self.sets
        return self.right / self.said if self.said else float("nan")

    @property
    def promise(self) -> str:
        """What the share should be."""
        if self.kind in UNPROMISED:
            return ""
        if self.kind in ALLOWED:
            return f"<= {100 * ALLOWED[self.kind]:.0f} %"
        low, high = BETWEEN.get(self.kind, HELD)
        return f"{100 * low:.0f} to {100 * high:.0f} %"

    def line(self) -> str:
        """The row as it is printed."""
        mark = {True: "ok", False: "MISS", None: ""}[self.kept]
        counts = f"{self.sets:4} {self.said:6} {100 * self.share:6.1f} %  {self.promise}"
        return f"{mark:4}  {self.shape:66} {self.kind:30} {counts}"


def counted(shape: Shape, numbers: Iterable[int]) -> dict[str, Row]:
    """The rows of one shape over some data sets, by their numbers."""
    rows: dict[str, Row] = {}
    sets = list(numbers)
    for number in sets:
        world = shape.draw(np.random.default_rng([number, *shape.name.encode()]))
        study = gistmark.study(world.corpus, world.scores, world.options)
        for name in shape.kinds:
            found: dict[str, list[Verdict]] = {}
            for verdict in READERS[name](study, world):
                found.setdefault(verdict.kind, []).append(verdict)
            for kind, verdicts in found.items():
                rows.setdefault(kind, Row(shape.name, kind, sets=len(sets))).add(verdicts)
    return rows


# Plans


@dataclass(frozen=True)
class PlannedCase:
    """A plan, and studies of the planned kind: the power promised and had."""

    name: str
    systems: int
    documents: int
    annotators: int
    gap: float = 0.4
    favour: float = 0.0
    both: bool = False
    share: float | None = None
    ties: float = 0.0
    likert: bool = False
    crowd: bool = False
    mixed: bool = False
    others: float = 0.0
    """Where the other systems stand: 0 at the worse one, 1 at the better one."""

    @property
    def planning(self) -> Planning:
        """The plan that is tried."""
        size = {"documents": (self.documents,), "annotators": (self.annotators,),
                "systems": self.systems}  # fmt: skip
        if self.share is not None:
            return gistmark.plan(share=self.share, spread=ChoiceSpread(ties=self.ties), **size)
        # A whole number is up to half a point off, with a variance of 1 / 12.
        noise = float(np.sqrt(_NOISE**2 + self.likert / 12))
        spread = Deviations(_SUMMARY, noise, self.favour, _SEVERITY)
        return gistmark.plan(
            difference=self.gap, deviations=spread,
            over="both" if self.both or self.mixed else "documents",
            method="satterthwaite" if self.mixed else "flips",
            design="crowd" if self.crowd else "crossed", **size
        )  # fmt: skip

    @property
    def draw(self) -> Callable[[np.random.Generator], World]:
        """Studies as they are planned."""
        if self.share is None:
            gaps = (self.gap, 0.0, *((self.gap * self.others,) * (self.systems - 2)))
            mask = crowd(self.annotators) if self.crowd else None
            raters = 30 if self.crowd else self.annotators
            people = People(
                gaps, self.documents, raters, summary=_SUMMARY, severity=_SEVERITY,
                favour=self.favour, noise=_NOISE, whole=self.likert,
            )  # fmt: skip
            return rated(people, mask)
        decided = (self.share - self.ties / 2) / (1 - self.ties)
        gap = float(np.log(decided / (1 - decided)))
        where = (1.0, 0.0, *((self.others,) * (self.systems - 2)))
        strengths = dict(zip(names(self.systems), (gap * at for at in where), strict=True))
        meetings = dict.fromkeys(combinations(strengths, 2), self.documents * self.annotators)
        return compared(bradley_terry(strengths), meetings, documents=self.documents,
                        annotators=self.annotators, worth=strengths, ties=self.ties)  # fmt: skip


_SUMMARY, _NOISE, _SEVERITY = 0.5, 0.7, 0.3

PLANNED = [
    PlannedCase("2 systems x 40 documents", 2, 40, 2),
    PlannedCase("4 systems x 40 documents", 4, 40, 2),
    PlannedCase("4 systems x 60 documents, others half-way", 4, 60, 2, others=0.5),
    PlannedCase("8 systems x 60 documents", 8, 60, 2),
    PlannedCase("16 systems x 100 documents", 16, 100, 2),
    PlannedCase("2 systems x 4 documents", 2, 4, 5, gap=0.8),
    PlannedCase("2 systems x 8 documents", 2, 8, 5, gap=0.8),
    PlannedCase("4 systems x 7 documents", 4, 7, 5, gap=0.8),
    PlannedCase("4 systems x 8 documents", 4, 8, 5, gap=0.8),
    PlannedCase("4 systems x 12 documents", 4, 12, 5, gap=0.8),
    PlannedCase("4 systems x 40 documents, whole ratings", 4, 40, 3, likert=True),
    PlannedCase("3 systems, 5 annotators who favour systems (0.2)", 3, 60, 5, favour=0.2),
    PlannedCase("2 systems, 12 annotators, over both", 2, 40, 12, gap=0.5, favour=0.2, both=True),
    PlannedCase("2 systems, 4 annotators, over both", 2, 40, 4, gap=0.5, favour=0.2, both=True),
    PlannedCase("4 systems, 20 annotators, over both", 4, 40, 20, gap=0.5, favour=0.2, both=True),
    PlannedCase("4 systems, 8 annotators, over both, mixed model", 4, 40, 8, favour=0.2,
                mixed=True),
    PlannedCase("2 systems, 3 annotators, over both, mixed model", 2, 40, 3, gap=0.8, favour=0.2,
                mixed=True),
    PlannedCase("4 systems, 3 of 30 annotators a summary", 4, 60, 3, crowd=True),
    PlannedCase("2 systems, 1 of 30 annotators a summary", 2, 80, 1, crowd=True),
    PlannedCase("2 systems, choices x 60 documents", 2, 60, 3, share=0.6),
    PlannedCase("3 systems, choices x 60 documents", 3, 60, 3, share=0.6),
    PlannedCase("4 systems, choices x 40 documents, others half-way", 4, 40, 2, share=0.65,
                others=0.5),
    PlannedCase("5 systems, choices x 60 documents", 5, 60, 2, share=0.62),
    PlannedCase("8 systems, choices x 12 documents", 8, 12, 3, share=0.7),
    PlannedCase("4 systems, choices x 60 documents, a third ties", 4, 60, 3, share=0.6, ties=0.33),
]  # fmt: skip


def had(case: PlannedCase, number: int) -> tuple[float, float]:
    """The power that the plan promises, and that studies of this kind have.

    Of choices, by what leads the ranking.
    """
    seen, draw = 0, case.draw
    for k in range(number):
        world = draw(np.random.default_rng([7, k]))
        over = "both" if case.both else "documents"
        options = replace(world.options, pairs_over=over, resamples=100)
        study = gistmark.study(world.corpus, None, options)
        method = study.ranking[0].method
        evidence = [[p for p in study.pairs if p.method == method]]
        if case.mixed:
            evidence.append([c for c in study.contrasts if c.over == "both"])
        seen += all(
            any(
                (p.left, p.right) == ("s0", "s1") and p.p_corrected is not None
                and p.p_corrected < SIGNIFICANT and (p.difference or 0.0) > 0
                for p in records
            )
            for records in evidence
        )  # fmt: skip
    return case.planning.plans[0].power, seen / number


def _run(task: tuple[str, range]) -> dict[str, Row]:
    name, numbers = task
    return counted(next(shape for shape in shapes() if shape.name == name), numbers)


def _run_plan(task: tuple[PlannedCase, int]) -> tuple[PlannedCase, float, float]:
    case, number = task
    return case, *had(case, number)


_PIECE = 25

COUNTS = Path(__file__).with_name("truth.jsonl")


def keep(rows: Iterable[Row]) -> None:
    """Store the rows of a shape in place of its older ones."""
    new = list(rows)
    old = [row for row in stored_rows() if row.shape not in {other.shape for other in new}]
    COUNTS.write_text(
        "".join(f"{json.dumps(asdict(row))}\n" for row in (*old, *new)), encoding="utf-8"
    )


def stored_rows() -> list[Row]:
    if not COUNTS.exists():
        return []
    return [Row(**json.loads(line)) for line in COUNTS.read_text(encoding="utf-8").splitlines()]


def print_table() -> None:
    """Kind by kind: over how many shapes and data sets, and the least favourable shape."""
    current = {shape.name for shape in shapes()}
    groups: dict[str, list[Row]] = {}
    for row in stored_rows():
        if row.shape in current:
            groups.setdefault(row.kind, []).append(row)
    print("| conclusion | shapes | data sets | least favourable shape | there | promised |")
    print("|---|---:|---:|---|---:|---:|")
    for kind, rows in sorted(groups.items()):
        said = [row for row in rows if row.said] or rows
        worst = (max if kind in ALLOWED else min)(said, key=lambda row: row.share)
        sets = sum(row.sets for row in rows)
        there = f"{100 * worst.share:.1f} %".replace("nan %", "none said")
        print(f"| {kind} | {len(rows)} | {sets:,} | {worst.shape} | {there} | {worst.promise} |")


def main(number: int = 200, words: Iterable[str] = ()) -> int:
    wanted = [s for s in shapes() if not words or any(word in s.name for word in words)]
    print(f"      {'shape':66} {'conclusion':30} sets   said  false or held; promised")
    missed = 0
    tasks = [
        (shape.name, range(start, min(start + _PIECE, number)))
        for shape in wanted
        for start in range(0, number, _PIECE)
    ]
    with get_context("fork").Pool() as pool:
        rows: dict[str, Row] = {}
        for (name, numbers), piece in zip(tasks, pool.imap(_run, tasks), strict=True):
            for kind, row in piece.items():
                rows.setdefault(kind, Row(name, kind)).join(row)
            if numbers.stop == number:
                for kind in sorted(rows):
                    rows[kind].sets = number
                    print(rows[kind].line(), flush=True)
                    missed += rows[kind].kept is False
                keep(rows.values())
                rows = {}
        planned = [
            case for case in PLANNED
            if not words or "plan" in words or any(word in case.name for word in words)
        ]  # fmt: skip
        if planned:
            print("      plans: the power promised and had")
            for case, promised, power in pool.imap(_run_plan, [(c, number) for c in planned]):
                error = 2.33 * np.sqrt(max(promised * (1 - promised), 0.01) / number)
                kept = power >= promised - error
                missed += not kept
                mark = "ok" if kept else "MISS"
                print(f"{mark:4}  {case.name:66} {promised:6.2f} {power:6.2f}", flush=True)
    print(f"{missed} promises were not kept." if missed else "All promises were kept.")
    return missed


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments == ["--table"]:
        sys.exit(print_table())
    count = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else 200
    sys.exit(main(count, arguments) > 0)
