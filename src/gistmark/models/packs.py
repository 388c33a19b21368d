"""Encoders packed as int8 (`.hmsemb`, of the project holographic-memory), turned into safetensors.

A pack begins with the eight bytes `HMSEMB01` and the length of a header in eight more, the lowest
first. The header is JSON: the model's sizes, how a text's vector is made, and the tensors. Then
follow the tokenizer's own JSON and the tensors one after another. A tensor of int8 is followed by a
scale of 32 bits for every `group` numbers of a row. The model is RoBERTa's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import GistmarkError
from gistmark.models.runtime import library

Float32 = NDArray[np.float32]

PACK = ".hmsemb"
"""How the name of such a file ends."""

_MAGIC = b"HMSEMB01"
_HEADER = 16
_NAMES = {
    "word_emb": "embeddings.word_embeddings.weight",
    "pos_emb": "embeddings.position_embeddings.weight",
    "type_emb": "embeddings.token_type_embeddings.weight",
    "emb_ln": "embeddings.LayerNorm",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "f1": "intermediate.dense",
    "f2": "output.dense",
    "fln": "output.LayerNorm",
}
_ENDS = {"w": "weight", "b": "bias"}


def convert_pack(file: Path, target: Path) -> None:
    """Write the pack as a folder that transformers and sentence-transformers open."""
    data = file.read_bytes()
    try:
        header, tokenizer, tensors = _parts(data)
        weights = dict(_renamed(tensors))
        settings = _settings(header)
    except (ValueError, KeyError, TypeError) as error:
        raise GistmarkError(f"{file} is not a pack that can be read: {error}") from error
    (target / "1_Pooling").mkdir(parents=True)
    library("safetensors.numpy").save_file(weights, str(target / "model.safetensors"))
    (target / "tokenizer.json").write_bytes(tokenizer)
    for name, content in settings.items():
        (target / name).write_text(json.dumps(content, indent=1), encoding="utf-8")


def _parts(data: bytes) -> tuple[dict[str, Any], bytes, dict[str, Float32]]:
    """The header, the tokenizer, and the tensors by their names in the pack."""
    if data[: len(_MAGIC)] != _MAGIC:
        raise ValueError(f"it does not begin with {_MAGIC.decode()}")
    position = _HEADER + int.from_bytes(data[len(_MAGIC) : _HEADER], "little")
    header = json.loads(data[_HEADER:position])
    tokenizer = data[position : position + header["tokenizer_len"]]
    position += len(tokenizer)
    tensors = {}
    for entry in header["tensors"]:
        tensors[entry["name"]] = _tensor(entry, data[position : position + entry["len"]])
        position += entry["len"]
    if position != len(data):
        raise ValueError(f"it has {len(data)} bytes, and its header describes {position}")
    return header, tokenizer, tensors


def _tensor(entry: Mapping[str, Any], data: bytes) -> Float32:
    shape = tuple(entry["shape"])
    if entry["dtype"] == "f32":
        return np.frombuffer(data, dtype="<f4").astype(np.float32).reshape(shape)
    if entry["dtype"] != "i8":
        raise ValueError(f"the numbers of {entry['name']} are {entry['dtype']}, not f32 or i8")
    count = int(np.prod(shape))
    grouped = np.frombuffer(data[:count], dtype=np.int8).reshape(-1, entry["group"])
    scales = np.frombuffer(data[count:], dtype="<f4")
    values: Float32 = grouped.astype(np.float32) * scales[:, None]
    return values.reshape(shape)


def _renamed(tensors: Mapping[str, Float32]) -> Iterator[tuple[str, Float32]]:
    """The tensors by the names that transformers gives them; query, key and value apart."""
    for name, tensor in tensors.items():
        parts = name.split(".")
        layer = f"encoder.layer.{parts.pop(0)[1:]}." if len(parts) == 3 else ""
        end = f".{_ENDS[parts[1]]}" if len(parts) == 2 else ""
        if parts[0] != "qkv":
            yield f"{layer}{_NAMES[parts[0]]}{end}", tensor
            continue
        for kind, part in zip(("query", "key", "value"), np.split(tensor, 3), strict=True):
            yield f"{layer}attention.self.{kind}{end}", np.ascontiguousarray(part)


def _settings(header: Mapping[str, Any]) -> dict[str, Any]:
    """The files of settings, as both libraries write them."""
    sizes, meta = header["arch"], header["meta"]
    if meta["pooling"] != "cls":
        raise ValueError(f"its pooling is {meta['pooling']}, not cls")
    modules = [
        ("", "sentence_transformers.models.Transformer"),
        ("1_Pooling", "sentence_transformers.models.Pooling"),
    ]
    if meta["normalize"]:
        modules.append(("2_Normalize", "sentence_transformers.models.Normalize"))
    return {
        "config.json": {
            "model_type": "roberta",
            "architectures": ["RobertaModel"],
            "hidden_size": sizes["hidden"],
            "num_hidden_layers": sizes["layers"],
            "num_attention_heads": sizes["heads"],
            "intermediate_size": sizes["intermediate"],
            "vocab_size": sizes["vocab"],
            "max_position_embeddings": sizes["max_positions"],
            "type_vocab_size": sizes["type_vocab"],
            "layer_norm_eps": sizes["layer_norm_eps"],
            "pad_token_id": sizes["position_offset"] - 1,
            "hidden_act": "gelu",
        },
        "tokenizer_config.json": {
            "tokenizer_class": "RobertaTokenizerFast",
            "model_max_length": meta["max_length"],
            **dict(_SPECIAL_TOKENS),
        },
        "sentence_bert_config.json": {"max_seq_length": meta["max_length"]},
        "1_Pooling/config.json": {
            "word_embedding_dimension": sizes["hidden"],
            "pooling_mode_cls_token": True,
            "pooling_mode_mean_tokens": False,
        },
        "modules.json": [
            {"idx": index, "name": str(index), "path": path, "type": kind}
            for index, (path, kind) in enumerate(modules)
        ],
    }


_SPECIAL_TOKENS = {
    "bos_token": "<s>",
    "eos_token": "</s>",
    "cls_token": "<s>",
    "sep_token": "</s>",
    "pad_token": "<pad>",
    "unk_token": "<unk>",
    "mask_token": "<mask>",
}
