"""The eleven quality dimensions of DIP-SumEval, which `likert` and `pairwise` ask for.

Mieskes, Loza Mencía and Kronsbein, "A Data Set for the Analysis of Text Quality Dimensions in
Summarization Evaluation" (2020), section 3.3.
"""

from __future__ import annotations

from collections.abc import Mapping

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
"""What each dimension asks, in our words."""

PAIRWISE_CRITERIA = (
    "Non-Redundancy",
    "Structure",
    "Referential Clarity",
    "Readability",
    "Information Content",
    "Overall Quality",
)
"""The six that were judged in pairs."""
