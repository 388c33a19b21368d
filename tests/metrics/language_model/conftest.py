"""Small models that know some words of a few sentences, for the tests of BLANC-help."""

from __future__ import annotations

from pathlib import Path

import pytest

from blanc_gists import GISTS
from tiny_models import SENTENCES, causal_model, llama, masked_model

EXAMPLES = 120


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("models")
    made = {
        "masked": (masked_model, "AutoModelForMaskedLM"),
        "gpt2": (causal_model, "AutoModelForCausalLM"),
        "llama": (llama, "AutoModelForCausalLM"),
    }
    return {
        name: taught(make(folder / name, width=64), kind) for name, (make, kind) in made.items()
    }


def taught(folder: Path, kind: str) -> str:
    """The model after a few examples in the sentences of these tests, so that it knows some words.

    It reads each sentence after one of the gists; a masked model has a third of its tokens hidden.
    """
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network = getattr(transformers, kind).from_pretrained(folder)
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several only wait for each other on so small a model
    torch.manual_seed(0)
    for example in range(EXAMPLES):
        text = f"{GISTS[example % len(GISTS)]} {SENTENCES[example % len(SENTENCES)]}"
        ids = torch.tensor([tokenizer(text)["input_ids"]])
        shown, labels = ids.clone(), ids.clone()
        if tokenizer.mask_token_id is not None:
            hidden = torch.rand(ids.shape) < 1 / 3
            shown[hidden], labels[~hidden] = tokenizer.mask_token_id, -100
        optimizer.zero_grad()
        network(input_ids=shown, labels=labels).loss.backward()
        optimizer.step()
    torch.set_num_threads(threads)
    network.save_pretrained(folder)
    return str(folder)
