"""Tiny models with random weights, saved as real model folders, so that real loading code runs.

Each has a tokenizer of its own, trained on a few invented sentences; weights are seeded.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

SENTENCES = (
    "The swing bridge closed on Tuesday.",
    "A painter had found a crack in the steel of the bridge.",
    "Engineers say that it will stay shut for eleven weeks, and ferries will run.",
    "The council paid for the ferries with money meant for the new library.",
    "Nobody was hurt, but the fishermen lost a week of work.",
    "It is the third time in ten years that the bridge needs repair.",
)
NLI = ("contradiction", "neutral", "entailment")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def masked_model(folder: Path, *, longest: int = 128, width: int = 32, layers: int = 2) -> Path:
    """A BERT with its head for masked words; lower-casing WordPiece."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    tokenizer = _word_pieces(longest)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers,
        num_attention_heads=4, intermediate_size=2 * width, max_position_embeddings=longest,
        initializer_range=0.5,
    )  # fmt: skip
    return _saved(BertForMaskedLM(config), tokenizer, folder)


def encoder(folder: Path, *, longest: int = 128, width: int = 32, layers: int = 3) -> Path:
    """A BERT without a head."""
    import torch
    from transformers import BertConfig, BertModel

    tokenizer = _word_pieces(longest)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers,
        num_attention_heads=4, intermediate_size=2 * width, max_position_embeddings=longest,
        initializer_range=0.2,
    )  # fmt: skip
    return _saved(BertModel(config), tokenizer, folder)


def causal_model(folder: Path, *, longest: int = 256, width: int = 32, layers: int = 2) -> Path:
    """A GPT-2 with byte-level BPE; `<|endoftext|>` starts and ends its texts."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = _byte_pairs(longest)
    torch.manual_seed(0)
    end = tokenizer.convert_tokens_to_ids("<|endoftext|>")
    config = GPT2Config(
        vocab_size=len(tokenizer), n_embd=width, n_layer=layers, n_head=4, n_positions=longest,
        bos_token_id=end, eos_token_id=end, initializer_range=0.5,
    )  # fmt: skip
    return _saved(GPT2LMHeadModel(config), tokenizer, folder)


def llama(folder: Path, *, longest: int = 256, width: int = 32, layers: int = 2) -> Path:
    """A Llama, the kind that the embedded language model is of, with the same tokenizer."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = _byte_pairs(longest)
    torch.manual_seed(0)
    end = tokenizer.convert_tokens_to_ids("<|endoftext|>")
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers,
        num_attention_heads=4, num_key_value_heads=2, intermediate_size=2 * width,
        max_position_embeddings=longest, bos_token_id=end, eos_token_id=end,
        initializer_range=0.5, tie_word_embeddings=True,
    )  # fmt: skip
    return _saved(LlamaForCausalLM(config), tokenizer, folder)


def taught(folder: Path, *, steps: int = 60) -> Path:
    """A causal model that has learnt a little: some sentences, and that each may come twice."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    network = AutoModelForCausalLM.from_pretrained(folder).train()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    texts = [torch.tensor([[0, *tokenizer(text)["input_ids"] * 2]]) for text in SENTENCES]
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-2)
    torch.manual_seed(0)
    for step in range(steps):
        ids = texts[step % len(texts)]
        optimizer.zero_grad()
        network(input_ids=ids, labels=ids).loss.backward()
        optimizer.step()
    return _saved(network, tokenizer, folder)


def entailment_model(folder: Path, *, longest: int = 128, labels: tuple[str, ...] = NLI) -> Path:
    """A BERT that classifies pairs of texts; its labels are those of inference."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = _word_pieces(longest)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=longest, initializer_range=0.5,
        id2label=dict(enumerate(labels)), label2id={name: n for n, name in enumerate(labels)},
    )  # fmt: skip
    return _saved(BertForSequenceClassification(config), tokenizer, folder)


def sentence_encoder(folder: Path, *, pooling: str = "mean", longest: int = 32) -> Path:
    """A sentence-transformers folder: a BERT, a pooling, and a normalisation."""
    encoder(folder, longest=128)
    kinds = {
        "mean": "pooling_mode_mean_tokens",
        "cls": "pooling_mode_cls_token",
        "max": "pooling_mode_max_tokens",
    }
    _write(folder / "modules.json", [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling",
         "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize",
         "type": "sentence_transformers.models.Normalize"},
    ])  # fmt: skip
    _write(
        folder / "1_Pooling" / "config.json",
        {"word_embedding_dimension": 32} | {name: key == pooling for key, name in kinds.items()},
    )
    _write(folder / "sentence_bert_config.json", {"max_seq_length": longest})
    (folder / "2_Normalize").mkdir()
    return folder


def _word_pieces(longest: int) -> Any:
    """Whole words of the sentences but for the longest ones, and single letters for the rest.

    The vocabulary is made by hand: a trained one differs from process to process.
    """
    from transformers import BertTokenizerFast

    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,"
    words = {word for text in SENTENCES for word in re.findall(r"[a-z]+", text.lower())}
    known = sorted(word for word in words if 1 < len(word) < 9)
    tokens = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters), "##er", "##s", *known]
    vocabulary = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    return BertTokenizerFast(vocab=vocabulary, do_lower_case=True, model_max_length=longest)


def _byte_pairs(longest: int) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<|endoftext|>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    raw.train_from_iterator(SENTENCES, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=raw, bos_token="<|endoftext|>", eos_token="<|endoftext|>",
        model_max_length=longest,
    )  # fmt: skip


def _saved(model: Any, tokenizer: Any, folder: Path) -> Path:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
