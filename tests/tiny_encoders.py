"""Tiny encoders of other kinds than BERT, with random weights, saved as real model folders.

All but RoBERTa and T5 read with the word pieces of the tiny BERT.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tiny_models import SENTENCES, encoder

_SIZES = {"vocab_size": 200, "initializer_range": 0.3, "pad_token_id": 0}
_STACKED = {
    "d_model": 32, "encoder_layers": 3, "decoder_layers": 1, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64,
    "max_position_embeddings": 128, "init_std": 0.3,
}  # fmt: skip
_SINGLE = {
    "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64,
    "max_position_embeddings": 128,
}  # fmt: skip


def bart(folder: Path) -> Path:
    return _with_word_pieces(folder, "Bart", **_STACKED)


def pegasus(folder: Path) -> Path:
    return _with_word_pieces(folder, "Pegasus", **_STACKED)


def albert(folder: Path) -> Path:
    return _with_word_pieces(folder, "Albert", **_SINGLE, embedding_size=16)


def distilbert(folder: Path) -> Path:
    return _with_word_pieces(
        folder, "DistilBert", dim=32, n_layers=3, n_heads=4, hidden_dim=64,
        max_position_embeddings=128,
    )  # fmt: skip


def deberta(folder: Path) -> Path:
    return _with_word_pieces(
        folder, "Deberta", **_SINGLE, relative_attention=True, pos_att_type="c2p|p2c",
        position_biased_input=False,
    )  # fmt: skip


def t5(folder: Path) -> Path:
    """A T5, whose tokenizer marks the end of a text and not its start; call the folder so."""
    from transformers import PreTrainedTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    PreTrainedTokenizerFast(
        tokenizer_object=_whole_words(), eos_token="</s>", pad_token="<pad>", unk_token="<unk>",
        model_max_length=128,
    ).save_pretrained(folder)  # fmt: skip
    return _saved(
        folder, "T5", d_model=32, d_kv=8, d_ff=64, num_layers=3, num_decoder_layers=1, num_heads=4
    )


def roberta(folder: Path, *, space: bool = False) -> Path:
    """A RoBERTa; with `space` its tokenizer puts one before the first word by itself."""
    from transformers import RobertaTokenizer

    vocabulary, merges = _byte_pairs()
    folder.mkdir(parents=True, exist_ok=True)
    RobertaTokenizer(
        vocab=vocabulary, merges=merges, add_prefix_space=space, model_max_length=126
    ).save_pretrained(folder)
    return _saved(folder, "Roberta", **_SINGLE, vocab_size=len(vocabulary), pad_token_id=1)


def _with_word_pieces(folder: Path, kind: str, **settings: Any) -> Path:
    encoder(folder)
    return _saved(folder, kind, **settings)


def _saved(folder: Path, kind: str, **settings: Any) -> Path:
    """The model's weights and settings in place of those that may be in the folder."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(**{**_SIZES, **settings})
    getattr(transformers, f"{kind}Model")(config).save_pretrained(folder)
    return folder


def _whole_words() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    raw = Tokenizer(models.WordLevel(unk_token="<unk>"))
    raw.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordLevelTrainer(special_tokens=["<pad>", "</s>", "<unk>"])
    raw.train_from_iterator(SENTENCES, trainer)
    raw.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    return raw


def _byte_pairs() -> tuple[dict[str, int], list[tuple[str, str]]]:
    import json

    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False,
    )  # fmt: skip
    raw.train_from_iterator(SENTENCES, trainer)
    told = json.loads(raw.to_str())["model"]
    return told["vocab"], [tuple(pair) for pair in told["merges"]]
