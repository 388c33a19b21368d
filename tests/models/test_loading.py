"""Loading: one sentence for what cannot be had, nothing executed, and names that tell the model."""

from __future__ import annotations

import json
import logging
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from gistmark.errors import GistmarkError, MissingExtraError
from gistmark.models import KNOWN, runtime, store
from gistmark.models.loading import (
    digest,
    label_of,
    load_pretrained,
    load_tokenizer,
    model_classes,
    source_of,
)
from gistmark.models.runtime import library, quiet
from gistmark.signature import Signature, without_hash
from on_use import on_use
from tiny_models import causal_model

torch = on_use("torch")
transformers = on_use("transformers")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A model folder that a test may spoil."""
    return Path(shutil.copytree(original, tmp_path / "tiny"))


@pytest.fixture(autouse=True)
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that nobody reaches, and that no test has asked yet."""
    monkeypatch.setattr(store, "_hub_refusals", {})
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")


def load(name: str | Path) -> Any:
    return load_pretrained("AutoModelForCausalLM", source_of(str(name)), "full")


def one_sentence(name: str | Path) -> str:
    """What is said against a model."""
    with pytest.raises(GistmarkError) as raised:
        load(name)
    said = str(raised.value)
    assert "\n" not in said
    return said


def pickled(folder: Path, content: object) -> None:
    """Replace the safetensors by pickled weights."""
    (folder / "model.safetensors").unlink()
    torch.save(content, folder / "pytorch_model.bin")


def test_a_folder_is_loaded_ready_to_run(folder: Path):
    network = load(folder)
    assert not network.training
    assert network.dtype == torch.float32
    assert model_classes(source_of(str(folder))) == ("GPT2LMHeadModel",)


def test_loading_says_nothing(folder: Path, capfd: pytest.CaptureFixture[str]):
    load(folder)
    load_tokenizer(source_of(str(folder)))
    said = capfd.readouterr()
    assert said.err == ""
    assert said.out == ""


def test_long_texts_are_no_reason_to_warn(folder: Path):
    said: list[logging.LogRecord] = []
    listening = logging.Handler()
    listening.emit = said.append  # type: ignore[method-assign]
    logger = logging.getLogger("transformers")
    logger.addHandler(listening)
    try:
        tokenizer = load_tokenizer(source_of(str(folder)))
        assert len(tokenizer("word " * 1000)["input_ids"]) > tokenizer.model_max_length
    finally:
        logger.removeHandler(listening)
    assert said == []


def test_a_hub_that_cannot_be_reached_is_one_sentence():
    said = one_sentence("gpt2")
    assert said.startswith("The model gpt2 is not on this machine and the hub cannot be reached")
    assert "distilgpt2" in one_sentence("distilgpt2")


@pytest.mark.parametrize(
    "name", ["no such folder", "/no/such/folder", "a/b/c", "", "~nobody/x", "a\0b", "x" * 5000]
)
def test_what_is_neither_a_folder_nor_a_name_is_one_sentence(name: str):
    assert one_sentence(name).startswith("There is no model")


def test_a_folder_without_settings_is_no_model(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    assert one_sentence(tmp_path / "empty") == (
        f"{tmp_path / 'empty'} is not a model folder: it has no config.json."
    )


@pytest.mark.parametrize("settings", ["{broken", "", "[]", '{"model_type": "unheard-of"}', "{}"])
def test_broken_settings_are_one_sentence(settings: str, folder: Path):
    (folder / "config.json").write_text(settings)
    assert one_sentence(folder).startswith(f"The model {folder} cannot be loaded: ")


@pytest.mark.parametrize("settings", ["{broken", "[]"])
def test_an_architecture_that_cannot_be_read_is_one_sentence(settings: str, folder: Path):
    (folder / "config.json").write_text(settings)
    with pytest.raises(GistmarkError, match=r"config\.json cannot be read: "):
        model_classes(source_of(str(folder)))


def test_weights_that_are_missing_or_broken_are_one_sentence(folder: Path):
    (folder / "model.safetensors").write_bytes(b"nonsense")
    assert "cannot be loaded" in one_sentence(folder)
    (folder / "model.safetensors").unlink()
    with pytest.warns(UserWarning, match="has no safetensors"):
        assert "cannot be loaded" in one_sentence(folder)


def test_pickled_weights_are_read_with_a_warning(folder: Path):
    weights = load(folder).state_dict()
    pickled(folder, weights)
    with pytest.warns(UserWarning, match=f"{folder} has no safetensors; its pickled weights are"):
        network = load(folder)
    for name, values in network.state_dict().items():
        torch.testing.assert_close(values, weights[name])


class Evil:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.mark),)


def test_nothing_in_pickled_weights_is_run(folder: Path, tmp_path: Path):
    pickled(folder, {"transformer.wte.weight": Evil(tmp_path / "mark")})
    with pytest.warns(UserWarning, match="pickled weights"):
        assert "cannot be loaded" in one_sentence(folder)
    assert not (tmp_path / "mark").exists()
    torch.load(folder / "pytorch_model.bin", weights_only=False)
    assert (tmp_path / "mark").exists(), "they would have done harm"


@pytest.mark.parametrize("kind", ["gpt2", "unheard-of"])
def test_code_that_comes_with_a_model_is_never_run(kind: str, folder: Path, tmp_path: Path):
    code = f"import os\nos.mkdir({str(tmp_path / 'mark')!r})\nclass Own: pass\n"
    (folder / "own.py").write_text(code)
    settings = json.loads((folder / "config.json").read_text())
    positions = ("AutoConfig", "AutoModelForCausalLM", "AutoTokenizer")
    settings |= {"model_type": kind, "auto_map": dict.fromkeys(positions, "own.Own")}
    (folder / "config.json").write_text(json.dumps(settings))
    source = source_of(str(folder))
    for opened in (lambda: load(folder), lambda: load_tokenizer(source)):
        try:
            opened()
        except GistmarkError as error:
            assert "\n" not in str(error)  # noqa: PT017
    assert not (tmp_path / "mark").exists()


def test_a_model_without_a_vocabulary_is_one_sentence(folder: Path):
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
    with pytest.raises(GistmarkError, match="has no vocabulary") as raised:
        load_tokenizer(source_of(str(folder)))
    assert "\n" not in str(raised.value)


def test_a_name_may_carry_the_hash_that_a_signature_shows(folder: Path):
    label = label_of(str(folder))
    assert label == f"tiny@{digest(folder)}" == source_of(str(folder)).label
    again = f"{folder}@{label.partition('@')[2]}"
    assert without_hash(again) == str(folder)
    assert source_of(again) == source_of(str(folder))
    assert without_hash("someone@example") == "someone@example"
    assert without_hash("gpt2@missing") == "gpt2"


def test_the_hash_follows_the_content(folder: Path):
    before = digest(folder)
    (folder / "notes.md").write_text("not a part of the model")
    assert digest(folder) == before
    settings = folder / "config.json"
    settings.write_text(settings.read_text().replace('"n_layer": 2', '"n_layer": 1'))
    assert digest(folder) != before


def test_an_embedded_model_is_labelled_by_its_wheel_though_it_is_not_here():
    wheel = KNOWN["SmolLM2-135M-Instruct"].wheel
    assert wheel is not None
    assert label_of("SmolLM2-135M-Instruct") == f"SmolLM2-135M-Instruct@{wheel.sha256[:12]}"
    with pytest.raises(GistmarkError, match="gistmark models get SmolLM2-135M-Instruct"):
        source_of("SmolLM2-135M-Instruct")


@pytest.mark.parametrize("name", ["gpt2", "", "a|b:c", "~nobody/x", "a\0b", "x" * 5000, "/", "."])
def test_a_label_is_never_an_error_and_nothing_is_fetched(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(store, "fetch_from_hub", lambda _: pytest.fail("asked the hub"))
    label = label_of(name)
    assert label.endswith("@missing")
    assert Signature.parse(str(Signature("a", "1", {"model": label}))).fields["model"] == label


def test_a_package_that_is_missing_is_an_error_that_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
):
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(runtime, "import_module", absent)
    with pytest.raises(MissingExtraError, match=r"torch is not installed.*gistmark\[neural\]"):
        library("torch.nn")


def test_quiet_puts_back_what_it_found():
    shown = transformers.utils.logging
    before = shown.get_verbosity(), shown.is_progress_bar_enabled()
    with quiet():
        assert not shown.is_progress_bar_enabled()
        assert shown.get_verbosity() == shown.ERROR
    assert (shown.get_verbosity(), shown.is_progress_bar_enabled()) == before
