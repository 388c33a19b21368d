"""Pipelines of spaCy: the vectors are spaCy's own, and what is not here says how to get it."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from gistmark.errors import GistmarkError
from gistmark.models import model_folder, models_folder
from gistmark.models.vectors import pipelines
from gistmark.models.vectors.pipelines import is_pipeline, pipeline, pipeline_label

FETCHED = models_folder()
TEXTS = [
    "The swing bridge closed on Tuesday. A painter had found a crack in the steel.",
    "Bridge",
    "",
    " \n\n ",
    "👍 橋は閉鎖された。",
    "one  two\n\nthree",
]


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the embedded pipeline, as `gistmark models get` put it."""
    monkeypatch.setenv("GISTMARK_MODELS", str(FETCHED))
    return model_folder("en_core_web_sm")


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline with word vectors in the plane."""
    import spacy

    nlp = spacy.blank("en")
    for word, vector in {"east": (1, 0), "north": (0, 1), "far": (3, 4)}.items():
        nlp.vocab.set_vector(word, np.array(vector, dtype=np.float32))
    folder = tmp_path_factory.mktemp("pipelines") / "plane"
    nlp.to_disk(folder)
    return folder


def test_the_vectors_of_texts_are_those_of_spacy(embedded: Path):
    import spacy

    peer = spacy.load(embedded)
    result = pipeline("en_core_web_sm").text_vectors(TEXTS).rows
    assert result.shape == (len(TEXTS), 96)
    for text, vector in zip(TEXTS, result, strict=True):
        expected = peer(text).vector if text else np.zeros(96)
        np.testing.assert_allclose(vector, expected, rtol=0, atol=1e-6)
    assert not result[2].any()


def test_only_what_vectors_come_from_is_loaded(embedded: Path, plane: Path):
    assert pipeline("en_core_web_sm").nlp.pipe_names == ["tok2vec"]
    assert pipeline(str(plane)).nlp.pipe_names == []


def test_the_vector_of_a_text_is_the_mean_over_its_tokens(plane: Path):
    result = (
        pipeline(str(plane)).text_vectors(["east north far", "east unheard", "", "unheard"]).rows
    )
    # (1, 0) + (0, 1) + (3, 4) = (4, 5) over three tokens; an unknown token counts as (0, 0).
    expected = [[4 / 3, 5 / 3], [1 / 2, 0], [0, 0], [0, 0]]
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-6)


def test_punctuation_is_no_word_that_may_be_known(plane: Path):
    result = pipeline(str(plane)).text_vectors(
        ["east, unheard!", "north far", "", "...", "unheard"]
    )
    assert result.words.tolist() == [2, 2, 0, 1, 1]
    assert result.known.tolist() == [1, 2, 0, 0, 0]


def test_a_pipeline_without_word_vectors_knows_every_word(embedded: Path):
    result = pipeline("en_core_web_sm").text_vectors(["Quiltrane frobbed, 北京"])
    assert result.words.tolist() == result.known.tolist() == [3]


def test_a_long_text_is_cut_between_sentences_and_its_parts_count_by_their_tokens(
    plane: Path, monkeypatch: pytest.MonkeyPatch
):
    text = "east is far. north. " * 20 + "far " * 50 + "x" * 100
    whole = pipeline(str(plane)).text_vectors([text]).rows
    monkeypatch.setattr(pipelines, "LONGEST", 45)
    parts = pipelines._parts(text)
    assert "".join(parts) == text
    assert max(map(len, parts)) <= 45
    assert parts[0] == "east is far. north. east is far. north. "
    result = pipeline(str(plane)).text_vectors([text]).rows
    # Only the word of 100 letters is torn: 45, 45 and 10 letters, three unknown tokens for one.
    tokens = 20 * 6 + 50 + 1
    np.testing.assert_allclose(result * (tokens + 2), whole * tokens, rtol=1e-6)


def test_a_long_text_is_close_to_what_spacy_says_of_the_whole(
    embedded: Path, monkeypatch: pytest.MonkeyPatch
):
    text = " ".join(f"Sentence {number} tells of cat {number % 7}." for number in range(300))
    whole = pipeline("en_core_web_sm").text_vectors([text]).rows
    monkeypatch.setattr(pipelines, "LONGEST", 2_000)
    cut = pipeline("en_core_web_sm").text_vectors([text]).rows
    assert 0 < np.abs(cut - whole).max() < 0.01, "only the context at the cuts is lost"


def test_half_a_surrogate_pair_is_read(plane: Path):
    assert pipeline(str(plane)).text_vectors(["east \ud800"]).rows[0].tolist() == [0.5, 0]
    assert pipeline(str(plane)).word_table().look_up(["\ud800"]).unknown == 1


def test_words_are_found_in_the_table(plane: Path):
    table = pipeline(str(plane)).word_table()
    result = table.look_up(["far", "unheard", "east", ""])
    assert result.unknown == 2
    assert result.rows[[1, 3]].tolist() == [-1, -1]
    np.testing.assert_array_equal(table.matrix[result.rows[[0, 2]]], [[3, 4], [1, 0]])
    assert table.look_up([]).rows.tolist() == []


def test_a_pipeline_without_word_vectors_has_no_table(embedded: Path):
    with pytest.raises(GistmarkError, match=r"en_core_web_sm has no table .*en_core_web_md"):
        pipeline("en_core_web_sm").word_table()


def test_a_pipeline_that_gives_no_vectors_says_so(tmp_path: Path):
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(GistmarkError, match="blank gives texts no vectors"):
        pipeline(str(tmp_path / "blank")).text_vectors(["east"])


def test_spacy_is_quiet(plane: Path):
    facts = json.loads((plane / "meta.json").read_text())
    (plane / "meta.json").write_text(json.dumps(facts | {"spacy_version": ">=2.0.0,<2.1.0"}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pipelines._load_pipeline.cache_clear()
        pipeline(str(plane)).text_vectors(["east"])


@pytest.mark.parametrize("name", ["en_core_web_md", "en_core_web_lg", "xx_made_up_lg"])
def test_a_package_that_is_not_installed_says_how_to_get_it(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gistmark.models.store.spacy_package", lambda _: None)
    assert is_pipeline(name)
    with pytest.raises(GistmarkError, match=f"get it with: python -m spacy download {name}$"):
        pipeline(name)
    assert pipeline_label(name) == f"{name}@missing"


def test_the_embedded_pipeline_is_got_as_any_model():
    with pytest.raises(GistmarkError, match="get it with: gistmark models get en_core_web_sm"):
        pipeline("en_core_web_sm")


def test_an_installed_package_is_read_without_importing_it(
    plane: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    package = tmp_path / "xx_invented_plane_md"
    facts = {"lang": "xx", "name": "invented_plane_md", "version": "1.0"}
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "meta.json").write_text(json.dumps(facts))
    (package / "xx_invented_plane_md-1.0").symlink_to(plane, target_is_directory=True)
    monkeypatch.syspath_prepend(tmp_path)
    assert is_pipeline("xx_invented_plane_md")
    assert pipeline("xx_invented_plane_md").text_vectors(["east"]).rows.tolist() == [[1, 0]]
    assert "xx_invented_plane_md" not in sys.modules


@pytest.mark.parametrize(
    "name", ["glove-6b-50d", "nowhere.txt", "numpy", "a b", "", "roberta-base"]
)
def test_other_names_are_no_pipelines(name: str):
    assert not is_pipeline(name)


def test_a_folder_that_is_no_pipeline_is_none(tmp_path: Path):
    assert not is_pipeline(str(tmp_path))


def test_a_damaged_pipeline_is_one_sentence(tmp_path: Path):
    for name in ("meta.json", "config.cfg"):
        (tmp_path / name).write_text("damaged")
    with pytest.raises(GistmarkError, match=r"The model .* cannot be loaded: ") as caught:
        pipeline(str(tmp_path))
    assert "\n" not in str(caught.value)


def test_the_label_has_the_hash_of_the_pipeline(plane: Path):
    assert pipeline_label("en_core_web_sm") == "en_core_web_sm@e94cbf6c2424"
    before = pipeline_label(str(plane))
    name, _, digest = before.partition("@")
    assert name == "plane"
    assert len(digest) == 12
    (plane / "meta.json").write_text((plane / "meta.json").read_text() + "\n")
    assert pipeline_label(str(plane)) != before
