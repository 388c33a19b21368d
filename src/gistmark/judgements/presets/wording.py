"""Texts that several protocols share."""

from __future__ import annotations

CONSENT = (
    "You are invited to help a study of automatic summaries. You will read short texts and answer "
    "questions about them. Your answers and the time they take are stored under the name of your "
    "account and are used for research only; they may be published without that name. Taking "
    "part is voluntary: you may stop at any time, and nothing happens if you do."
)
QUESTION_ADVICE = (
    "At the end there is a statement about what you have read; say whether it is true or false."
)
