"""Masked models that are sometimes right without having been trained: they guess common words.

No trained masked model comes with a wheel. Here are a BERT of any size with random weights, wild
enough that every token before and around a gap has a say in what is filled in, and the embedded
all-MiniLM-L6-v2 with a random head. Both choose among the commonest long words and pieces of the
bundled sample, so they are right now and then, with help, without, or both.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import gistmark
from gistmark.metrics.language_model.eligible import in_pieces, maskings
from gistmark.models import model_folder
from gistmark.text import sentences

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
FIRST_WORD = 1996
FEW_WORDS = 1000
ALL_WORDS = 40_000
CHOICES = 5
SAMPLE = Path(gistmark.__file__).parent / "corpus" / "sample" / "documents.jsonl"


def guessing_model(
    folder: Path,
    *,
    layers: int = 2,
    width: int = 64,
    words: int = FEW_WORDS,
    wildness: float = 0.4,
) -> Path:
    """A BERT, written as a folder that transformers opens.

    It knows the letters and the commonest words of the real one; other words are split.
    """
    import torch
    from transformers import BertConfig, BertForMaskedLM

    tokenizer = _tokenizer(words)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers,
        num_attention_heads=width // 32, intermediate_size=4 * width, initializer_range=wildness,
    )  # fmt: skip
    return _saved(BertForMaskedLM(config), tokenizer, folder)


def guessing_minilm(folder: Path) -> Path:
    """The embedded all-MiniLM-L6-v2 as a masked model."""
    import torch
    from transformers import AutoTokenizer, BertForMaskedLM

    source = model_folder("all-MiniLM-L6-v2")
    torch.manual_seed(0)
    network = BertForMaskedLM.from_pretrained(source)
    return _saved(network, AutoTokenizer.from_pretrained(source), folder)


def _saved(network: Any, tokenizer: Any, folder: Path) -> Path:
    """Let the network choose among common words alone, and write it."""
    import torch

    with torch.no_grad():
        network.cls.predictions.bias.fill_(-1e4)
        network.cls.predictions.bias[_common_tokens(tokenizer)] = 0.0
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    # The authors' package, with the transformers of its time, opens a tokenizer by this list.
    known = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in known), encoding="utf-8")
    return folder


def _tokenizer(words: int) -> Any:
    """Special tokens, letters and the commonest words: BERT's stand in the order of frequency."""
    from transformers import BertTokenizerFast

    lines = (model_folder("all-MiniLM-L6-v2") / "vocab.txt").read_text(encoding="utf-8")
    known = lines.strip("\n").split("\n")
    letters = [word for word in known[:FIRST_WORD] if len(word.removeprefix("##")) == 1]
    kept = [*SPECIAL, *letters, *known[FIRST_WORD : FIRST_WORD + words]]
    return BertTokenizerFast(
        vocab={word: place for place, word in enumerate(kept)}, model_max_length=512
    )


def _common_tokens(tokenizer: Any) -> list[int]:
    """Those of the tokens that BLANC asks for which the sample has most often."""
    counts: Counter[int] = Counter()
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        for pieces in in_pieces(tokenizer, sentences(" ".join(_texts(json.loads(line))))):
            for places in maskings(pieces, gap=1):
                counts.update(pieces.tokens[place] for place in places)
    return [token for token, _ in counts.most_common(CHOICES)]


def _texts(document: dict[str, Any]) -> list[str]:
    return document.get("texts") or [document["text"]]
