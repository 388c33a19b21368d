"""Metrics on word vectors: worked by hand on points of the plane, and equal to POT and gensim."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from gistmark.errors import GistmarkError, UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import GROUPS, metric_from
from gistmark.metrics.embedding import word_vectors as module
from gistmark.metrics.embedding.word_vectors import (
    NO_DIRECTION,
    NO_KNOWN_WORDS,
    TOO_MANY_WORDS,
    WordMoversDistance,
    WordVectorCosine,
)
from gistmark.metrics.kernels.transport import movers_distances
from gistmark.metrics.metric import Metric, Values
from gistmark.models import model_folder, models_folder

PLANE = """\
east 1 0
north 0 1
west -1 0
far 3 4
nil 0 0
the 9 9
橋 0 2
"""
FETCHED = models_folder()
KINDS = (WordVectorCosine, WordMoversDistance)


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("vectors") / "plane.txt"
    path.write_text(PLANE, encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GISTMARK_MODELS", str(tmp_path / "models"))


def scored(kind: type[Metric], plane: str, *items: Item, **options: object) -> Values:
    return kind(kind.Options(vectors=plane, **options)).score(Batch.of(list(items)))


def value(kind: type[Metric], plane: str, summary: str, target: str, **options: object) -> float:
    return float(scored(kind, plane, Item(summary, (target,)), **options).values[0, 0])


@pytest.mark.parametrize(
    ("summary", "target", "cosine"),
    [
        ("east", "north", 0),
        ("east", "far far", 3 / 5),  # (1, 0) . (6, 8) / (1 * 10)
        ("east north", "north", 1 / sqrt(2)),  # (1, 1) . (0, 1) / (sqrt 2 * 1)
        ("East, east! North?", "east", 2 / sqrt(5)),  # (2, 1) . (1, 0) / (sqrt 5 * 1)
        ("east", "west", -1),
        ("east unheard", "east", 1),
        ("橋", "north", 1),
    ],
)
def test_the_cosine_by_hand(summary: str, target: str, cosine: float, plane: str):
    assert value(WordVectorCosine, plane, summary, target) == pytest.approx(cosine, abs=1e-12)


@pytest.mark.parametrize(
    ("summary", "target", "distance"),
    [
        ("east", "east", 0),
        ("east", "west", 2),
        ("east", "north", sqrt(2)),
        ("north", "far", sqrt(18)),  # (0, 1) to (3, 4): sqrt(9 + 9)
        # east keeps half its mass where it is; the other half goes to west: 1/2 * 2
        ("east", "east west", 1),
        # 2/3 east, 1/3 north to 1/2 east, 1/2 west; 1/2 stays at east, 1/6 goes from east to west
        # (2), 1/3 from north to west (sqrt 2): 1/3 + sqrt(2)/3
        ("east east north", "east west", (1 + sqrt(2)) / 3),
        # crossing over: east to far costs sqrt(4 + 16), nil to west 1; the other way nil to far 5,
        # east to west 2: (sqrt(20) + 1) / 2 is less than 7 / 2
        ("east nil", "far west", (sqrt(20) + 1) / 2),
        ("east the the", "the north", sqrt(2)),
        ("east unheard of", "north", sqrt(2)),
    ],
)
def test_the_movers_distance_by_hand(summary: str, target: str, distance: float, plane: str):
    assert value(WordMoversDistance, plane, summary, target) == pytest.approx(distance, abs=1e-12)
    assert value(WordMoversDistance, plane, target, summary) == pytest.approx(distance, abs=1e-12)


def test_vectors_may_be_brought_to_length_1(plane: str):
    # far becomes (3/5, 4/5): its distance to east is sqrt(4/25 + 16/25)
    result = value(WordMoversDistance, plane, "east", "far", unit=True)
    assert result == pytest.approx(sqrt(20) / 5)
    # (1, 0) + (3/5, 4/5) = (8/5, 4/5), whose cosine with (1, 0) is 2 / sqrt 5
    cosine = value(WordVectorCosine, plane, "east far", "east", unit=True)
    assert cosine == pytest.approx(2 / sqrt(5))


def test_stop_words_count_only_where_they_are_asked_for(plane: str):
    with_them = value(WordMoversDistance, plane, "east the", "east", stop=False)
    assert with_them == pytest.approx(sqrt(64 + 81) / 2)  # half of the mass goes (9, 9) to (1, 0)
    assert value(WordVectorCosine, plane, "the", "far") == pytest.approx(7 / (5 * sqrt(2)))
    item = Item("the", ("far",))
    assert scored(WordVectorCosine, plane, item, stop=True).reasons == {0: NO_KNOWN_WORDS}


def test_only_letters_stay_of_words_between_spaces_as_in_the_emfos_thesis(plane: str):
    emfos = {"tok": "space", "letters": True, "known": 0.0}
    # "East-west" is one word, "eastwest", which is not known; "9" has no letters and is no word.
    summary, target = "East, (north)? 9 East-west", "e4ast"
    scores = scored(WordVectorCosine, plane, Item(summary, (target,)), **emfos)
    np.testing.assert_allclose(scores.values[0], [1 / sqrt(2), 2 / 3])  # (1, 1) . (1, 0) / sqrt 2
    assert value(WordMoversDistance, plane, "East,", "east!", **emfos) == 0
    plain = WordVectorCosine(WordVectorCosine.Options(vectors=plane)).signature
    lettered = WordVectorCosine(WordVectorCosine.Options(vectors=plane, **emfos)).signature
    assert "letters" not in plain
    assert "|letters:yes|" in lettered


def test_the_thesis_averages_downloaded_vectors_without_a_floor():
    lettered = [spec for spec in GROUPS["emfos40"] if "letters=yes" in spec]
    assert [metric_from(spec).options.known for spec in lettered] == [0, 0]
    assert [metric_from(spec).options.tok for spec in lettered] == ["space", "space"]


def test_of_several_references_the_nearest_counts(plane: str):
    item = Item("east", ("west", "north", "", "unheard"))
    assert scored(WordMoversDistance, plane, item).values[0, 0] == pytest.approx(sqrt(2))
    assert scored(WordVectorCosine, plane, item).values[0, 0] == pytest.approx(0)
    mean = scored(WordMoversDistance, plane, item, refs="mean").values[0, 0]
    assert mean == pytest.approx((2 + sqrt(2)) / 2)
    jackknife = scored(WordVectorCosine, plane, item, refs="jackknife").values[0, 0]
    assert jackknife == pytest.approx((0 - 1) / 2)


@pytest.mark.parametrize("kind", KINDS)
def test_the_document_may_be_the_target(kind: type[Metric], plane: str):
    item = Item("east", ("west",), "north")
    against_document = scored(kind, plane, item, against="document")
    assert against_document.values[0, 0] == value(kind, plane, "east", "north")
    metric = kind(kind.Options(vectors=plane, against="document"))
    assert metric.needs == {"documents"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["", " \n", "👍", "unheard", "दरार"])
def test_a_text_without_known_words_is_missing_with_a_reason(
    kind: type[Metric], text: str, plane: str
):
    result = scored(kind, plane, Item(text, ("east",)), Item("east", (text,)), Item("east"))
    assert np.isnan(result.values[:, 0]).all()
    assert result.reasons[2] == "the document has no reference"
    if text in ("unheard", "दरार"):
        assert result.reasons[0].startswith("none of the summary's words ")
        assert result.reasons[1].startswith("none of the reference's words ")
        result = scored(kind, plane, Item(text, ("east",)), Item("east", (text,)), known=0)
    assert [result.reasons[item] for item in (0, 1)] == [NO_KNOWN_WORDS, NO_KNOWN_WORDS]


def test_vectors_that_cancel_have_no_direction(plane: str):
    items = [Item("east west", ("east",)), Item("nil", ("east",))]
    assert scored(WordVectorCosine, plane, *items).reasons == {0: NO_DIRECTION, 1: NO_DIRECTION}
    assert scored(WordMoversDistance, plane, *items).values[:, 0].tolist() == [1, 1]


def test_too_many_words_are_a_reason_not_a_full_memory(plane: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MOST_CELLS", 3)
    items = [Item("east north", ("west far",)), Item("east north", ("west",))]
    assert scored(WordMoversDistance, plane, *items).reasons == {0: TOO_MANY_WORDS}


TEXTS = ["east", "east north", "far the west", "", "👍", "橋 east", "nil nil west", "unheard far"]
ITEMS = [Item(a, (b, c), c) for a in TEXTS for b, c in zip(TEXTS, TEXTS[3:] + TEXTS[:3])]  # noqa: B905


@pytest.mark.parametrize("against", ["references", "document"])
@pytest.mark.parametrize("kind", KINDS)
def test_order_and_company_do_not_matter(kind: type[Metric], against: str, plane: str):
    whole = scored(kind, plane, *ITEMS, against=against)
    back = scored(kind, plane, *ITEMS[::-1], against=against)
    np.testing.assert_allclose(back.values[::-1], whole.values, rtol=0, atol=1e-12)
    for position, item in enumerate(ITEMS):
        alone = scored(kind, plane, item, against=against)
        np.testing.assert_allclose(alone.values[0], whole.values[position], rtol=0, atol=1e-12)
        assert alone.reasons.get(0) == whole.reasons.get(position)
    missing = set(np.flatnonzero(np.isnan(whole.values[:, 0])).tolist())
    assert missing == set(whole.reasons)
    assert scored(kind, plane).values.shape == (0, 2)


def test_each_distinct_word_is_looked_up_and_each_distinct_pair_compared_once(
    plane: str, monkeypatch: pytest.MonkeyPatch
):
    asked: list[int] = []

    def counting(*arguments: object) -> object:
        asked.append(len(arguments[4]))  # type: ignore[arg-type]
        return movers_distances(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("gistmark.metrics.kernels.transport.movers_distances", counting)
    scored(WordMoversDistance, plane, *[Item("east", ("west",)), Item("east", ("far",))] * 3)
    assert asked == [2]


@pytest.mark.parametrize("kind", KINDS)
def test_the_signature_names_the_vectors_by_their_hash(kind: type[Metric], plane: str):
    signature = kind(kind.Options(vectors=plane)).signature
    *_, last = signature.split("|")
    assert last.startswith("vectors:plane.txt@")
    assert kind().signature.endswith("|vectors:glove-6b-50d@5c2b08fb0cd0")
    family, _, *options = signature.split("|")
    assert family == kind.family
    assert options == sorted(options)


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_model_names_the_command_and_is_not_fetched(kind: type[Metric]):
    with pytest.raises(GistmarkError, match="get it with: gistmark models get glove-6b-50d"):
        kind().score(Batch.of([Item("east", ("west",))]))


bags = st.lists(st.tuples(st.integers(0, 29), st.integers(1, 5)), min_size=1, max_size=25)


@given(left=bags, right=bags, seed=st.integers(0, 2**32 - 1), flat=st.booleans())
def test_the_distance_is_that_of_pot(
    left: list[tuple[int, int]], right: list[tuple[int, int]], seed: int, flat: bool
):
    """Also on points of a small grid, where many plans are equally good."""
    ot = pytest.importorskip("ot")
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 3, (30, 2)).astype(float) if flat else rng.normal(size=(30, 5))
    ours, theirs = dict(sorted(left)), dict(sorted(right))
    words = np.array([*ours, *theirs])
    counts = np.array([*ours.values(), *theirs.values()])
    offsets = np.array([0, len(ours), len(words)])
    pair = np.array([0]), np.array([1])
    result = movers_distances(words, counts, offsets, points, *pair)[0]
    costs = cdist(points[list(ours)], points[list(theirs)])
    weights = [np.array(list(bag.values())) / sum(bag.values()) for bag in (ours, theirs)]
    assert result == pytest.approx(ot.emd2(*weights, costs), abs=1e-9)


@pytest.mark.parametrize(("ours", "theirs"), [(300, 300), (300, 90), (40, 400)])
@pytest.mark.parametrize("flat", [False, True])
def test_the_distance_of_long_texts_is_that_of_pot(ours: int, theirs: int, flat: bool):
    """So long that arcs join several times, and that a row has columns beyond the first few."""
    ot = pytest.importorskip("ot")
    rng = np.random.default_rng(ours + theirs)
    size = ours + theirs
    points = rng.integers(0, 6, (size, 3)).astype(float) if flat else rng.normal(size=(size, 50))
    counts = rng.integers(1, 9, size)
    offsets = np.array([0, ours, size])
    result = movers_distances(
        np.arange(size), counts, offsets, points, np.array([0]), np.array([1])
    )[0]
    weights = [part / part.sum() for part in np.split(counts, [ours])]
    expected = ot.emd2(*weights, cdist(points[:ours], points[ours:]), numItermax=10_000_000)
    assert result == pytest.approx(expected, abs=1e-9)


def test_the_distance_is_that_of_gensim(tmp_path: Path):
    gensim = pytest.importorskip("gensim.models")
    pytest.importorskip("ot")
    rng = np.random.default_rng(7)
    words = [f"w{number}" for number in range(200)]
    peer = gensim.KeyedVectors(8)
    peer.add_vectors(words, rng.normal(size=(200, 8)).astype(np.float32))
    path = str(tmp_path / "random.kv")
    peer.save(path)
    texts = [list(rng.choice(words, rng.integers(1, 60))) for _ in range(60)]
    items = [Item(" ".join(a), (" ".join(b),)) for a, b in zip(texts[:30], texts[30:], strict=True)]
    for unit in (False, True):
        result = scored(WordMoversDistance, path, *items, unit=unit).values[:, 0]
        expected = [
            peer.wmdistance(a, b, norm=unit) for a, b in zip(texts[:30], texts[30:], strict=True)
        ]
        np.testing.assert_allclose(result, expected, rtol=0, atol=1e-6)


# Pipelines of spaCy


@pytest.fixture(scope="module")
def spacy_plane(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The vectors of PLANE as a pipeline."""
    import spacy

    nlp = spacy.blank("en")
    for line in PLANE.splitlines():
        word, *numbers = line.split()
        nlp.vocab.set_vector(word, np.array(numbers, dtype=np.float32))
    folder = tmp_path_factory.mktemp("pipelines") / "plane"
    nlp.to_disk(folder)
    return str(folder)


@pytest.mark.parametrize("against", ["references", "document"])
def test_with_the_embedded_pipeline_the_cosine_is_spacys_similarity(
    against: str, monkeypatch: pytest.MonkeyPatch, sample_summaries: list[dict[str, str]]
):
    import spacy

    monkeypatch.setenv("GISTMARK_MODELS", str(FETCHED))
    peer = spacy.load(model_folder("en_core_web_sm"))
    texts = [entry["text"] for entry in sample_summaries[:12]]
    items = [Item(a, (b,), c) for a, b, c in zip(texts[:4], texts[4:8], texts[8:], strict=True)]
    metric = metric_from(f"wordvec-cosine:vectors=en_core_web_sm,against={against}")
    result = metric.score(Batch.of(items))
    targets = [item.references[0] if against == "references" else item.document for item in items]
    with pytest.warns(UserWarning, match="no word vectors loaded"):
        expected = [
            peer(item.summary).similarity(peer(target))
            for item, target in zip(items, targets, strict=True)
        ]
    np.testing.assert_allclose(result.values[:, 0], expected, rtol=0, atol=1e-6)
    for position, item in enumerate(items):
        alone = metric.score(Batch.of([item]))
        np.testing.assert_allclose(alone.values[0], result.values[position], rtol=0, atol=1e-6)


def test_with_a_pipeline_every_token_of_spacys_counts(spacy_plane: str):
    # "east", "," and "north" average to (1, 1) / 3, whose cosine with (0, 1) is 1 / sqrt 2.
    result = value(WordVectorCosine, spacy_plane, "east, north", "north")
    assert result == pytest.approx(1 / sqrt(2), abs=1e-6)
    items = [Item("", ("east",)), Item("east", ("unheard",)), Item("east west", ("east",))]
    reasons = scored(WordVectorCosine, spacy_plane, *items, known=0).reasons
    assert reasons == {0: NO_KNOWN_WORDS, 1: NO_KNOWN_WORDS, 2: NO_DIRECTION}
    assert scored(WordVectorCosine, spacy_plane).values.shape == (0, 2)


def test_the_movers_distance_takes_a_pipelines_table_of_words(spacy_plane: str, plane: str):
    for summary, target in [("east", "east west"), ("east east north", "east west"), ("far", "橋")]:
        ours = value(WordMoversDistance, spacy_plane, summary, target)
        assert ours == pytest.approx(value(WordMoversDistance, plane, summary, target), abs=1e-6)


def test_the_movers_distance_needs_word_vectors(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GISTMARK_MODELS", str(FETCHED))
    metric = metric_from("wmd:vectors=en_core_web_sm")
    with pytest.raises(GistmarkError, match="en_core_web_sm has no table of word vectors; take"):
        metric.score(Batch.of([Item("east", ("west",))]))


@pytest.mark.parametrize("kind", KINDS)
def test_a_pipeline_that_is_not_installed_says_how_to_get_it(
    kind: type[Metric], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gistmark.models.store.spacy_package", lambda _: None)
    metric = kind(kind.Options(vectors="en_core_web_md"))
    with pytest.raises(GistmarkError, match="get it with: python -m spacy download en_core_web_md"):
        metric.score(Batch.of([Item("east", ("west",))]))
    assert metric.signature.endswith("|vectors:en_core_web_md@missing")


@pytest.mark.parametrize("setting", ["tok=space", "letters=yes", "stop=yes", "unit=yes"])
def test_what_a_pipeline_does_by_itself_cannot_be_set(setting: str):
    match = rf"wordvec-cosine: {setting.partition('=')[0]} goes with plain word"
    with pytest.raises(UsageError, match=match):
        metric_from(f"wordvec-cosine:vectors=en_core_web_sm,{setting}")
    metric_from(f"wmd:vectors=en_core_web_md,{setting}")


def test_the_signature_of_a_pipeline_can_be_read_back(spacy_plane: str):
    for name in ("en_core_web_sm", "en_core_web_lg", "glove-twitter-25", "glove-6b-50d"):
        metric = metric_from(f"wordvec-cosine:vectors={name}")
        shown = metric.signature.rpartition("vectors:")[2]
        assert metric_from(f"wordvec-cosine:vectors={shown}").signature == metric.signature
    signature = metric_from(f"wordvec-cosine:vectors={spacy_plane}").signature
    assert signature.rpartition("|")[2].startswith("vectors:plane@")
