"""What answers tell about an annotator."""

from __future__ import annotations

from gistmark.analysis.agreement.annotators.respondents import respondent_quality
from gistmark.analysis.human.questions import questions_of
from gistmark.analysis.human.sets import sets_of
from gistmark.records import Response


def test_everybody_as_a_whole_and_by_question() -> None:
    """ann and bob say yes, cat says no: with the two others agreeing, only cat has a majority."""
    answers = {"ann": "yes", "bob": "yes", "cat": "no"}
    questions = questions_of(
        [Response("d", "s", "s", name, "good", "yes-no", value) for name, value in answers.items()]
        + [Response("d", "s", "s", "cat", "why", "text", "Bad.")]
    )
    result = respondent_quality(questions, sets_of(questions))
    assert [(r.annotator, r.dimension, r.n, r.agreement) for r in result] == [
        ("ann", "", 1, None),
        ("ann", "good", 1, None),
        ("bob", "", 1, None),
        ("bob", "good", 1, None),
        ("cat", "", 2, 0.0),
        ("cat", "good", 1, 0.0),
        ("cat", "why", 1, None),
    ]
    assert result[-1].reason == "agreement: Texts are not compared."
