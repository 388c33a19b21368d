"""Draws corpora that hold anything a corpus may hold."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from gistmark.corpus import Corpus
from gistmark.corpus.corpus import reference_name, reference_number
from gistmark.records import (
    Comparison,
    ContentUnit,
    Document,
    ErrorSpan,
    Highlight,
    Planted,
    Presence,
    Question,
    Rating,
    Response,
    Summary,
    item_name,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TRICKY = st.sampled_from(
    [
        "",
        " ",
        "a\r",
        "\r\na",
        'say "hi", all',
        "\x00",
        "\x85\u2028",
        "'=1",
        "e\u0301👩‍👩‍👧",
        "\ufeffa",
        "שלום",
    ]
)
ANY_TEXT = TEXTS | TRICKY
NAMES = ANY_TEXT.filter(lambda name: bool(name) and not name.isspace())
SYSTEMS = NAMES.filter(lambda name: reference_number(name) is None)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(1, 5).map(float)
MAYBE_NUMBERS = st.none() | NUMBERS


@st.composite
def documents(
    draw: DrawFn,
    ids: list[str],
    *,
    text: SearchStrategy[str] = ANY_TEXT,
    several: bool = False,
    titles: SearchStrategy[str | None] = st.none(),  # noqa: B008
    langs: SearchStrategy[str | None] = st.none(),  # noqa: B008
) -> tuple[Document, ...]:
    texts = st.lists(text, min_size=1, max_size=3 if several else 1).map(tuple)
    return tuple(Document(id, draw(texts), draw(titles), draw(langs)) for id in ids)


@st.composite
def summaries(
    draw: DrawFn,
    ids: list[str],
    *,
    text: SearchStrategy[str] = ANY_TEXT,
    names: SearchStrategy[str] = NAMES,
    numbered: bool = False,
    complete: bool = False,
    title: SearchStrategy[str | None] = st.none(),  # noqa: B008
    anonymous: SearchStrategy[bool] = st.just(False),  # noqa: B008
) -> tuple[Summary, ...]:
    """Summaries and references; `complete` gives every document all of them."""
    systems = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    if numbered:
        references = [reference_name(n) for n in range(1, draw(st.integers(0, 3)) + 1)]
    else:
        fresh = names.filter(lambda name: name not in systems)
        references = draw(st.lists(fresh, max_size=2, unique=True))
    result = []
    for id in ids:
        here = references if complete or numbered else draw(some(references))
        result += [
            Summary(id, name, draw(text), draw(title), True, draw(anonymous)) for name in here
        ]
        chosen = systems if complete else draw(some(systems))
        result += [
            Summary(id, name, draw(text), draw(title), anonymous=draw(anonymous)) for name in chosen
        ]
    return tuple(result) or (Summary(ids[0], systems[0], draw(text), draw(title)),)


def some(values: list[str]) -> SearchStrategy[list[str]]:
    if not values:
        return st.just([])
    return st.lists(st.sampled_from(values), unique=True, max_size=len(values))


ID_LISTS = st.lists(NAMES, min_size=1, max_size=3, unique=True)


@st.composite
def corpora(draw: DrawFn) -> Corpus:
    """Anything that the folder can hold."""
    ids = draw(ID_LISTS)
    titles = st.none() | ANY_TEXT
    written = draw(summaries(ids, title=titles, anonymous=st.booleans()))
    has_documents = draw(st.booleans())
    known = draw(documents(ids, several=True, titles=titles, langs=titles)) if has_documents else ()
    units = draw(content_units(written))
    return Corpus(
        documents=known,
        summaries=written,
        ratings=draw(ratings(written)),
        comparisons=draw(comparisons(written)),
        highlights=draw(highlights(known)),
        questions=tuple(
            draw(
                st.lists(st.builds(Question, st.sampled_from(ids), ANY_TEXT, st.booleans(), ABOUT))
            )
        ),
        planted=tuple(
            draw(
                st.lists(
                    st.builds(
                        Planted, ANY_TEXT, ANY_TEXT, ANY_TEXT, st.none() | st.sampled_from(ids)
                    ),
                    max_size=2,
                )
            )
        ),
        units=units,
        presence=draw(presence(units, written)),
        spans=draw(error_spans(written, known)),
        responses=draw(responses(written)),
    )


ABOUT = st.sampled_from(["document", "reference"])


def ratings(
    written: tuple[Summary, ...],
    *,
    annotators: SearchStrategy[str] = NAMES,
    details: SearchStrategy[float | None] = MAYBE_NUMBERS,
    campaigns: SearchStrategy[str | None] = st.none() | NAMES,  # noqa: B008
) -> SearchStrategy[tuple[Rating, ...]]:
    one = st.builds(
        lambda s, *rest: Rating(s.document, s.system, *rest),
        st.sampled_from(written),
        annotators,
        NAMES,
        NUMBERS,
        details,
        details,
        details,
        campaigns,
    )
    cell = lambda r: (r.document, r.system, r.annotator, r.dimension, r.campaign)  # noqa: E731
    return st.lists(one, max_size=5, unique_by=cell).map(tuple)


OUTCOMES = st.sampled_from([("left", None), ("right", None), ("left", 2), ("tie", None)])


def comparisons(
    written: tuple[Summary, ...],
    outcomes: SearchStrategy[tuple[str, int | None]] = OUTCOMES,
) -> SearchStrategy[tuple[Comparison, ...]]:
    pairs = [
        (a.document, a.system, b.system)
        for a in written
        for b in written
        if a.document == b.document and a.system != b.system
    ]
    if not pairs:
        return st.just(())
    one = st.builds(
        lambda pair, annotator, dimension, outcome: Comparison(
            *pair, annotator, dimension, *outcome
        ),
        st.sampled_from(pairs),
        NAMES,
        NAMES,
        outcomes,
    )
    cell = lambda c: (c.document, c.left, c.right, c.annotator, c.dimension)  # noqa: E731
    return st.lists(one, max_size=4, unique_by=cell).map(tuple)


@st.composite
def highlights(draw: DrawFn, known: tuple[Document, ...]) -> tuple[Highlight, ...]:
    result = []
    for document in known:
        length = len(document.text)
        for _ in range(draw(st.integers(0, 2)) if length else 0):
            start = draw(st.integers(0, length - 1))
            end = draw(st.integers(start + 1, length))
            budget = draw(st.none() | st.integers(1, 99))
            result.append(Highlight(document.id, draw(NAMES), start, end, budget))
    return tuple(result)


def content_units(written: tuple[Summary, ...]) -> SearchStrategy[tuple[ContentUnit, ...]]:
    one = st.builds(
        lambda s, id, text, weight, named, annotator: ContentUnit(
            s.document, id, text, weight, s.system if named else None, annotator
        ),
        st.sampled_from(written),
        NAMES,
        NAMES,
        st.floats(0, exclude_min=True, allow_nan=False, allow_infinity=False),
        st.booleans(),
        st.none() | NAMES,
    )
    return st.lists(one, max_size=4, unique_by=lambda unit: (unit.document, unit.id)).map(tuple)


def presence(
    units: tuple[ContentUnit, ...], written: tuple[Summary, ...]
) -> SearchStrategy[tuple[Presence, ...]]:
    cells = [
        (u.document, u.id, s.system) for u in units for s in written if u.document == s.document
    ]
    if not cells:
        return st.just(())
    one = st.builds(
        lambda cell, *rest: Presence(*cell, *rest), st.sampled_from(cells), NAMES, st.booleans()
    )
    cell = lambda p: (p.document, p.unit, p.system, p.annotator)  # noqa: E731
    return st.lists(one, max_size=4, unique_by=cell).map(tuple)


@st.composite
def error_spans(
    draw: DrawFn, written: tuple[Summary, ...], known: tuple[Document, ...]
) -> tuple[ErrorSpan, ...]:
    """Spans, errors of whole summaries, and annotators who marked nothing."""
    lengths = {document.id: len(document.text) for document in known}
    details = st.none() | NAMES
    result = []
    for summary in written:
        annotator, judged = draw(NAMES), (summary.document, summary.system)
        kind = draw(st.sampled_from(["unjudged", "none", "whole", "span"]))
        start, end, *source = None, None, None, None
        if kind == "span" and summary.text:
            start = draw(st.integers(0, len(summary.text) - 1))
            end = draw(st.integers(start + 1, len(summary.text)))
            if lengths.get(summary.document, 0) and draw(st.booleans()):
                source = [0, draw(st.integers(1, lengths[summary.document]))]
        if kind in ("whole", "span"):
            rest = (draw(NAMES), draw(details), draw(details), *source)
            result.append(ErrorSpan(*judged, annotator, start, end, *rest))
        elif kind == "none":
            result.append(ErrorSpan(*judged, annotator, comment=draw(details)))
    return tuple(result)


RESPONSES = st.sampled_from(["choice", "choices", "yes-no", "text", "ranking", "best-worst"])


@st.composite
def responses(draw: DrawFn, written: tuple[Summary, ...]) -> tuple[Response, ...]:
    """Answers about documents, summaries and sets; no two to the same question."""
    by_document: dict[str, list[str]] = {}
    for summary in written:
        by_document.setdefault(summary.document, []).append(summary.system)
    result: list[Response] = []
    for document, names in by_document.items():
        for number, type in enumerate(draw(st.lists(RESPONSES, max_size=3))):
            about = draw(_answered(type, names))
            shown = names if type in ("ranking", "best-worst") else draw(some(names))
            origin = (draw(NAMES), f"{type} {number}", type)
            rest = (draw(st.none() | NAMES), draw(MAYBE_NUMBERS))
            result += [
                Response(document, item_name(shown), system, *origin, value, *rest)
                for system, value in about
            ]
    return tuple(result)


def _answered(type: str, names: list[str]) -> SearchStrategy[list[tuple[str | None, str]]]:
    """Systems and values of the rows of one answer."""
    if type in ("ranking", "best-worst"):
        if len(names) < 2:
            return st.just([])
        words = ["best", "worst", *[""] * (len(names) - 2)]
        values = st.permutations(words) if type == "best-worst" else st.just(["1"] * len(names))
        return values.map(lambda each: list(zip(names, each, strict=True)))
    options = {
        "choice": st.lists(NAMES, min_size=1, max_size=1),
        "choices": st.just([""]) | st.lists(NAMES, min_size=1, max_size=3, unique=True),
        "yes-no": st.sampled_from([["yes"], ["no"], ["unsure"]]),
        "text": st.lists(ANY_TEXT, min_size=1, max_size=1),
    }
    return options[type].map(lambda values: [(None, value) for value in values])
