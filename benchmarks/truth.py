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
from dataclasses import asdict, dataclass
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy import stats

import gistmark
from gistmark.analysis.planning import ChoiceSpread, Deviations
from gistmark.analysis.ranking.ranking import PEOPLE
from gistmark.analysis.studies.records import Finding, Pair
from gistmark.analysis.studies.results import Study
from shapes import (
    EQUAL,
    People,
    Shape,
    World,
    bradley_terry,
    compared,
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
    "agreement": 0.0,
    "judges": LEVEL,
    "sequence": LEVEL,
    "helper": 0.0,
    "warned": LEVEL,
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
    """No decision of an adaptive campaign is false."""
    wrong = [
        p for p in study.sequential
        if (p.decided == "left" and not world.better(p.left, p.right))
        or (p.decided == "right" and not world.better(p.right, p.left))
    ]  # fmt: skip
    if study.sequential:
        yield Verdict("sequence", not wrong)


def warned(study: Study, world: World) -> Iterator[Verdict]:
    """Documents that the helper chose: there is a warning, or no estimate."""
    texts = [note.text for note in study.notes] + [f.detail for f in _about(study, "helper")]
    said = any("not a random sample" in t or "no random sample" in t for t in texts)
    cautious = all(p.caution or p.value is None for p in study.powered)
    yield Verdict("warned", said or cautious)


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
    """The reading of alpha goes with its value."""
    for finding in _about(study, "agreement"):
        low = finding.value is not None and finding.value < 0.667
        yield Verdict("agreement", ("below 0.667" in finding.detail) == low)


# Coverage


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
        if rank.method == "mean" and rank.low is not None and target is not None:
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
    "judges": judges_pass,
    "a good judge": good_judges_pass,
    "machines": machines_above,
    "sequence": decisions,
    "helper": helper_kept,
    "warned": warned,
    "errors": errors_counted,
    "answers": answers_counted,
    "agreement": agreement_read,
    "pairs covered": pairs_covered,
    "means covered": means_covered,
    "correlations covered": correlations_covered,
    "agreement covered": agreement_covered,
    "helper covered": helper_covered,
    "shares covered": shares_covered,
}

FINDINGS = {
    "systems": "systems",
    "metrics": "metrics",
    "annotators": "metrics",
    "helper": "helper",
    "errors": "errors",
    "agreement": "agreement covered",
    "answers": "answers",
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


PLANNED = [
    PlannedCase("2 systems x 40 documents", 2, 40, 2),
    PlannedCase("4 systems x 40 documents", 4, 40, 2),
    PlannedCase("8 systems x 60 documents", 8, 60, 2),
    PlannedCase("2 systems x 4 documents", 2, 4, 5, gap=0.8),
    PlannedCase("4 systems x 8 documents", 4, 8, 5, gap=0.8),
    PlannedCase("3 systems, choices x 60 documents", 3, 60, 3, share=0.62),
    PlannedCase("5 systems, choices x 60 documents", 5, 60, 3, share=0.65),
]


def had(case: PlannedCase, number: int) -> tuple[float, float]:
    """The power that the plan promises, and that studies of this kind have."""
    size = {"documents": (case.documents,), "annotators": (case.annotators,),
            "systems": case.systems}  # fmt: skip
    people = People(
        (case.gap, *EQUAL[2][:1] * (case.systems - 1)), case.documents, case.annotators,
        summary=0.5, severity=0.3, noise=0.7, whole=False,
    )  # fmt: skip
    if case.share is None:
        planning = gistmark.plan(
            difference=case.gap, deviations=Deviations(summary=0.5, residual=0.7), **size
        )
        draw = rated(people)
    else:
        planning = gistmark.plan(share=case.share, spread=ChoiceSpread(), **size)
        gap = float(np.log(case.share / (1 - case.share)))
        strengths = {name: gap * (k == 0) for k, name in enumerate(names(case.systems))}
        meetings = dict.fromkeys(combinations(strengths, 2), case.documents * case.annotators)
        draw = compared(bradley_terry(strengths), meetings, documents=case.documents,
                        annotators=case.annotators, worth=strengths)  # fmt: skip
    seen = 0
    for k in range(number):
        world = draw(np.random.default_rng([7, k]))
        study = gistmark.study(world.corpus, None, world.options)
        seen += any(
            {p.left, p.right} == {"s0", "s1"} and p.p_corrected is not None
            and p.p_corrected < SIGNIFICANT and p.method in ("mean", "Bradley-Terry")
            for p in study.pairs
        )  # fmt: skip
    return planning.plans[0].power, seen / number


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
        if not words or "plan" in words:
            print("      plans: the power promised and had")
            for case, promised, power in pool.imap(_run_plan, [(c, number) for c in PLANNED]):
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
