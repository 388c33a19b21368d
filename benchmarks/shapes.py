"""Data sets of many shapes whose truth is known; `truth.py` counts what a study says of them.

A shape draws a world: judgements, scores, and what is true of them. A new shape is a line of the
list that its kind of conclusion has below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations

import numpy as np

from gistmark.analysis.studies.options import StudyOptions
from gistmark.corpus import Corpus
from gistmark.judgements.adaptive import Gap, Rule
from gistmark.judgements.adaptive.allocation import simulate_campaign
from gistmark.records import (
    Comparison,
    ErrorSpan,
    Machine,
    Presence,
    Rating,
    Response,
    Sampled,
    Summary,
    Turn,
    item_name,
)
from gistmark.scoring import Scores
from gistmark.scoring.scores import Column

Array = np.ndarray
OVERALL = "overall"
OPTIONS = StudyOptions(resamples=400)


@dataclass(frozen=True)
class World:
    """A data set and its truth.

    `worth` says how good each system is in the eyes of these annotators, `elsewhere` in those of
    others (the same, where it is empty); `shares` how often the first of two systems is preferred,
    where that does not follow from their worth, and `elsewhere_shares` how often by others.
    `unrelated` are metrics that have nothing to do with people. `values` are what intervals should
    hold, by kind and name.
    """

    corpus: Corpus = field(default_factory=Corpus)
    worth: Mapping[str, float] = field(default_factory=dict)
    elsewhere: Mapping[str, float] = field(default_factory=dict)
    shares: Mapping[tuple[str, str], float] = field(default_factory=dict)
    elsewhere_shares: Mapping[tuple[str, str], float] = field(default_factory=dict)
    scores: Scores | None = None
    unrelated: frozenset[str] = frozenset()
    values: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    options: StudyOptions = OPTIONS

    def better(self, left: str, right: str, *, elsewhere: bool = False) -> bool:
        """Whether the left system is truly better than the right one."""
        shares = (elsewhere and self.elsewhere_shares) or self.shares
        if (left, right) in shares:
            return shares[left, right] > 0.5
        if (right, left) in shares:
            return shares[right, left] < 0.5
        worth = (elsewhere and self.elsewhere) or self.worth
        return worth[left] - worth[right] > 1e-9


@dataclass(frozen=True)
class Shape:
    """A kind of data set; `kinds` are the conclusions that are read from it (see `truth.py`)."""

    name: str
    draw: Callable[[np.random.Generator], World]
    kinds: tuple[str, ...]


def names(count: int, letter: str = "s") -> list[str]:
    return [f"{letter}{k}" for k in range(count)]


# Ratings


def ratings_of(cube: Array, dimension: str = OVERALL) -> list[Rating]:
    """The ratings of annotators × documents × systems; NaN is none."""
    return [
        Rating(f"d{d}", f"s{s}", f"a{a}", dimension, float(cube[a, d, s]))
        for a, d, s in np.argwhere(~np.isnan(cube)).tolist()
    ]


def likert(values: Array) -> Array:
    return np.clip(np.round(values), 1, 5)


@dataclass(frozen=True)
class People:
    """How people rate: the spread of what documents, summaries and annotators add."""

    gaps: tuple[float, ...]
    documents: int = 20
    annotators: int = 3
    centre: float = 3.0
    document: float = 0.5
    summary: float = 0.4
    severity: float = 0.3
    favour: float = 0.0
    noise: float = 0.6
    whole: bool = True

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Annotators × documents × systems, and annotators × systems: whom they favour."""
        a, d, s = self.annotators, self.documents, len(self.gaps)
        favours = rng.normal(0, self.favour, (a, s)) if self.favour else np.zeros((a, s))
        cube = (
            self.centre + np.array(self.gaps) + rng.normal(0, self.document, (d, 1))
            + rng.normal(0, self.summary, (d, s)) + rng.normal(0, self.severity, (a, 1, 1))
            + favours[:, None, :] + rng.normal(0, self.noise, (a, d, s))
        )  # fmt: skip
        return (likert(cube) if self.whole else cube), favours

    @cache  # noqa: B019
    def means(self) -> tuple[float, ...]:
        """The mean rating of each system over all documents and annotators there could be."""
        total = self.spread
        points = self.centre + np.array(self.gaps) + total * QUANTILES[:, None]
        return tuple((likert(points) if self.whole else points).mean(axis=0).tolist())

    @property
    def spread(self) -> float:
        parts = (self.document, self.summary, self.severity, self.favour, self.noise)
        return float(np.sqrt(sum(part**2 for part in parts)))


def _quantiles() -> Array:
    from scipy.special import ndtri

    return ndtri((np.arange(4_000) + 0.5) / 4_000)


QUANTILES = _quantiles()

Mask = Callable[[np.random.Generator, Array], Array]
"""Which ratings there are, from the whole cube."""


def rated(people: People, mask: Mask | None = None) -> Callable[[np.random.Generator], World]:
    """Ratings of every system about every document by all annotators, or of those of a mask."""

    def draw(rng: np.random.Generator) -> World:
        cube, favours = people.draw(rng)
        if mask is not None:
            cube = np.where(mask(rng, cube), cube, np.nan)
        worth = np.array(people.gaps) + favours.mean(axis=0)
        systems = names(len(people.gaps))
        values = {
            ("pair", systems[i], systems[j]): people.means()[i] - people.means()[j]
            for i, j in combinations(range(len(systems)), 2)
            if not people.favour
        }
        # Annotators stay the same, so a mean holds for other documents only if none is severe.
        if not people.severity and not people.favour:
            values |= {("mean", s): m for s, m in zip(systems, people.means(), strict=True)}
        return World(
            Corpus(ratings=tuple(ratings_of(cube))),
            worth=dict(zip(systems, worth.tolist(), strict=True)),
            elsewhere=dict(zip(systems, people.gaps, strict=True)),
            values=values,
        )

    return draw


def easy_and_hard(people: People, hardness: float = 2.0) -> Callable[..., World]:
    """The last system is judged on easy documents, the others on hard ones: 20 and 3, 15 and 20."""

    def draw(rng: np.random.Generator) -> World:
        cube, _ = people.draw(rng)
        hard = np.arange(cube.shape[1]) % 2 == 0
        cube = cube + np.where(hard, -hardness, hardness)[:, None] / 2
        there = np.zeros(cube.shape[1:], dtype=bool)
        for system in range(cube.shape[2]):
            last = system == cube.shape[2] - 1
            for kind, count in ((hard, 3 if last else 20), (~hard, 20 if last else 15)):
                there[rng.permutation(np.flatnonzero(kind))[:count], system] = True
        cube = np.where(there, cube, np.nan)
        systems = names(len(people.gaps))
        return World(
            Corpus(ratings=tuple(ratings_of(cube))), dict(zip(systems, people.gaps, strict=True))
        )

    return draw


def holes(share: float) -> Mask:
    """Whole summaries are missing at random."""
    return lambda rng, cube: np.broadcast_to(rng.random(cube.shape[1:]) > share, cube.shape)


def own_annotator(rng: np.random.Generator, cube: Array) -> Array:
    """Each system is rated by its own annotator."""
    mask = np.zeros(cube.shape, dtype=bool)
    for system in range(cube.shape[2]):
        mask[system % len(cube), :, system] = True
    return mask


def own_crowd(rng: np.random.Generator, cube: Array) -> Array:
    """Each system is rated by several annotators who rate no other."""
    mask = np.zeros(cube.shape, dtype=bool)
    for annotator in range(len(cube)):
        mask[annotator, :, annotator % cube.shape[2]] = True
    return mask


def apart(rng: np.random.Generator, cube: Array) -> Array:
    """One half of the systems is judged on one half of the documents, the others on the rest."""
    documents, systems = (np.arange(size) % 2 for size in cube.shape[1:])
    return np.broadcast_to(documents[:, None] == systems, cube.shape)


def mostly_own_annotator(rng: np.random.Generator, cube: Array) -> Array:
    """As before, but everybody also rates every system about a fifth of the documents."""
    return own_annotator(rng, cube) | (np.arange(cube.shape[1]) % 5 == 0)[None, :, None]


def crowd(judges: int) -> Mask:
    """Each summary is rated by some of many annotators, at random."""

    def mask(rng: np.random.Generator, cube: Array) -> Array:
        order = rng.random(cube.shape).argsort(axis=0)
        return order.argsort(axis=0) < judges

    return mask


EQUAL = {count: (0.0,) * count for count in (2, 3, 4, 8, 16)}

RATED = [
    Shape(f"equal, {s} systems x {d} documents, {a} annotators",
          rated(People(EQUAL[s], d, a)), ("systems", "pairs covered"))
    for s, d, a in ((2, 8, 2), (4, 8, 3), (4, 20, 3), (8, 30, 3), (16, 50, 2), (4, 20, 10))
] + [
    Shape("equal, 1 document", rated(People(EQUAL[4], 1, 5)), ("systems", "pairs covered")),
    Shape("equal, 3 documents", rated(People(EQUAL[4], 3, 5)), ("systems", "pairs covered")),
    Shape("every rating is 3", rated(People(EQUAL[4], 20, 3, 3.0, 0, 0, 0, 0, 0)), ("systems",)),
    Shape("equal, on a continuous scale", rated(People(EQUAL[4], whole=False)),
          ("systems", "pairs covered")),
    Shape("equal, 9 of 10 ratings are 5", rated(People(EQUAL[4], 20, 2, centre=5.8)), ("systems",)),
    Shape("different, 4 systems x 20 documents", rated(People((0.9, 0.4, 0.2, 0.0))), ("systems",)),
    Shape("equal, 2 of 10 summaries are not judged",
          rated(People(EQUAL[4], 30), holes(0.2)), ("systems", "pairs covered")),
    Shape("different, half of the summaries are not judged",
          rated(People((0.6, 0.3, 0.0, -0.3), 40), holes(0.5)), ("systems", "pairs covered")),
    Shape("the worst system on easy documents",
          easy_and_hard(People((0.0, 0.0, -0.6), 40, 2)), ("systems", "best")),
    Shape("equal, each system has its own annotator (severity 0.4)",
          rated(People(EQUAL[4], 20, 4, severity=0.4), own_annotator), ("systems",)),
    Shape("equal, each system has 8 annotators who rate no other (severity 0.4)",
          rated(People(EQUAL[4], 20, 32, severity=0.4), own_crowd), ("systems",)),
    Shape("two halves of the systems on different documents",
          rated(People((0.3, 0.0, 0.3, 0.1), 30), apart), ("systems", "best")),
    Shape("equal, mostly its own annotator (severity 0.4)",
          rated(People(EQUAL[4], 40, 4, severity=0.4), mostly_own_annotator), ("systems",)),
    Shape("equal, 3 annotators who favour systems (0.3)",
          rated(People(EQUAL[4], 30, 3, favour=0.3)), ("systems", "other annotators")),
    Shape("equal, 10 annotators who favour systems (0.3)",
          rated(People(EQUAL[4], 30, 10, favour=0.3)), ("systems", "other annotators")),
    Shape("equal, 3 of 40 annotators a summary, at random",
          rated(People(EQUAL[4], 40, 40, severity=0.4), crowd(3)), ("systems", "pairs covered")),
    Shape("equal, 1 of 12 annotators a summary, at random",
          rated(People(EQUAL[4], 40, 12, severity=0.4), crowd(1)), ("systems", "pairs covered")),
]  # fmt: skip

MEANS = [
    Shape(f"{what}, {d} documents", rated(People(gaps, d, 2, severity=0.0, **more)),
          ("means covered",))
    for d in (1, 2, 3, 5, 8, 10, 20, 50)
    for what, gaps, more in (
        ("1 to 5", (0.3, 0.0, 0.0), {}),
        ("9 of 10 ratings are 5", EQUAL[4], {"centre": 5.8}),
    )
] + [
    Shape(f"half of the summaries are not judged, {d} documents",
          rated(People((0.3, 0.0, 0.0), d, 2, severity=0.0), holes(0.5)), ("means covered",))
    for d in (10, 40)
]  # fmt: skip


# Comparisons and rankings


def compared(
    shares: Mapping[tuple[str, str], float],
    meetings: Mapping[tuple[str, str], int],
    *,
    documents: int = 30,
    annotators: int = 10,
    alike: float = 0.0,
    ties: float = 0.0,
    worth: Mapping[str, float] | None = None,
) -> Callable[[np.random.Generator], World]:
    """Choices: how often the first of two wins, and how often they meet.

    `alike` is the standard deviation, in log odds, of what makes choices about the same two
    summaries alike.
    """

    def draw(rng: np.random.Generator) -> World:
        votes = []
        for (left, right), count in meetings.items():
            odds = np.log(shares[left, right] / (1 - shares[left, right]))
            chances = 1 / (1 + np.exp(-odds - alike * rng.normal(size=documents)))
            for k, document in enumerate(rng.permutation(count) % documents):
                first = rng.random() < chances[document]
                turned = rng.random() < 0.5
                choice = "right" if first == turned else "left"
                if ties and rng.random() < ties:
                    choice = "tie"
                votes.append(
                    Comparison(
                        f"d{document}", right if turned else left, left if turned else right,
                        f"a{(k + document) % annotators}", OVERALL, choice,
                    )
                )  # fmt: skip
        return World(Corpus(comparisons=tuple(votes)), worth=worth or {}, shares=shares)

    return draw


def bradley_terry(strengths: Mapping[str, float]) -> dict[tuple[str, str], float]:
    return {
        (left, right): float(1 / (1 + np.exp(strengths[right] - strengths[left])))
        for left, right in combinations(strengths, 2)
    }


def all_meet(count: int, times: int) -> dict[tuple[str, str], int]:
    return dict.fromkeys(combinations(names(count), 2), times)


_STRENGTHS = {"A": 1.5, "B": 1.0, "C": -0.5, "D": -2.5}
_MEETINGS = {("A", "B"): 200, ("C", "D"): 200, ("A", "C"): 20, ("B", "C"): 20, ("A", "D"): 10,
             ("B", "D"): 10}  # fmt: skip
_CIRCLE = {("A", "B"): 0.85, ("B", "C"): 0.8, ("A", "C"): 0.2}
_WITH_CIRCLE = {"A": 0.0, "B": 0.0, "C": 0.0, "D": 1.0, "E": 0.5, "F": -1.0}
_TWO_GROUPS = {"A": 0.0, "B": 2.4, "C": -2.2, "D": 2.0}

COMPARED = [
    Shape(f"equal, {s} systems, every pair {n} times about {d} documents",
          compared(bradley_terry(dict.fromkeys(names(s), 0.0)), all_meet(s, n), documents=d,
                   alike=alike, worth=dict.fromkeys(names(s), 0.0)), ("systems", "fit"))
    for s, n, d, alike in ((2, 40, 20, 0.7), (4, 40, 20, 0.0), (4, 60, 20, 1.0), (8, 60, 30, 0.5),
                           (4, 8, 6, 0.5))
] + [
    Shape("equal, with ties", compared(bradley_terry(dict.fromkeys(names(4), 0.0)), all_meet(4, 60),
                                       ties=0.3, worth=dict.fromkeys(names(4), 0.0)),
          ("systems", "fit")),
    Shape("strong systems meet strong ones",
          compared(bradley_terry(_STRENGTHS), _MEETINGS, worth=_STRENGTHS),
          ("systems", "best", "fit")),
    Shape("a circle: A 85 % > B 80 % > C 80 % > A",
          compared(_CIRCLE, {("A", "B"): 300, ("B", "C"): 60, ("A", "C"): 60}, worth={}),
          ("systems",)),
    Shape("a circle in which all meet 60 times",
          compared(_CIRCLE, dict.fromkeys(_CIRCLE, 60)), ("systems",)),
    Shape("a circle the other way round, A and C meet seldom",
          compared({pair: 1 - share for pair, share in _CIRCLE.items()},
                   {("A", "B"): 200, ("B", "C"): 200, ("A", "C"): 30}), ("systems",)),
    Shape("a weak circle: A 70 % > B 70 % > C 55 % > A",
          compared({("A", "B"): 0.7, ("B", "C"): 0.7, ("A", "C"): 0.45},
                   {("A", "B"): 150, ("B", "C"): 150, ("A", "C"): 80}, alike=0.5), ("systems",)),
    Shape("a circle of 3 of 6 systems, with ties",
          compared(bradley_terry(_WITH_CIRCLE) | _CIRCLE,
                   dict.fromkeys(bradley_terry(_WITH_CIRCLE), 40), ties=0.2), ("systems",)),
    Shape("only neighbours meet",
          compared(bradley_terry(_STRENGTHS), {("A", "B"): 80, ("B", "C"): 60, ("C", "D"): 40},
                   worth=_STRENGTHS), ("systems", "best", "fit")),
    Shape("equal, pairs meet 3 to 90 times",
          compared(bradley_terry(dict.fromkeys(names(4), 0.0)),
                   dict(zip(combinations(names(4), 2), (3, 8, 20, 40, 60, 90), strict=True)),
                   alike=0.7, worth=dict.fromkeys(names(4), 0.0)), ("systems", "fit")),
    Shape("two groups that never meet, about the same documents",
          compared({("A", "C"): 0.9, ("B", "D"): 0.6},
                   {("A", "C"): 100, ("B", "D"): 100}, worth=_TWO_GROUPS), ("systems", "best")),
]  # fmt: skip


def ranked(
    strengths: Mapping[str, float],
    sets: Sequence[tuple[str, ...]],
    times: int,
    documents: int = 30,
    *,
    extremes: bool = False,
    equal: float = 0.0,
) -> Callable[[np.random.Generator], World]:
    """Rankings of sets of systems after Plackett and Luce, or their `extremes` alone.

    Systems whose draws are at most `equal` above the next one share its rank.
    """

    def draw(rng: np.random.Generator) -> World:
        answers = []
        for number, systems in enumerate(list(sets) * times):
            draws = np.array([strengths[name] + rng.gumbel() for name in systems])
            ranks = 1 + (draws[None, :] > draws[:, None] + equal).sum(axis=1)
            for name, rank in zip(systems, ranks.tolist(), strict=True):
                value = str(rank)
                if extremes:
                    value = {1: "best", len(systems): "worst"}.get(rank, "")
                if value:
                    answers.append(
                        Response(f"d{number % documents}", item_name(systems), name,
                                 f"a{number % 7}", "best?",
                                 "best-worst" if extremes else "ranking", value)
                    )  # fmt: skip
        return World(Corpus(responses=tuple(answers)), worth=strengths)

    return draw


_LINE = {"A": 2.0, "B": 1.5, "C": 1.2, "D": -0.5, "E": -1.5, "F": -2.5}
_UNEQUAL_SETS = [*[tuple("ABC"), tuple("DEF")] * 12, tuple("CDE"), tuple("BDF")]

RANKED = [
    Shape("rankings of 4 equal systems",
          ranked(dict.fromkeys(names(4), 0.0), [tuple(names(4))], 60), ("systems",)),
    Shape("rankings of 3 of 5 equal systems",
          ranked(dict.fromkeys(names(5), 0.0), list(combinations(names(5), 3)), 9), ("systems",)),
    Shape("rankings in which strong systems meet strong ones",
          ranked(_LINE, _UNEQUAL_SETS, 10), ("systems", "best", "fit")),
    Shape("rankings of 2 to 5 of 5 equal systems, with shared ranks",
          ranked(dict.fromkeys(names(5), 0.0),
                 [("s0", "s1"), *combinations(names(5), 3), tuple(names(5))], 5, equal=0.3),
          ("systems", "fit")),
    Shape("rankings of two groups that never meet",
          ranked(_LINE, [tuple("ABF"), tuple("CDE")], 60), ("systems", "best")),
    Shape("best and worst of 4 of 6 equal systems",
          ranked(dict.fromkeys(names(6), 0.0), list(combinations(names(6), 4)), 6, extremes=True),
          ("systems", "fit")),
    Shape("best and worst where strong systems meet strong ones",
          ranked(_LINE, _UNEQUAL_SETS, 10, extremes=True), ("systems", "best", "fit")),
    Shape("best and worst of 4, where strong systems meet strong ones",
          ranked(_LINE, [*[tuple("ABCD"), tuple("CDEF")] * 6, tuple("ABEF")], 20, extremes=True),
          ("systems", "best", "fit")),
]  # fmt: skip


# Marks


def marked(counts: Sequence[float], documents: int = 20) -> Callable[..., World]:
    """Content units stated, and errors marked, by systems that are equally good or not."""

    def draw(rng: np.random.Generator) -> World:
        systems = names(len(counts))
        presence, spans, summaries = [], [], []
        for d in range(documents):
            hard = rng.normal(0, 0.5)
            for name, gap in zip(systems, counts, strict=True):
                text = "one two three four five six seven eight nine ten"
                summaries.append(Summary(f"d{d}", name, text))
                chance = 1 / (1 + np.exp(-gap - hard))
                presence += [
                    Presence(f"d{d}", f"u{u}", name, "a0", bool(rng.random() < chance))
                    for u in range(5)
                ]
                found = rng.poisson(np.exp(-gap - hard))
                spans += [ErrorSpan(f"d{d}", name, "a0", 0, 3, "fluency") for _ in range(found)]
                spans += [ErrorSpan(f"d{d}", name, "a0")] * (not found)
        corpus = Corpus(summaries=tuple(summaries), presence=tuple(presence), spans=tuple(spans))
        return World(corpus, worth=dict(zip(systems, counts, strict=True)))

    return draw


MARKED = [
    Shape("content units and errors, 4 equal systems", marked((0.0,) * 4), ("systems", "errors")),
    Shape("content units and errors, 3 systems x 6 documents",
          marked((0.0, 0.0, 0.0), 6), ("systems", "errors")),
]  # fmt: skip


# Confidence


def confident(
    weight: float = 0.0, doubt: float = 0.0, documents: int = 20, annotators: int = 3
) -> Callable[[np.random.Generator], World]:
    """Ratings with confidence and weights in three dimensions of 8 equal systems.

    The first dimension weighs more by `weight`; ratings are as much noisier as `doubt` says where
    people are less sure. Annotators differ in severity, in confidence and in weights altogether.
    """

    def draw(rng: np.random.Generator) -> World:
        severity, sure = rng.normal(0, 0.4, annotators), rng.normal(0, 0.7, annotators)
        ratings = []
        for d, s in np.ndindex(documents, 8):
            quality = 3 + rng.normal(0, 0.7)
            for a, k in np.ndindex(annotators, 3):
                unsure = rng.normal()
                value = quality + severity[a] + rng.normal(0, 0.5 * np.exp(doubt * unsure))
                confidence = 3.5 + sure[a] - unsure
                importance = 3 + sure[a] + weight * (k == 0) + rng.normal()
                rated, certain, heavy = likert(np.array([value, confidence, importance])).tolist()
                ratings.append(
                    Rating(f"d{d}", f"s{s}", f"a{a}", f"part {k}", rated,
                           confidence=certain, weight=heavy)
                )  # fmt: skip
        heaviest = {("heaviest", f"part {k}"): weight * (k == 0) for k in range(3)}
        return World(
            Corpus(ratings=tuple(ratings)), worth=dict.fromkeys(names(8), 0.0),
            values=heaviest | {("doubt",): doubt},
        )  # fmt: skip

    return draw


CONFIDENT = [
    Shape("confidence and weights at random, 8 systems x 20 documents",
          confident(), ("confidence",)),
    Shape("confidence and weights at random, 8 systems x 5 documents",
          confident(documents=5), ("confidence",)),
    Shape("one dimension weighs more, and people who are unsure differ more",
          confident(0.5, 0.4), ("confidence",)),
]  # fmt: skip


# Metrics


def scores_of(tables: Mapping[str, Array], better: Mapping[str, str] | None = None) -> Scores:
    """Scores from documents × systems of every metric; NaN could not be scored."""
    size = next(iter(tables.values())).shape
    documents = [f"d{d}" for d in range(size[0]) for _ in range(size[1])]
    systems = [f"s{s}" for _ in range(size[0]) for s in range(size[1])]
    columns = {
        name: Column(
            f"{name}|v:0", ("value",), "value", (better or {}).get(name, "higher"),  # type: ignore[arg-type]
            table.reshape(-1, 1), dict.fromkeys(np.flatnonzero(np.isnan(table)), "not scored"),
        )
        for name, table in tables.items()
    }  # fmt: skip
    return Scores(documents, systems, columns)


@dataclass(frozen=True)
class Metrics:
    """Metrics beside people: `follow` says how far each goes with people, noise where it is 0."""

    follow: tuple[float, ...]
    systems: int = 8
    documents: int = 30
    system: float = 0.6
    document: float = 0.5
    summary: float = 0.5
    own: float = 0.6
    """What systems add to a metric by themselves."""
    noise: float = 0.4
    scored: Mapping[int, int] = field(default_factory=dict)
    """How many documents some metrics were scored on."""
    annotators: int = 2
    same_systems: bool = False
    """Every data set is about the same systems, and nothing is said of others."""

    def __hash__(self) -> int:
        return hash((self.follow, self.systems, self.documents, self.own, self.same_systems))

    def tables(self, rng: np.random.Generator) -> tuple[Array, dict[str, Array]]:
        """Annotators × documents × systems, and each metric's documents × systems."""
        shape = (self.documents, self.systems)
        of_systems = np.random.default_rng(3) if self.same_systems else rng
        worth = of_systems.normal(0, self.system, self.systems)
        summaries = rng.normal(0, self.summary, shape)
        documents = rng.normal(0, self.document, (self.documents, 1))
        people = 3 + worth + documents + summaries
        cube = people + rng.normal(0, self.noise, (self.annotators, *shape))
        tables = {}
        for k, share in enumerate(self.follow):
            own = of_systems.normal(0, self.own, self.systems) + rng.normal(0, 0.5, shape)
            hard = rng.normal(0, 0.3, (self.documents, 1))
            table = share * (worth + summaries) + np.sqrt(1 - share**2) * own + hard
            missing = rng.permutation(self.documents)[self.scored.get(k, self.documents) :]
            table[missing] = np.nan
            tables[f"m{k}"] = table
        return cube, tables

    @cache  # noqa: B019
    def truth(self) -> dict[tuple[str, ...], float]:
        """The correlation of each metric with people's mean over very many systems."""
        from gistmark.analysis.correlation.levels import correlate_at, layout_of

        rng, sums = np.random.default_rng(12345), {}
        large = Metrics(self.follow, 300, self.documents, self.system, self.document, self.summary,
                        self.own, self.noise)  # fmt: skip
        rounds = 12
        layout = layout_of([(f"d{d}", f"s{s}") for d in range(self.documents) for s in range(300)])
        for _ in range(rounds):
            cube, tables = large.tables(rng)
            y = cube.mean(axis=0).ravel()
            x = np.array([table.ravel() for table in tables.values()])
            for level in ("system", "summary", "global"):
                for coefficient in ("pearson", "spearman", "kendall"):
                    values = correlate_at(
                        level, x, np.broadcast_to(y, x.shape), layout, coefficient
                    ).values
                    for name, value in zip(tables, values.tolist(), strict=True):
                        key = ("correlation", name, level, coefficient)
                        sums[key] = sums.get(key, 0.0) + value / rounds
        return sums

    @cache  # noqa: B019
    def accuracy(self) -> dict[tuple[str, ...], float]:
        """The means of acc_eq and SPA over very many data sets of this size."""
        from gistmark.analysis.correlation.accuracy import accuracies
        from gistmark.analysis.data.measures import measures_of
        from gistmark.analysis.human import dimension_means

        values: dict[tuple[str, ...], list[float]] = {}
        for number in range(400):
            cube, tables = self.tables(np.random.default_rng([54321, number]))
            human = dimension_means(ratings_of(cube))
            for record in accuracies(measures_of(scores_of(tables)), human, seed=0, resamples=2):
                if record.value is not None:
                    about = ("accuracy", record.metric, record.statistic)
                    values.setdefault(about, []).append(record.value)
        return {about: float(np.mean(several)) for about, several in values.items()}


def measured(
    metrics: Metrics,
    *,
    covered: bool = False,
    accurate: bool = False,
    texts: bool = False,
    better: Mapping[str, str] | None = None,
    copies: int = 0,
    options: StudyOptions = OPTIONS,
) -> Callable[[np.random.Generator], World]:
    """Ratings and metrics; lengths of `texts` say nothing, `copies` repeat the first metric."""

    def draw(rng: np.random.Generator) -> World:
        cube, tables = metrics.tables(rng)
        tables |= {f"m{len(tables) + k}": tables["m0"] for k in range(copies)}
        unrelated = {f"m{k}" for k, share in enumerate(metrics.follow) if share == 0}
        if "m0" in unrelated:
            unrelated |= set(tables) - {f"m{k}" for k in range(len(metrics.follow))}
        summaries = [
            Summary(f"d{d}", f"s{s}", "word " * int(rng.integers(10, 60)))
            for d in range(metrics.documents * texts)
            for s in range(metrics.systems)
        ]
        lower = {name for name, way in (better or {}).items() if way == "lower"}
        tables = {name: -table if name in lower else table for name, table in tables.items()}
        return World(
            Corpus(summaries=tuple(summaries), ratings=tuple(ratings_of(cube))),
            scores=scores_of(tables, better),
            unrelated=frozenset(unrelated),
            values=(metrics.truth() if covered else {}) | (metrics.accuracy() if accurate else {}),
            options=options,
        )

    return draw


NOISE = (0.0,) * 5
MEASURED = [
    Shape(f"5 metrics of noise, {s} systems x {d} documents",
          measured(Metrics(NOISE, s, d, own=own)), ("metrics",))
    for s, d, own in ((3, 30, 0.6), (4, 30, 0.6), (5, 30, 0.0), (6, 30, 0.6), (8, 20, 0.6),
                      (16, 20, 0.6), (8, 40, 0.0))
] + [
    Shape("5 metrics of noise and texts of random length, 8 systems",
          measured(Metrics(NOISE), texts=True), ("metrics",)),
    Shape("a metric of noise under five names, 8 systems", measured(Metrics((0.0,)), copies=4),
          ("metrics",)),
    Shape("20 metrics of noise, 8 systems", measured(Metrics((0.0,) * 20)), ("metrics",)),
    Shape("a metric of noise, lower is better", measured(Metrics((0.0,)), better={"m0": "lower"}),
          ("metrics",)),
    Shape("3 of noise on 3 of 40 documents, 1 that follows people on all",
          measured(Metrics((0.7, 0.0, 0.0, 0.0), 8, 40, scored={1: 3, 2: 3, 3: 3})),
          ("metrics", "metric order")),
    *(
        Shape(f"power: follows by 0.9 beside 4 of noise, {s} systems x {d} documents",
              measured(Metrics((0.9, 0.0, 0.0, 0.0, 0.0), s, d)), ("metrics", "power: follows"))
        for s, d in ((6, 30), (8, 30), (12, 30), (16, 30))
    ),
    Shape("two equally good metrics", measured(Metrics((0.6, 0.6), 8, 30)), ("metric tests",)),
    Shape("two equally good metrics, 16 systems", measured(Metrics((0.6, 0.6), 16, 30)),
          ("metric tests",)),
]  # fmt: skip

_PERMUTED = StudyOptions(resamples=400, test="permutation")

ACCURATE = [
    Shape(f"acc_eq and SPA of two metrics of noise, {s} systems x {d} documents",
          measured(Metrics((0.0, 0.0), s, d)), ("accuracy tests", "accuracy scope", "chance"))
    for s, d in ((4, 20), (6, 20), (8, 20), (16, 20))
] + [
    Shape(f"acc_eq and SPA of {what}, 8 systems x 20 documents", measured(Metrics(follow, own=own)),
          ("accuracy tests",))
    for what, follow, own in (
        ("two equally good metrics", (0.6, 0.6), 0.6),
        ("two very good metrics", (0.9, 0.9), 0.6),
        ("two metrics that favour no system", (0.6, 0.6), 0.0),
    )
] + [
    Shape("acc_eq and SPA of a metric under five names",
          measured(Metrics((0.7,)), copies=4), ("accuracy tests", "copies")),
    Shape("acc_eq and SPA of equally good metrics, the same 4 systems x 20 documents",
          measured(Metrics((0.6, 0.6), 4, 20, own=0.0, same_systems=True)),
          ("accuracy tests here", "accuracy scope")),
] + [
    Shape(f"acc_eq and SPA of metrics that follow people by 0, 0.5 and 0.9, {s} x {d}",
          measured(Metrics((0.0, 0.5, 0.9), s, d), accurate=True), ("accuracy covered",))
    for s, d in ((6, 10), (8, 20), (16, 20))
] + [
    Shape(f"acc_eq and SPA, the same 4 systems x {d} documents",
          measured(Metrics((0.0, 0.5, 0.9), 4, d, same_systems=True), accurate=True),
          ("accuracy covered",))
    for d in (5, 10, 30)
] + [
    Shape(f"permutation of two metrics of noise, {s} systems x {d} documents",
          measured(Metrics((0.0, 0.0), s, d), options=_PERMUTED), ("metric tests",))
    for s, d in ((6, 20), (12, 20), (16, 40))
] + [
    Shape("20 resamples", measured(Metrics((0.0, 0.5), 8, 20),
                                   options=StudyOptions(resamples=20)), ("few draws",)),
]  # fmt: skip

CORRELATED = [
    Shape(f"metrics that follow people by 0, 0.5 and 0.9, {s} systems x {d} documents",
          measured(Metrics((0.0, 0.5, 0.9), s, d), covered=True), ("correlations covered",))
    for s, d in ((6, 30), (8, 20), (12, 20), (16, 30), (25, 20))
]  # fmt: skip


# Agreement


def agreed(people: People) -> Callable[[np.random.Generator], World]:
    def draw(rng: np.random.Generator) -> World:
        cube, _ = people.draw(rng)
        return World(Corpus(ratings=tuple(ratings_of(cube))), values=agreement_truth(people))

    return draw


AGREEMENT = ("alpha-ordinal", "alpha-nominal", "fleiss-kappa", "ac1", "ac2", "brennan-prediger",
             "icc1", "icc2", "icc3")  # fmt: skip


@cache
def agreement_truth(people: People) -> dict[tuple[str, ...], float]:
    """The coefficients over very many documents, for annotators without severity of their own."""
    from gistmark.analysis.agreement import ratings_agreement

    cube, _ = People(
        people.gaps, 1_500, people.annotators, people.centre, people.document, people.summary,
        people.severity, people.favour, people.noise, people.whole,
    ).draw(np.random.default_rng(99))  # fmt: skip
    corpus = Corpus(ratings=tuple(ratings_of(cube)))
    records = ratings_agreement(corpus, most_splits=2)
    return {
        ("agreement", record.statistic): record.value
        for record in records
        if not record.scope and record.value is not None and record.statistic in AGREEMENT
    }


AGREED = [
    Shape(f"{a} annotators, 4 systems x {d} documents, effects {effect:g}",
          agreed(People(EQUAL[4], d, a, document=effect, severity=0.0)),
          ("agreement covered", "agreement"))
    for d, a, effect in ((5, 3, 0.7), (10, 3, 0.7), (20, 3, 0.7), (20, 2, 0.7), (50, 3, 0.3),
                         (20, 8, 1.0))
] + [
    Shape("2 annotators, 4 systems x 20 documents, alpha near 0.667",
          agreed(People(EQUAL[4], 20, 2, document=0.75, severity=0.0, noise=0.5)),
          ("agreement covered", "agreement")),
] + [
    Shape(f"{share} ratings are 5, 3 annotators, 4 systems x {d} documents",
          agreed(People(EQUAL[4], d, 3, centre=centre, severity=0.0)),
          ("agreement covered", "agreement"))
    for share, centre in (("9 of 10", 5.8), ("2 of 3", 4.9)) for d in (20, 100)
]  # fmt: skip


# Judges that are not people

Judging = Callable[[np.random.Generator, Array], Array]
"""A judge's ratings, documents × systems, from those of people and what they rest on."""


def judged(people: People, judge: Judging, *, truly: bool = False) -> Callable[..., World]:
    """A machine beside people; `truly` says that it is another person."""

    def draw(rng: np.random.Generator) -> World:
        one_more = People(people.gaps, people.documents, people.annotators + 1, people.centre,
                          people.document, people.summary, people.severity, people.favour,
                          people.noise)  # fmt: skip
        cube, _ = one_more.draw(rng)
        machine = cube[-1] if truly else judge(rng, cube[:-1])
        ratings = ratings_of(cube[:-1]) + [
            Rating(f"d{d}", f"s{s}", "machine", OVERALL, float(value))
            for (d, s), value in np.ndenumerate(machine)
        ]
        corpus = Corpus(ratings=tuple(ratings), machines=(Machine("machine", "a model"),))
        return World(corpus)

    return draw


def constant(rng: np.random.Generator, cube: Array) -> Array:
    return np.full(cube.shape[1:], 3.0)


def shuffled(rng: np.random.Generator, cube: Array) -> Array:
    return rng.permutation(cube[0].ravel()).reshape(cube.shape[1:])


JUDGED = [
    Shape(f"a judge that {what}, {a} annotators, {'little' if noise > 1 else 'usual'} agreement",
          judged(People(EQUAL[4], 25, a, noise=noise), judge), ("judges",))
    for what, judge in (("always says 3", constant), ("is a shuffled person", shuffled))
    for a, noise in ((2, 0.5), (3, 0.5), (5, 0.5), (3, 1.5))
] + [
    Shape(f"a judge that is another person, {a} annotators",
          judged(People((0.8, 0.3, 0.0, -0.5), 40, a, document=0.8, severity=0.0, noise=0.4),
                 constant, truly=True), ("a good judge", "machines"))
    for a in (2, 3, 5)
]  # fmt: skip


# Adaptive campaigns


def adaptive(
    shares: Mapping[tuple[str, str], float],
    *,
    documents: int = 200,
    annotators: int = 1,
    favour: float = 0.0,
) -> Callable[[np.random.Generator], World]:
    """A campaign that chose its pairs, and stopped when its rule had decided all of them.

    `favour` is the standard deviation, in log odds, of how far each annotator likes each system;
    `shares` are those of all annotators there could be.
    """

    def draw(rng: np.random.Generator) -> World:
        rule = Rule("comparisons", OVERALL, 0.0, 1.0, 0.05)
        votes: list[Comparison] = []
        systems = sorted({name for pair in shares for name in pair})
        likes = rng.normal(0.0, favour, (annotators, len(systems)))
        odds = {pair: np.log(share / (1 - share)) for pair, share in shares.items()}
        chances = {
            pair: 1 / (1 + np.exp(-odds[pair] - likes[:, systems.index(pair[0])]
                                  + likes[:, systems.index(pair[1])]))
            for pair in shares
        }  # fmt: skip
        here = {pair: float(chance.mean()) for pair, chance in chances.items()}

        def answer(document: str, systems: tuple[str, ...]) -> list[Gap]:
            left, right = systems
            annotator = int(rng.integers(annotators))
            won = rng.random() < chances[left, right][annotator]
            choice = "left" if won else "right"
            votes.append(Comparison(document, left, right, f"a{annotator}", OVERALL, choice))
            return [Gap(document, left, right, 1.0 if won else -1.0)]

        tasks = {pair: [f"d{d}" for d in range(documents)] for pair in shares}
        run = simulate_campaign(tasks, answer, rule, seed=int(rng.integers(1 << 30)))
        turns = [
            Turn(k + 1, document, item_name(pair), vote.annotator, 1 / len(shares) / documents,
                 len(shares) * documents, rule.signature)
            for k, ((document, pair), vote) in enumerate(zip(run.tasks, votes, strict=True))
        ]  # fmt: skip
        return World(
            Corpus(comparisons=tuple(votes), sequence=tuple(turns)), shares=here,
            elsewhere_shares=shares,
        )  # fmt: skip

    return draw


ADAPTIVE = [
    Shape("adaptive, 4 equal systems",
          adaptive(bradley_terry(dict.fromkeys(names(4), 0.0)), documents=60), ("sequence",)),
    Shape("adaptive, s0 75 % > s1 75 % > s2 65 % > s0",
          adaptive({("s0", "s1"): 0.75, ("s1", "s2"): 0.75, ("s0", "s2"): 0.35}), ("sequence",)),
    Shape("adaptive, systems in one line",
          adaptive(bradley_terry({"s0": 1.2, "s1": 0.5, "s2": 0.0, "s3": -0.6})), ("sequence",)),
    Shape("adaptive, s0 75 % > s1 75 % > s2 52 % > s0",
          adaptive({("s0", "s1"): 0.75, ("s1", "s2"): 0.75, ("s0", "s2"): 0.48}), ("sequence",)),
    Shape("adaptive, 4 equal systems, 3 annotators who favour systems",
          adaptive(bradley_terry(dict.fromkeys(names(4), 0.0)), annotators=3, favour=0.8),
          ("sequence",)),
]  # fmt: skip


# Helpers


def helped(
    quality: float, by_metric: bool, *, declared: bool = True, dimensions: int = 1
) -> Callable[[np.random.Generator], World]:
    """A metric helps where people judged a quarter: at random, or where the metric is highest.

    Not `declared`, nobody says how the documents were chosen, and each dimension has its own.
    """

    def draw(rng: np.random.Generator) -> World:
        truth = rng.normal([3.0, 3.3], 0.8, (120, 2))
        metric = quality * truth + rng.normal(0, 0.6, truth.shape)
        order = np.argsort(-metric.mean(axis=1)) if by_metric else rng.permutation(120)
        ratings = []
        for number in range(dimensions):
            people = np.full(truth.shape, np.nan)
            people[order[:30]] = truth[order[:30]]
            ratings += ratings_of(people[None], f"{OVERALL}{number or ''}")
            order = order if by_metric else rng.permutation(120)
        corpus = Corpus(
            ratings=tuple(ratings),
            sampling=() if by_metric or not declared else tuple(
                Sampled(f"d{d}", "random", 0.25, 1) for d in order[:30]
            ),
        )  # fmt: skip
        options = StudyOptions(resamples=200, helper="m0")
        values = {("powered", "s0", ""): 3.0, ("powered", "s1", ""): 3.3}
        return World(corpus, scores=scores_of({"m0": metric}), values=values, options=options)

    return draw


HELPED = [
    Shape("a helper, documents at random", helped(0.8, False), ("helper covered", "helper")),
    Shape("a helper of noise, documents at random", helped(0.0, False), ("helper covered",)),
    Shape("a helper, documents chosen by the metric", helped(0.8, True), ("warned",)),
    Shape("a helper of noise, documents chosen by the metric", helped(0.0, True), ("warned",)),
    Shape("a helper, documents at random, which nobody says",
          helped(0.8, False, declared=False), ("warned falsely", "helper covered")),
    Shape("a helper, documents of 5 dimensions at random, which nobody says",
          helped(0.8, False, declared=False, dimensions=5), ("warned falsely",)),
]  # fmt: skip


# Many dimensions, and systems under several names


def dimensions(count: int, people: People) -> Callable[[np.random.Generator], World]:
    """Ratings of several dimensions that have nothing to do with each other."""

    def draw(rng: np.random.Generator) -> World:
        cubes = [people.draw(rng)[0] for _ in range(count)]
        ratings = [r for k, cube in enumerate(cubes) for r in ratings_of(cube, f"dimension {k}")]
        worth = dict(zip(names(len(people.gaps)), people.gaps, strict=True))
        return World(Corpus(ratings=tuple(ratings)), worth=worth)

    return draw


def twins(people: People) -> Callable[[np.random.Generator], World]:
    """The first two systems wrote the same."""

    def draw(rng: np.random.Generator) -> World:
        cube, _ = people.draw(rng)
        summaries = tuple(
            Summary(f"d{d}", name, f"Text {max(k, 1)} of document {d}.")
            for d in range(people.documents)
            for k, name in enumerate(names(len(people.gaps)))
        )
        return World(Corpus(summaries=summaries, ratings=tuple(ratings_of(cube))))

    return draw


NAMED = [
    Shape("11 dimensions, 4 equal systems x 20 documents", dimensions(11, People(EQUAL[4], 20, 2)),
          ("families",)),
    Shape("3 dimensions, 8 equal systems x 20 documents", dimensions(3, People(EQUAL[8], 20, 2)),
          ("families",)),
    Shape("one system under two names", twins(People(EQUAL[4], 20, 2)), ("twins",)),
]  # fmt: skip


# Answers


def answered(shares: Sequence[float], documents: int) -> Callable[[np.random.Generator], World]:
    def draw(rng: np.random.Generator) -> World:
        answers = []
        for d in range(documents):
            tilt = rng.dirichlet(np.array(shares) * 8)
            for a in range(3):
                option = "abc"[rng.choice(len(shares), p=tilt)]
                answers.append(Response(f"d{d}", "s0", "s0", f"a{a}", "which?", "choice", option))
        values = {("share", "abc"[k]): share for k, share in enumerate(shares)}
        return World(Corpus(responses=tuple(answers)), values=values)

    return draw


ANSWERED = [
    Shape(f"a question with three options, {d} documents", answered((0.5, 0.3, 0.2), d),
          ("shares covered", "answers"))
    for d in (3, 5, 10, 30)
]  # fmt: skip


# Campaigns that rate the same summaries


def campaigns(
    people: People,
    shifts: Sequence[float],
    *,
    judges: int | None = None,
    same: bool = False,
    spread: Sequence[float] | None = None,
) -> Callable[[np.random.Generator], World]:
    """Campaigns with annotators of their own, or the same ones, each with a shift of its ratings.

    So many `judges` of the annotators rate a summary; `spread` is each campaign's noise.
    """

    def draw(rng: np.random.Generator) -> World:
        a, d, s = people.annotators, people.documents, len(people.gaps)
        truth = (
            people.centre + np.array(people.gaps) + rng.normal(0, people.document, (d, 1))
            + rng.normal(0, people.summary, (d, s))
        )  # fmt: skip
        severity = rng.normal(0, people.severity, (len(shifts), a, 1, 1))
        severity = np.broadcast_to(severity[:1], severity.shape) if same else severity
        ratings = []
        for k, shift in enumerate(shifts):
            noise = people.noise if spread is None else spread[k]
            cube = truth + shift + severity[k] + rng.normal(0, noise, (a, d, s))
            cube = likert(cube) if people.whole else cube
            if judges is not None:
                cube = np.where(crowd(judges)(rng, cube), cube, np.nan)
            ratings += [
                replace(rating, campaign=f"c{k}",
                        annotator=rating.annotator if same else f"c{k} {rating.annotator}")
                for rating in ratings_of(cube)
            ]  # fmt: skip
        values = {
            ("campaigns", f"c{i}", f"c{j}"): shifts[i] - shifts[j]
            for i, j in combinations(range(len(shifts)), 2)
            if not people.whole
        }
        equal = spread is None or len({*spread}) == 1
        worth = {f"c{k}": shift for k, shift in enumerate(shifts)}
        values[("spread",)] = float(not equal)
        return World(
            Corpus(ratings=tuple(ratings)), worth=worth, values=values,
            options=StudyOptions(resamples=40, by="campaign"),
        )  # fmt: skip

    return draw


_SEVERE = People((0.0, 0.2, 0.4), 20, 3, severity=0.45, noise=0.6)
CAMPAIGNS = [
    Shape(f"3 campaigns without a difference, {what}", draw, ("campaigns", "campaigns covered"))
    for what, draw in (
        ("3 annotators each (severity 0.45)", campaigns(replace(_SEVERE, whole=False), (0, 0, 0))),
        ("3 annotators each, whole ratings", campaigns(_SEVERE, (0, 0, 0))),
        ("12 annotators each", campaigns(
            replace(_SEVERE, annotators=12, documents=8, whole=False), (0, 0, 0))),
        ("3 of 30 annotators a summary", campaigns(
            replace(_SEVERE, annotators=30, whole=False), (0, 0, 0), judges=3)),
        ("the same 3 annotators", campaigns(
            replace(_SEVERE, whole=False), (0, 0, 0), same=True)),
        ("3 annotators, 4 documents", campaigns(
            replace(_SEVERE, documents=4, whole=False), (0, 0, 0))),
    )
] + [
    Shape("3 campaigns, one a point higher, the same 5 annotators", campaigns(
        replace(_SEVERE, annotators=5, whole=False), (1, 0, 0), same=True),
        ("campaigns", "campaigns covered")),
]  # fmt: skip


def shapes() -> Iterator[Shape]:
    for group in (RATED, MEANS, COMPARED, RANKED, MARKED, MEASURED, CORRELATED, AGREED, JUDGED,
                  ADAPTIVE, HELPED, NAMED, ANSWERED, ACCURATE, CONFIDENT,
                  CAMPAIGNS):  # fmt: skip
        yield from group
