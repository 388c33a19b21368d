"""BLANC-help against a plain reading of the paper: one input at a time, whole networks."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from blanc_gists import GISTS, STORY
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.language_model.blanc_help import BlancHelp
from gistmark.text import sentences


def counts(model: str, summary: str, **options: Any) -> list[int]:
    metric = BlancHelp(BlancHelp.Options(model=model, **options))
    row = metric.score(Batch.of([Item(summary, (), STORY)])).values[0]
    return row[1:].astype(int).tolist()


class Reading:
    """The paper's procedure, written down as it stands there."""

    def __init__(self, folder: str, kind: str) -> None:
        import transformers

        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.network = getattr(transformers, kind).from_pretrained(folder).eval()

    def ids(self, text: str) -> list[int]:
        result: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return result

    def logits(self, ids: list[int]) -> Any:
        import torch

        with torch.no_grad():
            return self.network(input_ids=torch.tensor([ids])).logits[0]

    def masked(self, summary: str, document: str, gap: int, rule: str) -> list[int]:
        known = self.tokenizer.get_vocab()
        helped = [token for sentence in sentences(summary) for token in self.ids(sentence)]
        filler = [known["."]] * len(helped)
        result = [[0, 0], [0, 0]]
        for sentence in sentences(document):
            units = self.words(sentence) if rule == "paper" else self.tokens(sentence)
            for first in range(gap):
                shown, answers = [], {}
                for number, (pieces, long) in enumerate(units):
                    for piece in pieces:
                        if long and number % gap == first:
                            answers[len(shown)] = piece
                        shown.append(known["[MASK]"] if number % gap == first and long else piece)
                if not answers:
                    continue
                base = self.logits([known["[CLS]"], *filler, *shown, known["[SEP]"]])
                with_help = self.logits([known["[CLS]"], *helped, *shown, known["[SEP]"]])
                for position, answer in answers.items():
                    k, m = (
                        int(logits[1 + len(helped) + position].argmax() == answer)
                        for logits in (base, with_help)
                    )
                    result[k][m] += 1
        return [*result[0], *result[1]]

    def words(self, sentence: str) -> list[tuple[list[int], bool]]:
        """The pieces of each word, and whether it has four letters or more."""
        split = re.findall(r"\w+|[^\w\s]", sentence)
        return [(self.ids(word), len(word) >= 4 and word.isalnum()) for word in split]

    def tokens(self, sentence: str) -> list[tuple[list[int], bool]]:
        """Each token by itself, and whether the package's rule asks for it."""
        units = []
        for pieces, _ in self.words(sentence):
            shown = self.tokenizer.convert_ids_to_tokens(pieces)
            if len(pieces) == 1:
                units.append((pieces, len(shown[0]) >= 4))
            else:
                units += [
                    ([piece], i == 0 and len(shown[0]) >= 2) for i, piece in enumerate(pieces)
                ]
        return units

    def causal(self, summary: str, document: str) -> list[int]:
        """The first token of each word of four letters or more, from what stands before it."""
        start = self.tokenizer.get_vocab()["<|endoftext|>"]
        helped = self.ids(summary)
        filler = self.ids(".") * len(helped)
        result = [[0, 0], [0, 0]]
        for sentence in sentences(document):
            for word in re.finditer(r"\w{4,}", sentence):
                # The text up to the word's space is whole tokens, since words start with spaces.
                before = self.ids(sentence[: max(0, word.start() - 1)])
                answer = self.ids(sentence)[len(before)]
                k, m = (
                    int(self.logits([start, *context, *before])[-1].argmax() == answer)
                    for context in (filler, helped)
                )
                result[k][m] += 1
        return [*result[0], *result[1]]


@pytest.mark.parametrize("rule", ["package", "paper"])
@pytest.mark.parametrize("gap", [1, 2, 6])
def test_a_masked_model_counts_as_the_paper_does(
    models: dict[str, str], gap: int, rule: str
) -> None:
    reading = Reading(models["masked"], "BertForMaskedLM")
    for gist in GISTS:
        expected = reading.masked(gist, STORY, gap, rule)
        assert counts(models["masked"], gist, gap=gap, rule=rule) == expected
        assert sum(expected) > 20


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_a_causal_model_counts_the_words_that_it_predicts(
    models: dict[str, str], kind: str
) -> None:
    reading = Reading(models[kind], "AutoModelForCausalLM")
    for gist in GISTS:
        expected = reading.causal(gist, STORY)
        assert counts(models[kind], gist) == expected
        assert sum(expected) > 20


def test_some_words_are_right_in_these_tests(models: dict[str, str]) -> None:
    """Otherwise equal counts would say little."""
    total = np.sum([counts(models[kind], gist) for kind in models for gist in GISTS], axis=0)
    assert (total[1:] > 0).sum() >= 2
