"""Tokenised texts as they were written: what is undone, what is left, and offsets."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.text.words import word_spans
from gistmark.text.written import as_written, summary_as_written

PIECES = st.sampled_from(
    ["he", "'s", "n't", ",", ".", "``", "''", "`", "'", '"', "-lrb-", "-RRB-", "$", "40", "%", "--",
     "1\\/2", "Inc.", "中文", "👩‍🚒", "e\u0301", "(", ")", "drivers", "\n\n", ":", "?", "US$"]
)  # fmt: skip
TEXTS = st.lists(PIECES, min_size=1, max_size=25).map(" ".join)


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("he 's here , is n't he ?", "he's here, isn't he?"),
        ("the club -lrb- of london -rrb- won .", "the club (of london) won."),
        ("`` no , '' she said .", '"no," she said.'),
        ('" no , " she said . " yes . "', '"no," she said. "yes."'),
        ("` no , \' she said .", "'no,' she said."),
        ("the drivers ' cars cost $ 40 or 3 % more .", "the drivers' cars cost $40 or 3% more."),
        ("smith of Acme Inc. left , the u.s. , too .", "smith of Acme Inc. left, the u.s., too."),
        ("1\\/2 of it .", "1/2 of it."),
        ("one .\n\n`` two . ''", 'one.\n\n"two."'),
    ],
)  # fmt: skip
def test_spaces_of_a_tokenizer_are_undone(stored: str, shown: str):
    assert as_written(stored).text == shown


@pytest.mark.parametrize(
    "text",
    [
        "He's here, isn't he? Yes.",
        "Vraiment ? Oui : tout de suite !",
        "Hij komt 's avonds.",
        "Well, he left . She stayed.",
        "今天下雨。 我们在家。",
        "a - b -- c",
        "",
        "  two  spaces  ",
    ],
)
def test_what_people_wrote_stays_as_it_is(text: str):
    written = as_written(text)
    assert written.text == text
    assert written.stored_tokens == written.shown_tokens == tuple(word_spans(text, "space"))


@given(TEXTS, st.data())
def test_every_mark_on_the_stored_text_is_one_on_the_shown_text(text: str, data: st.DataObject):
    written = as_written(text)
    tokens = word_spans(text, "space")
    assert list(written.stored_tokens) == tokens
    if not tokens:
        return
    first = data.draw(st.integers(0, len(tokens) - 1))
    last = data.draw(st.integers(first, len(tokens) - 1))
    stored = (tokens[first][0], tokens[last][1])
    shown = (written.shown_tokens[first][0], written.shown_tokens[last][1])
    assert written.to_shown(*stored) == shown


@given(TEXTS)
def test_tokens_keep_their_order_and_only_spaces_go(text: str):
    written = as_written(text)
    spans = written.shown_tokens
    assert all(a < b for a, b in spans)
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
    gaps = [written.text[b:c] for (_, b), (c, _) in pairwise(spans)]
    before = [text[b:c] for (_, b), (c, _) in pairwise(written.stored_tokens)]
    assert all(gap in ("", old) for gap, old in zip(gaps, before, strict=True))
    assert all("\n" in gap for gap, old in zip(gaps, before, strict=True) if "\n" in old)


@given(st.text("ab中 ", min_size=1, max_size=20), st.data())
def test_a_span_within_a_token_keeps_its_letters(word: str, data: st.DataObject):
    text = f"`` {word}x , ''"
    written = as_written(text)
    start = data.draw(st.integers(3, len(text) - 5))
    if text[start].isspace():
        return
    low, high = written.to_shown(start, start + 1)
    assert written.text[low:high] == text[start]


def test_a_summary_is_put_back_only_where_its_document_is_tokenised_too():
    tokenised, plain = "He 's back , is n't he ?", "He's back, isn't he?"
    source = "The king -lrb- 40 -rrb- , he said , `` is back '' ."
    assert summary_as_written(tokenised, source) == plain
    assert summary_as_written(plain, source) == plain
    assert summary_as_written(tokenised, "The king (40) is back, he said.") == tokenised
    assert summary_as_written(tokenised, None) == tokenised
