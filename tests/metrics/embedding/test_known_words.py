"""The floor of known words, worked by hand on a few vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.embedding.known_words import Floor
from gistmark.metrics.metric import Values
from gistmark.scoring.work import score_batch

NAMES = ("wmd", "wordvec-cosine")


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("vectors") / "plane.txt"
    path.write_text("east 1 0\nnorth 0 1\nwest -1 0\n", encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GISTMARK_MODELS", str(tmp_path / "models"))


def scored(spec: str, plane: str, *items: Item, settings: str = "") -> Values:
    return metric_from(f"{spec}:vectors={plane}{settings}").score(Batch.of(list(items)))


@pytest.mark.parametrize("name", NAMES)
def test_texts_that_share_their_only_known_word_are_not_equal(name: str, plane: str):
    item = Item("Quiltrane frobbed brimp east", ("Kalumbo wixit east",))
    result = scored(name, plane, item)
    assert np.isnan(result.values[0, 0])
    assert result.values[0, 1] == 1 / 4
    assert result.reasons[0].startswith("only 25 % of the summary's words ")
    assert result.reasons[0].endswith(" are known to plane.txt (known=0.5 requires 50 %)")


@pytest.mark.parametrize(("name", "equal"), [("wmd", 0.0), ("wordvec-cosine", 1.0)])
def test_without_a_floor_they_are(name: str, equal: float, plane: str):
    item = Item("Quiltrane frobbed brimp east", ("Kalumbo wixit east",))
    result = scored(name, plane, item, settings=",known=0")
    assert result.values[0].tolist() == [equal, 1 / 4]


@pytest.mark.parametrize("name", NAMES)
def test_half_of_the_words_of_both_texts_is_enough(name: str, plane: str):
    # 2 of 4 and 1 of 1 words are known, so the smaller share is a half.
    result = scored(name, plane, Item("east north brimp wixit", ("east",)))
    assert result.reasons == {}
    assert result.values[0, 1] == 1 / 2


def test_the_reason_names_the_side_of_which_less_is_known(plane: str):
    reference = Item("east brimp wixit", ("east brimp wixit frobbed",))
    assert "only 25 % of the reference's words" in scored("wmd", plane, reference).reasons[0]
    document = Item("east", (), "east brimp wixit frobbed")
    result = scored("wmd", plane, document, settings=",against=document")
    assert "only 25 % of the document's words" in result.reasons[0]


def test_stop_words_are_counted_only_where_they_are_compared(plane: str):
    # "the", "of" and "and" have no vectors here: known are 1 of 4 words, or 1 of 1 that counts.
    item = Item("the east of and", ("north",))
    assert scored("wmd", plane, item).values[0, 1] == 1
    result = scored("wordvec-cosine", plane, item)
    assert result.values[0, 1] == 1 / 4
    assert "of the summary's words are known" in result.reasons[0]
    content = scored("wmd", plane, Item("east brimp wixit", ("north",))).reasons[0]
    assert "of the summary's words other than stop words are known" in content


def test_of_several_references_those_that_are_known_count(plane: str):
    items = [Item("east", ("brimp wixit", "west")), Item("east", ("brimp", "east wixit brimp"))]
    result = scored("wmd", plane, *items)
    assert result.values[0].tolist() == [2, 1]
    assert result.reasons.keys() == {1}
    assert result.values[1, 1] == 1 / 3, "the share of the reference that is known best"


@pytest.mark.parametrize(
    ("least", "share", "amount"),
    [
        (0.5, 0.0, "none of the summary's"),
        (0.5, 0.004, "less than 1 % of the summary's"),
        (0.5, 0.123, "only 12 % of the summary's"),
        (0.5, 0.498, "just under 50 % of the summary's"),
        (0.025, 0.021, "only 2 % of the summary's"),
    ],
)
def test_the_share_is_never_told_as_what_is_asked_for(least: float, share: float, amount: str):
    assert Floor(least, "glove-6b-50d", False).reason(share, "summary").startswith(amount)


@pytest.mark.parametrize("name", NAMES)
def test_the_floor_is_in_the_signature(name: str):
    assert "|known:0.5|" in metric_from(name).signature
    assert "|known:0.25|" in metric_from(f"{name}:known=0.25").signature


@pytest.mark.parametrize("name", NAMES)
def test_the_floor_is_a_share(name: str):
    with pytest.raises(UsageError, match=f"^{name}: known is a share from 0 to 1, not 50.$"):
        metric_from(f"{name}:known=50")


def test_a_run_keeps_the_share_of_what_has_no_value(plane: str):
    metric = metric_from(f"wmd:vectors={plane}")
    batch = Batch.of([Item("east brimp wixit frobbed", ("east",)), Item("", ("east",))])
    (done,) = score_batch(batch, {"wmd": metric}, {"wmd": None})
    (values,) = done.values.values()
    assert np.isnan(values.values[:, 0]).all()
    assert values.values[0, 1] == 1 / 4
    assert np.isnan(values.values[1, 1])
