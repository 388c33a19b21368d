from __future__ import annotations

import math

import pytest

from gistmark.judges.answers import UnreadableError, read_answer, shares_of
from gistmark.judges.chat import Completion
from gistmark.judges.judge import Passage, Prompt

POINTS = {str(point): str(point) for point in range(1, 6)}
PROMPT = Prompt("How good?", (Passage("Summary", "text"),), POINTS, "1 to 5.", numeric=True)
PAIR = Prompt("Which?", (), {"A": "left", "B": "right"}, "A or B.")


@pytest.mark.parametrize(
    "text",
    ["4", " 4\n", "4.", "**4**", '"4"', '{"answer": 4}', '{"answer": "4"}', '{"answer": 4.0}',
     '```json\n{"answer": 4}\n```', "<think>Perhaps 5? Or 2.</think>\n4"],
)  # fmt: skip
def test_an_option_alone_is_read(text: str) -> None:
    assert read_answer(Completion(text, "stop"), PROMPT) == "4"


@pytest.mark.parametrize(
    "text",
    ["I would give it a 4.", "4 out of 5", "4/5", "3 or 4", "6", "0", "4.5", "four", "-4", "",
     '{"answer": 4.5}', '{"answer": true}', '{"answer": null}', '{"rating": 4}', '{"answer": [4]}',
     '{"answer": 4, "confidence": 2}', '{"answer": 4', "４", "<think>4"],
)  # fmt: skip
def test_anything_else_is_no_answer(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_answer(Completion(text, "stop"), PROMPT)


def test_an_answer_that_was_cut_off_is_called_so() -> None:
    with pytest.raises(UnreadableError, match="was cut off: “Let me think about”"):
        read_answer(Completion("Let me think about", "length"), PROMPT)
    with pytest.raises(UnreadableError, match="is empty before it began"):
        read_answer(Completion("", "length"), PROMPT)


def test_a_letter_is_read_too() -> None:
    assert read_answer(Completion("(B)", "stop"), PAIR) == "B"
    with pytest.raises(UnreadableError):
        read_answer(Completion("b", "stop"), PAIR)


def token(text: str, *alternatives: tuple[str, float]) -> dict[str, object]:
    listed = [{"token": each, "logprob": math.log(share)} for each, share in alternatives]
    return {"token": text, "logprob": math.log(0.3), "top_logprobs": listed}


def test_tokens_with_and_without_a_blank_count_together() -> None:
    # 4: 0.3 + 0.2, 5: 0.1 + 0.1, the rest is no option; 0.5 / 0.7 and 0.2 / 0.7.
    given = token("4", ("4", 0.3), (" 4", 0.2), ("5", 0.1), ("5.", 0.1), ("The", 0.2), ("45", 0.1))
    shares = shares_of(Completion("4", "stop", tokens=(given,)), PROMPT, "4")
    assert shares == pytest.approx({"4": 5 / 7, "5": 2 / 7})


def test_the_answer_itself_counts_where_it_is_not_among_the_alternatives() -> None:
    given = token("4", ("5", 0.1))
    shares = shares_of(Completion("4", "stop", tokens=(given,)), PROMPT, "4")
    assert shares == pytest.approx({"4": 0.75, "5": 0.25})


def test_in_json_the_token_of_the_value_tells() -> None:
    tokens = (token('{"'), token("answer"), token('":'), token(" 4", (" 4", 0.3), (" 2", 0.1)))
    completion = Completion('{"answer": 4}', "stop", tokens=tokens)
    assert shares_of(completion, PROMPT, "4") == pytest.approx({"4": 0.75, "2": 0.25})


@pytest.mark.parametrize("tokens", [None, (), (token("Fo"), token("ur")), ({"token": None},)])
def test_tokens_that_do_not_have_the_answer_tell_nothing(tokens: object) -> None:
    assert shares_of(Completion("4", "stop", tokens=tokens), PROMPT, "4") is None  # type: ignore[arg-type]


def test_strange_log_probabilities_are_passed_over() -> None:
    odd = {"token": "4", "logprob": "x", "top_logprobs": [{"token": "4", "logprob": math.nan}, 3]}
    assert shares_of(Completion("4", "stop", tokens=(odd,)), PROMPT, "4") is None
