"""Tiny models that write: sequence-to-sequence ones, and a causal one with a form for chats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tiny_models import _byte_pairs, _saved, causal_model

CHAT = (
    "{% for message in messages %}<{{ message['role'] }}>{{ message['content'] }}"
    "<|endoftext|>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)


def bart(folder: Path, *, longest: int = 64) -> Path:
    """A BART with byte-level BPE; it starts to write with token 0, which ends texts too."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    tokenizer = _ending(longest)
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=len(tokenizer), d_model=32, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=64,
        decoder_ffn_dim=64, max_position_embeddings=longest, pad_token_id=0, bos_token_id=0,
        eos_token_id=0, decoder_start_token_id=0, forced_eos_token_id=None, init_std=0.5,
    )  # fmt: skip
    return _saved(BartForConditionalGeneration(config), tokenizer, folder)


def t5(folder: Path, *, longest: int = 64) -> Path:
    """A T5, whose settings name the prefix for summaries."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    tokenizer = _ending(longest)
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(tokenizer), d_model=32, d_kv=16, d_ff=64, num_layers=1, num_heads=2,
        pad_token_id=0, eos_token_id=0, decoder_start_token_id=0, initializer_factor=2.0,
        task_specific_params={"summarization": {"prefix": "summarize: "}},
    )  # fmt: skip
    return _saved(T5ForConditionalGeneration(config), tokenizer, folder)


def chat_model(folder: Path, *, longest: int = 256) -> Path:
    """A GPT-2 whose tokenizer has a form for chats."""
    from transformers import AutoTokenizer

    causal_model(folder, longest=longest)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = CHAT
    tokenizer.save_pretrained(folder)
    return folder


def _ending(longest: int) -> Any:
    """The byte-level tokenizer, which here puts the token that ends texts behind each."""
    from tokenizers.processors import TemplateProcessing

    tokenizer = _byte_pairs(longest)
    end = tokenizer.eos_token
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single=f"$A {end}", special_tokens=[(end, tokenizer.eos_token_id)]
    )
    return tokenizer
