"""Grades and choices: Likert scales, pairwise choices, six measures, and one overall grade.

- `likert` and `pairwise`: Mieskes, Loza Mencía and Kronsbein, "A Data Set for the Analysis of Text
  Quality Dimensions in Summarization Evaluation" (DIP-SumEval, 2020), section 3.3. Four trained
  annotators rate a summary on five points in eleven dimensions, each with confidence and weight;
  seven vote on each pair of systems for each document (two-alternative forced choice). Who judged
  what there are designs (`gistmark.judgements.tasks.designs`) that the presets leave open: one
  summary of a topic for each annotator, fewer of them for the baselines, one criterion to a task.
- `quality`: after the thesis on evaluation metrics for summarisation whose data are EMFoS, chapter
  4 and appendix B. Two reviewers rate each summary and may correct themselves later.
- `overall`: Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC" (2020), section 5. Ten trained
  annotators, one pair of text and summary at a time.
"""

from __future__ import annotations

from collections.abc import Mapping

from gistmark.judgements.protocols.highres import CONSENT
from gistmark.judgements.protocols.protocol import Checks, Dimension, Protocol, Scale

CRITERIA: Mapping[str, str] = {
    "Non-Redundancy": "Nothing is said twice, neither in the same words nor in others.",
    "Referential Clarity": (
        "It is always plain who or what a word such as “she”, “it” or “the firm” stands for."
    ),
    "Grammaticality": "The sentences are built as the rules of the language want them.",
    "Focus": "The text keeps to its topic and does not wander off to other matters.",
    "Structure": (
        "What belongs together stands together, in an order that makes the text easy to follow."
    ),
    "Coherence": (
        "Each sentence follows from those before it, and words such as “but” or “therefore” join "
        "what they should join."
    ),
    "Readability": "The words and sentences are easy to read.",
    "Information Content": (
        "Somebody who knew little about the topic has learned something by reading the text."
    ),
    "Spelling": "The words are spelled correctly.",
    "Length": "The text is neither cut short nor too long for what it has to say.",
    "Overall Quality": "Your impression of the text as a whole.",
}
"""What each of the eleven dimensions of DIP-SumEval asks, in our words."""

PAIRWISE_CRITERIA = (
    "Non-Redundancy",
    "Structure",
    "Referential Clarity",
    "Readability",
    "Information Content",
    "Overall Quality",
)
"""The six that were judged in pairs."""

LIKERT = Protocol(
    name="likert",
    kind="rating",
    about="Rate a summary in eleven dimensions, each with confidence and weight (DIP-SumEval).",
    dimensions=tuple(
        Dimension(name, f"How good is the text in this respect: {name}?", guidance)
        for name, guidance in CRITERIA.items()
    ),
    scale=Scale("points", 1, 5, ("very poor", "poor", "barely acceptable", "good", "very good")),
    confidence=Scale("points", 1, 5, ("guessed", "unsure", "fairly sure", "sure", "certain")),
    weight=Scale("points", 1, 5, ("irrelevant", "minor", "relevant", "important", "decisive")),
    judges=4,
    items_per_task=1,
    minimum_seconds=45.0,
    checks=Checks(straight_line="flag", too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Read the summary, then rate it in each dimension by itself: a text may be well spelled "
        "and badly structured. For each rating, say how confident you are, and how much this "
        "dimension weighs in your overall impression of this very text."
    ),
    example=(
        "A text that repeats its first sentence at the end, but is correct and easy to read, may "
        "get “poor” for Non-Redundancy and “very good” for Spelling and Readability."
    ),
)

PAIRWISE = Protocol(
    name="pairwise",
    kind="comparison",
    about="Choose the better of two summaries in six dimensions (DIP-SumEval).",
    dimensions=tuple(
        Dimension(name, f"Which text is better in this respect: {name}?", CRITERIA[name])
        for name in PAIRWISE_CRITERIA
    ),
    judges=7,
    items_per_task=5,
    minimum_seconds=15.0,
    checks=Checks(straight_line="flag", too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Two summaries of the same text stand side by side. For each question choose the left or "
        "the right one. You have to choose even where both are close; go by your impression then."
    ),
    example=(
        "If the left text says everything once and the right one repeats itself, choose left for "
        "Non-Redundancy, even if the right one tells you more."
    ),
)

_BESIDE = "Read the title and the reference first."

QUALITY = Protocol(
    name="quality",
    kind="rating",
    about="Rate six measures of a summary beside the title and a reference (EMFoS).",
    shows=("title", "reference"),
    dimensions=(
        Dimension(
            "grammatical correctness",
            "Is the language correct?",
            "Look for mistakes in spelling, in punctuation and in how sentences are built. Do not "
            "mind quotation marks in odd places: they come from the conversion of the text.",
        ),
        Dimension(
            "arrangement",
            "Are the sentences in an order that makes sense?",
            f"{_BESIDE} A summary is a very short story: does this one tell it from a beginning "
            "to an end?",
        ),
        Dimension(
            "text quality",
            "Is it pleasant to read?",
            "Sentences should not be too long, and the style should suit readers of news: direct, "
            "factual, and without slang unless somebody is quoted.",
        ),
        Dimension(
            "conciseness",
            "Does it keep to the one main point?",
            f"{_BESIDE} A little background at the start is fine; jumping between side topics is "
            "not.",
        ),
        Dimension(
            "exhaustiveness",
            "Does it have the details that a reader needs?",
            f"{_BESIDE} If it says that something happened, does it also say how much, why, or "
            "with what result, so that no obvious question stays open?",
        ),
        Dimension(
            "overall",
            "How good is it, all in all?",
            f"{_BESIDE} Then rate the summary as a whole, by your own judgement.",
        ),
    ),
    scale=Scale("points", 1, 5, ("very bad", "bad", "acceptable", "good", "very good")),
    judges=2,
    items_per_task=1,
    minimum_seconds=15.0,
    checks=Checks(straight_line="flag", too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "You see the title of a news article, a reference summary that a person wrote, and the "
        "summary to rate. Compare with the reference for conciseness, exhaustiveness and the "
        "overall rating; judge the language by itself. Five is best, one is worst."
    ),
    example=(
        "A correct and readable summary that reports a rise in a share price but neither its size "
        "nor its cause may get 5 for grammatical correctness and 2 for exhaustiveness."
    ),
    editable=True,
)

OVERALL = Protocol(
    name="overall",
    kind="rating",
    about="Grade a summary as a whole from 0 to 4 beside its document (BLANC).",
    shows=("document",),
    dimensions=(
        Dimension(
            "overall",
            "How good is this summary of the document?",
            "Think of what a reader needs: the main points, nothing wrong, nothing superfluous, "
            "in sentences that can be read.",
        ),
    ),
    scale=Scale("points", 0, 4, ("very bad", "bad", "OK", "good", "very good")),
    judges=10,
    items_per_task=1,
    minimum_seconds=20.0,
    checks=Checks(too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Read the document, then the summary, and grade the summary as a whole. Judge every "
        "summary by itself, not against others that you have seen."
    ),
    example=(
        "A summary that has the main point but gets a number wrong may be “OK”; one that makes "
        "the document say the opposite is “very bad”, however well it is written."
    ),
)
