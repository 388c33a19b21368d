"""GGUF: weights and vocabulary come through unchanged, whole or not at all, and quietly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.errors import GistmarkError, MissingExtraError
from gistmark.models import loading
from gistmark.models.catalogue import Model, Wheel
from on_use import on_use
from tiny_models import SENTENCES, llama

torch = on_use("torch")
writing = on_use("gguf")
transformers = on_use("transformers")

TOY = Model("toy", "language model", "MIT", 1, Wheel("toy", "1.0", "a" * 64, "toy", ("toy.gguf",)))
NAMES = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return llama(tmp_path_factory.mktemp("models") / "llama")


@pytest.fixture(scope="module")
def folder(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tiny Llama as one GGUF file."""
    made = tmp_path_factory.mktemp("gguf")
    write_gguf(original, made / "toy.gguf")
    return made


def write_gguf(original: Path, file: Path) -> None:
    network = transformers.AutoModelForCausalLM.from_pretrained(original)
    tokenizer = transformers.AutoTokenizer.from_pretrained(original)
    settings = network.config
    writer = writing.GGUFWriter(file, "llama")
    writer.add_context_length(settings.max_position_embeddings)
    writer.add_embedding_length(settings.hidden_size)
    writer.add_block_count(settings.num_hidden_layers)
    writer.add_feed_forward_length(settings.intermediate_size)
    writer.add_head_count(settings.num_attention_heads)
    writer.add_head_count_kv(settings.num_key_value_heads)
    writer.add_layer_norm_rms_eps(settings.rms_norm_eps)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(settings.vocab_size)
    add_vocabulary(writer, tokenizer)
    for name, weights in network.state_dict().items():
        if name != "lm_head.weight":
            writer.add_tensor(renamed(name), turned(name, weights.numpy(), settings))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_vocabulary(writer: Any, tokenizer: Any) -> None:
    """Byte pairs as llama.cpp stores them; a token of type 3 is a control token."""
    vocabulary = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)
    merges = tokenizer.backend_tokenizer.to_str()

    pairs = [" ".join(pair) for pair in json.loads(merges)["model"]["merges"]]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(vocabulary)
    writer.add_token_types([3 if token == "<|endoftext|>" else 1 for token in vocabulary])
    writer.add_token_merges(pairs)
    writer.add_bos_token_id(tokenizer.bos_token_id)
    writer.add_eos_token_id(tokenizer.eos_token_id)


def renamed(name: str) -> str:
    if name == "model.embed_tokens.weight":
        return "token_embd.weight"
    if name == "model.norm.weight":
        return "output_norm.weight"
    _, _, number, rest = name.split(".", 3)
    return f"blk.{number}.{NAMES[rest.removesuffix('.weight')]}.weight"


def turned(name: str, weights: np.ndarray, settings: Any) -> np.ndarray:
    """llama.cpp has the two halves of each head's rotation side by side."""
    heads = {
        "q_proj": settings.num_attention_heads,
        "k_proj": settings.num_key_value_heads,
    }.get(name.split(".")[-2])
    if heads is None:
        return weights
    halves = weights.reshape(heads, 2, weights.shape[0] // heads // 2, weights.shape[1])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(weights.shape)


def test_a_converted_model_is_the_same_model(original: Path, folder: Path, models: Path):
    target = loading.converted(TOY, folder)
    assert target == models / "converted" / f"toy-{'a' * 16}"
    assert list(target.glob("*.safetensors"))
    before, after = (
        transformers.AutoModelForCausalLM.from_pretrained(position)
        for position in (original, target)
    )
    assert not hasattr(after.config, "quantization_config")
    old, new = (
        transformers.AutoTokenizer.from_pretrained(position) for position in (original, target)
    )
    for sentence in SENTENCES:
        ids = old(sentence, return_tensors="pt")["input_ids"]
        assert new(sentence)["input_ids"] == ids[0].tolist()
        with torch.inference_mode():
            logits = [network(input_ids=ids).logits for network in (before, after)]
        torch.testing.assert_close(*logits, rtol=1e-4, atol=1e-4)


def test_conversion_says_nothing(
    folder: Path, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
):
    loading.converted(TOY, folder)
    said = capfd.readouterr()
    assert said.err == ""
    assert said.out == ""


def test_a_model_is_converted_once(folder: Path, monkeypatch: pytest.MonkeyPatch):
    first = loading.converted(TOY, folder)
    monkeypatch.setattr(loading, "_convert", lambda *_: pytest.fail("converted again"))
    assert loading.converted(TOY, folder) == first


def test_a_conversion_that_fails_leaves_nothing_behind(
    folder: Path, models: Path, monkeypatch: pytest.MonkeyPatch
):
    def half(_: Path, made: Path) -> None:
        made.mkdir()
        (made / "model.safetensors").write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(loading, "_convert", half)
    with pytest.raises(GistmarkError, match=r"toy cannot be .*No space left on device"):
        loading.converted(TOY, folder)
    assert list((models / "converted").iterdir()) == []


def test_a_file_that_is_no_gguf_is_one_sentence(tmp_path: Path, models: Path):
    (tmp_path / "toy.gguf").write_bytes(b"nonsense" * 100)
    with pytest.raises(GistmarkError, match="The model toy cannot be loaded: ") as raised:
        loading.converted(TOY, tmp_path)
    assert "\n" not in str(raised.value)
    assert list((models / "converted").iterdir()) == []


def test_another_process_may_have_converted_it_meanwhile(
    folder: Path, models: Path, monkeypatch: pytest.MonkeyPatch
):
    target = models / "converted" / f"toy-{'a' * 16}"

    def raced(_: Path, made: Path) -> None:
        for position in (made, target):
            position.mkdir()
            (position / "config.json").write_text(position.name)

    monkeypatch.setattr(loading, "_convert", raced)
    assert loading.converted(TOY, folder) == target
    assert (target / "config.json").read_text() == target.name


def test_without_the_package_gguf_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch):
    real = loading.library

    def without(name: str) -> Any:
        if name == "gguf":
            raise MissingExtraError(name, extra="neural")
        return real(name)

    monkeypatch.setattr(loading, "library", without)
    with pytest.raises(MissingExtraError, match=r"gguf is not installed.*gistmark\[neural\]"):
        loading.converted(TOY, folder)
