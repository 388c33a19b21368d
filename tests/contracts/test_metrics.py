"""What every metric promises, whichever it is; a metric joins by being in the catalogue.

Metrics on a neural model are tried on tiny models with random weights, and once each on the
embedded one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tiny_models
from gistmark.cli.demo import DEMO_SPECS
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import METRICS, metric_from
from gistmark.metrics.metric import Metric, OnModel, Values
from gistmark.records import COUNTS, PARTS, Highlight

STORY = (
    "The swing bridge closed on Tuesday. A painter had found a crack in the steel. "
    "Engineers say that it will stay shut for eleven weeks, and ferries will run."
)
GIST = "A crack shut the swing bridge for eleven weeks."
MARKS = (
    Highlight("story", "ann", 4, 35, 30),
    Highlight("story", "bob", 36, 76, 30),
    Highlight("story", "ann", 108, 130, 30),
)
LONG = " ".join(f"Sentence {number} tells of cat {number % 97}." for number in range(10_000))

ITEMS = {
    "normal": Item("The bridge is shut because of a crack.", (GIST,), STORY, MARKS),
    "empty summary": Item("", (GIST,), STORY, MARKS),
    "blank summary": Item(" \n\t", (GIST,), STORY, MARKS),
    "empty reference": Item(GIST, ("",), STORY, MARKS),
    "empty document": Item(GIST, (GIST,), ""),
    "all empty": Item("", ("",), ""),
    "no reference": Item(GIST, (), STORY, MARKS),
    "no document": Item(GIST, (GIST,)),
    "nothing but the summary": Item(GIST),
    "no highlights": Item(GIST, (GIST,), STORY),
    "one word": Item("Bridge", ("bridge",), "bridge", (Highlight("d", "ann", 0, 6),)),
    "emoji only": Item("👍", ("👍",), "👍👨\u200d👩\u200d👧", (Highlight("d", "ann", 0, 1),)),
    "another script": Item(
        "橋は閉鎖された。", ("橋は十一週間閉鎖。",), "橋に亀裂が見つかり、閉鎖された。",
        (Highlight("d", "ann", 0, 4),),
    ),
    "devanagari": Item("पुल बंद है।", ("पुल बंद",), "दरार के कारण पुल बंद है।"),
    "summary equal to document": Item(STORY, (GIST,), STORY, MARKS),
    "summary equal to reference": Item(GIST, (GIST,), STORY, MARKS),
    "several references": Item(GIST, ("Bridge shut.", GIST, "", "Steel cracks."), STORY, MARKS),
    "stop words only": Item("it is the", ("of the and",), "that of it"),
    "odd characters": Item("a\x00b \u2028c\x1cd \u212a\u0130", ("a b c d k i",), "a\x00b c\x85d"),
    "long": Item(GIST, (GIST,), LONG, (Highlight("d", "ann", 0, 40, 30),)),
    "long summary": Item(LONG, (GIST,), STORY, MARKS),
}  # fmt: skip
SHORT = [name for name in ITEMS if "long" not in name]
LONG_WORDS = 2_000
"""What a model gets: many more than it can read at once."""

NEEDS = {"references", "documents", "highlights"}


def long_model(folder: Path) -> Path:
    """A causal model that reads a whole prompt of a judge."""
    return tiny_models.causal_model(folder, longest=1536)


TINY: dict[str, tuple[Callable[[Path], Path], ...]] = {
    "blanc-help": (tiny_models.masked_model, tiny_models.causal_model),
    "blanc-tune": (tiny_models.masked_model, tiny_models.causal_model),
    "blanc-shannon": (tiny_models.causal_model,),
    "shannon": (tiny_models.causal_model,),
    "info-diff": (tiny_models.causal_model,),
    "bertscore": (tiny_models.encoder,),
    "mover-score": (tiny_models.encoder,),
    "sentence-cosine": (tiny_models.sentence_encoder,),
    "cls-cosine": (tiny_models.encoder,),
    "sentence-match": (tiny_models.sentence_encoder,),
    "pyramid": (tiny_models.entailment_model,),
    "judge": (long_model,),
    "gistmark-1": (tiny_models.sentence_encoder,),
    "learnt": (tiny_models.sentence_encoder,),
}
"""What kinds of model a metric on models takes; a new one is to be put in."""

QUICKER = {"blanc-tune": ",epochs=1,chunk=96,stride=96"}
"""Options for the suite's sake, where ten passes promise no more than one."""

Case = tuple[str, Callable[[Path], Path] | None]


def cases() -> Iterator[Case]:
    """Every metric, those on models once for each kind of model."""
    for name in METRICS.names():
        on_model = issubclass(METRICS.get(name), OnModel)
        yield from ((name, make) for make in (TINY[name] if on_model else (None,)))


def called(case: Case) -> str:
    name, make = case
    return name if make is None else f"{name}-{make.__name__}"


@pytest.fixture(scope="session")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case], str]:
    """The spec of a case, with the folder of its tiny model."""
    made: dict[Callable[[Path], Path], Path] = {}

    def written(case: Case) -> str:
        name, make = case
        if make is None:
            return name
        if make not in made:
            made[make] = make(tmp_path_factory.mktemp("models") / make.__name__)
        return f"{name}:model={made[make]}{QUICKER.get(name, '')}"

    return written


@pytest.fixture(scope="module", params=cases(), ids=called)
def metric(request: pytest.FixtureRequest, spec: Callable[[Case], str]) -> Metric:
    return metric_from(spec(request.param))


@pytest.fixture(scope="module")
def items(metric: Metric) -> dict[str, Item]:
    """All items; a model gets two thousand words where others get ten thousand sentences."""
    if not isinstance(metric, OnModel):
        return ITEMS
    text = " ".join(LONG.split()[:LONG_WORDS])
    return {
        **ITEMS,
        "long": replace(ITEMS["long"], document=text),
        "long summary": replace(ITEMS["long summary"], summary=text),
    }


@pytest.fixture(scope="module")
def together(metric: Metric, items: dict[str, Item]) -> Values:
    """All items scored in one batch."""
    return metric.score(Batch.of(list(items.values())))


def same(metric: Metric, values: Values, others: Values, places: Sequence[int]) -> None:
    """Rows of `values` equal those of `others` at `places`, reasons too."""
    np.testing.assert_allclose(
        values.values, others.values[list(places)], rtol=0, atol=metric.tolerance
    )
    expected = {new: others.reasons[old] for new, old in enumerate(places) if old in others.reasons}
    assert values.reasons == expected


def test_there_is_one_row_per_item_and_one_column_per_part(
    metric: Metric, together: Values
) -> None:
    assert together.values.shape == (len(ITEMS), len(metric.parts))
    assert together.values.dtype == np.float64


def test_a_value_is_missing_exactly_where_there_is_a_reason(
    metric: Metric, together: Values
) -> None:
    judging = [position for position, part in enumerate(metric.parts) if part != "known"]
    missing = np.isnan(together.values[:, judging])
    assert (missing.any(axis=1) == missing.all(axis=1)).all(), "a row is missing as a whole"
    assert set(np.flatnonzero(missing.all(axis=1)).tolist()) == set(together.reasons)


def test_reasons_are_phrases_that_a_reader_understands(together: Values) -> None:
    for index, reason in together.reasons.items():
        assert type(index) is int
        assert type(reason) is str
        assert len(reason.split()) >= 3
        assert reason == reason.strip()


def test_a_normal_item_has_a_value(together: Values) -> None:
    assert list(ITEMS).index("normal") not in together.reasons


def test_values_lie_within_the_range(metric: Metric, together: Values) -> None:
    for part, column in zip(metric.parts, together.values.T, strict=True):
        low, high = (0, np.inf) if part in COUNTS else metric.range
        result = column[~np.isnan(column)]
        assert np.isfinite(result).all()
        assert ((result >= low) & (result <= high)).all()
        assert part not in COUNTS or (result == np.round(result)).all()


@given(order=st.permutations(range(len(SHORT))))
@settings(max_examples=settings.default.max_examples // 10)
def test_the_order_of_the_batch_does_not_matter(
    metric: Metric, together: Values, order: list[int]
) -> None:
    names = [SHORT[position] for position in order]
    positions = [list(ITEMS).index(name) for name in names]
    same(metric, metric.score(Batch.of([ITEMS[name] for name in names])), together, positions)


def test_a_batch_equals_its_items_one_by_one(
    metric: Metric, items: dict[str, Item], together: Values
) -> None:
    for position, item in enumerate(items.values()):
        same(metric, metric.score(Batch.of([item])), together, [position])


def test_an_item_that_comes_twice_scores_the_same_twice(metric: Metric, together: Values) -> None:
    same(metric, metric.score(Batch.of([ITEMS["normal"], ITEMS["normal"]])), together, [0, 0])


def test_scoring_again_gives_the_very_same(metric: Metric) -> None:
    batch = Batch.of([ITEMS[name] for name in SHORT])
    first, second = metric.score(batch), metric.score(batch)
    fresh = metric_from_same(metric).score(Batch.of([ITEMS[name] for name in SHORT]))
    for other in (second, fresh):
        np.testing.assert_array_equal(first.values, other.values)
        assert first.reasons == other.reasons


def metric_from_same(metric: Metric) -> Metric:
    return type(metric)(metric.options)


def test_an_empty_batch_has_no_rows(metric: Metric) -> None:
    result = metric.score(Batch.of([]))
    assert result.values.shape == (0, len(metric.parts))
    assert result.reasons == {}


@pytest.mark.parametrize("item", [Item(""), Item("", ("",), ""), Item("a", ("",), "")])
def test_a_batch_without_any_words_is_no_trouble(metric: Metric, item: Item) -> None:
    result = metric.score(Batch.of([item, item]))
    assert result.values.shape == (2, len(metric.parts))


def test_the_batch_is_not_changed(metric: Metric) -> None:
    items = [ITEMS[name] for name in SHORT]
    batch = Batch.of(items)
    metric.score(batch)
    assert list(batch) == items


def test_the_signature_names_the_version_and_stays_the_same(metric: Metric) -> None:
    signature = metric.signature
    family, version, *options = signature.split("|")
    assert family == metric.family
    assert version.startswith("v:")
    assert version != "v:"
    assert options == sorted(options)
    assert all(name and value for name, _, value in (part.partition(":") for part in options))
    metric.score(Batch.of([ITEMS["normal"]]))
    assert metric.signature == metric_from_same(metric).signature == signature


def test_what_it_needs_is_known_and_enough(metric: Metric) -> None:
    """With only what it needs, the normal item has the same value."""
    assert metric.needs <= NEEDS
    full = ITEMS["normal"]
    needed = Item(
        full.summary,
        full.references if "references" in metric.needs else (),
        full.document if "documents" in metric.needs else None,
        full.highlights if "highlights" in metric.needs else (),
    )
    same(metric, metric.score(Batch.of([needed])), metric.score(Batch.of([full])), [0])


def test_without_what_it_needs_there_is_a_reason(metric: Metric) -> None:
    result = metric.score(Batch.of([Item(GIST)]))
    assert bool(result.reasons) == bool(metric.needs)


def test_direction_parts_and_range_are_told(metric: Metric) -> None:
    assert metric.better in ("higher", "lower", "neither")
    assert set(metric.parts) <= set(PARTS)
    assert ("value" in metric.parts) != (metric.parts == ("precision", "recall", "f"))
    low, high = metric.range
    assert low < high
    assert metric.main_part in ("f", "value")


def rewards_likeness(name: str) -> bool:
    metric = metric_from(name)
    return metric.better == "higher" and metric.needs == {"references"}


@pytest.mark.parametrize("case", [c for c in cases() if rewards_likeness(c[0])], ids=called)
def test_a_copy_of_the_reference_scores_best(case: Case, spec: Callable[[Case], str]) -> None:
    """Every part is at the top of its range, also when there are other references."""
    # The script's own recall of a copy, which raises its length twice to the power, is below 1.
    metric = metric_from("rougeW:base=paper" if case[0] == "rougeW" else spec(case))
    result = metric.score(Batch.of([Item(GIST, (GIST,)), Item(GIST, ("Steel.", GIST))])).values
    assert result == pytest.approx(np.full((2, len(metric.parts)), metric.range[1]), abs=1e-6)


@pytest.mark.parametrize("name", TINY)
def test_the_embedded_model_scores_a_normal_item(name: str) -> None:
    metric = metric_from(DEMO_SPECS.get(name, name))
    result = metric.score(Batch.of([ITEMS["normal"]]))
    assert result.reasons == {}
    low, high = metric.range
    assert np.isfinite(result.values).all()
    assert low <= result.values[0, metric.parts.index(metric.main_part)] <= high
