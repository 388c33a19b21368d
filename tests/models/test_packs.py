"""Encoders packed as int8: the same weights under the names of transformers, or one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.errors import GistmarkError
from gistmark.models.packs import convert_pack

GROUP = 4
SIZES = {
    "hidden": 8, "layers": 1, "heads": 2, "intermediate": 16, "vocab": 12, "max_positions": 10,
    "type_vocab": 2, "layer_norm_eps": 1e-12, "position_offset": 2,
}  # fmt: skip
SHAPES: dict[str, tuple[int, ...]] = {
    "word_emb": (12, 8), "pos_emb": (10, 8), "type_emb": (2, 8), "emb_ln.w": (8,), "emb_ln.b": (8,),
    "l0.qkv.w": (24, 8), "l0.qkv.b": (24,), "l0.ao.w": (8, 8), "l0.ao.b": (8,), "l0.aln.w": (8,),
    "l0.aln.b": (8,), "l0.f1.w": (16, 8), "l0.f1.b": (16,), "l0.f2.w": (8, 16), "l0.f2.b": (8,),
    "l0.fln.w": (8,), "l0.fln.b": (8,),
}  # fmt: skip
PACKED = ("word_emb", "l0.qkv.w", "l0.ao.w", "l0.f1.w", "l0.f2.w")
Tensors = dict[str, np.ndarray[Any, np.dtype[np.float32]]]


def packed(tensor: np.ndarray[Any, np.dtype[np.float32]]) -> bytes:
    groups = tensor.reshape(-1, GROUP)
    scales = (np.abs(groups).max(axis=1) / 127).astype("<f4")
    return np.rint(groups / scales[:, None]).astype(np.int8).tobytes() + scales.tobytes()


def write_pack(file: Path, **changed: Any) -> Tensors:
    """Write a small pack of random numbers, and return them."""
    rng = np.random.default_rng(7)
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in SHAPES.items()}
    entries, blocks = [], []
    for name, tensor in tensors.items():
        block = packed(tensor) if name in PACKED else tensor.tobytes()
        kind = "i8" if name in PACKED else changed.get("dtype", "f32")
        entries.append(
            {"name": name, "dtype": kind, "shape": tensor.shape, "len": len(block), "group": GROUP}
        )
        blocks.append(block)
    meta = {"pooling": changed.get("pooling", "cls"), "normalize": True, "max_length": 8}
    header = {"meta": meta, "arch": SIZES, "tokenizer_len": 2, "tensors": entries}
    written = json.dumps(header).encode()
    start = changed.get("magic", b"HMSEMB01") + len(written).to_bytes(8, "little")
    file.write_bytes(start + written + b"{}" + b"".join(blocks) + changed.get("more", b""))
    return tensors


def test_a_pack_becomes_a_folder_with_the_weights_and_settings_of_transformers(tmp_path: Path):
    safetensors = pytest.importorskip("safetensors.numpy")
    transformers = pytest.importorskip("transformers")
    tensors = write_pack(tmp_path / "x.hmsemb")
    convert_pack(tmp_path / "x.hmsemb", tmp_path / "model")
    weights = safetensors.load_file(tmp_path / "model" / "model.safetensors")
    config = transformers.AutoConfig.from_pretrained(tmp_path / "model")
    expected = transformers.RobertaModel(config, add_pooling_layer=False).state_dict()
    assert {name: tuple(value.shape) for name, value in expected.items()} == {
        name: value.shape for name, value in weights.items()
    }
    layer = "encoder.layer.0"
    key = weights[f"{layer}.attention.self.key.weight"]
    np.testing.assert_allclose(key, tensors["l0.qkv.w"][8:16], atol=3 / 127)
    assert np.abs(key - tensors["l0.qkv.w"][8:16]).max() > 0
    np.testing.assert_array_equal(weights[f"{layer}.output.LayerNorm.bias"], tensors["l0.fln.b"])
    assert (tmp_path / "model" / "tokenizer.json").read_text() == "{}"
    pooling = json.loads((tmp_path / "model" / "1_Pooling" / "config.json").read_text())
    assert pooling["pooling_mode_cls_token"]
    modules = json.loads((tmp_path / "model" / "modules.json").read_text())
    assert [module["path"] for module in modules] == ["", "1_Pooling", "2_Normalize"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"magic": b"SOMETHIN"}, "it does not begin with HMSEMB01"),
        ({"more": b"x"}, "bytes, and its header describes"),
        ({"pooling": "mean"}, "its pooling is mean, not cls"),
        ({"dtype": "f16"}, "are f16, not f32 or i8"),
    ],
)
def test_what_is_no_such_pack_is_one_sentence(tmp_path: Path, changed: dict[str, Any], told: str):
    write_pack(tmp_path / "x.hmsemb", **changed)
    with pytest.raises(GistmarkError, match=rf"x\.hmsemb is not a pack that can be read: .*{told}"):
        convert_pack(tmp_path / "x.hmsemb", tmp_path / "model")
    assert not (tmp_path / "model").exists()
