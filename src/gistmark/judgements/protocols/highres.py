"""The protocols of HighRES: highlights, content, fluency and clarity.

Hardy, Narayan and Vlachos, "HighRES: Highlight-based Reference-less Evaluation of Summarization"
(2019). Section 3.1: ten annotators mark at most K = 30 words of each document, and a True/False
question at the end tells who has not read it. Section 3.2: recall and precision of a summary on
sliders from 1 to 100, judged against the highlighted document, the plain document, or the
reference. Section 3.3: fluency and clarity, each judged by itself, on summaries alone, several to a
task; three planted ones among them must come out as bad < mediocre < good. References are judged
like the summaries of systems (tables 2 and 4), except where they are what a summary is judged by.
"""

from __future__ import annotations

from gistmark.judgements.protocols.protocol import Checks, Dimension, Protocol, Scale

CONSENT = (
    "You are invited to help a study of automatic summaries. You will read short texts and answer "
    "questions about them. Your answers and the time they take are stored under the name of your "
    "account and are used for research only; they may be published without that name. Taking "
    "part is voluntary: you may stop at any time, and nothing happens if you do."
)
QUESTION_ADVICE = (
    "At the end there is a statement about what you have read; say whether it is true or false."
)

HIGHLIGHT = Protocol(
    name="highlight",
    kind="highlight",
    about="Mark the words of a document that a good summary has to say (HighRES).",
    shows=("document",),
    budget=30,
    judges=10,
    items_per_task=1,
    minimum_seconds=30.0,
    checks=Checks(question="paid", no_highlights="paid", too_fast="flag"),
    consent=CONSENT,
    instructions=(
        "Read the whole document. Then mark the words and phrases that carry its main points: "
        "what you would tell somebody who has no time to read it. You may mark single words, "
        "phrases or sentences anywhere in the text, until your words are used up; a word counts "
        "once, however often you mark it. It helps to ask who did what, when, where, why and "
        f"how, but you are free to choose otherwise. {QUESTION_ADVICE}"
    ),
    example=(
        "In “The swing bridge at Port Ennick was closed on Tuesday night after a painter found a "
        "crack in one of its arms”, good marks are “swing bridge at Port Ennick was closed” "
        "(what, where) and “painter found a crack” (who, why)."
    ),
)

_SCALE = Scale("slider", 1, 100, ("not at all", "entirely"))
_CONTENT_CHECKS = Checks(question="paid", untouched="paid", too_fast="flag")
_DIMENSIONS = (
    Dimension(
        "recall",
        "The summary says everything that matters.",
        "Look for what is important but missing. The more is missing, the lower the value.",
    ),
    Dimension(
        "precision",
        "The summary says nothing but what matters.",
        "Look for what is there but unimportant, or not said in the text at all. The more of it, "
        "the lower the value.",
    ),
)
_EXAMPLE = (
    "A summary that has one of two main points and no side issue deserves about 50 for the first "
    "statement and close to 100 for the second."
)

CONTENT_HIGHLIGHT = Protocol(
    name="content-highlight",
    kind="rating",
    about="Rate what a summary says against a heat map of the document's highlights (HighRES).",
    shows=("heat-map",),
    dimensions=_DIMENSIONS,
    scale=_SCALE,
    judges=3,
    minimum_seconds=20.0,
    checks=_CONTENT_CHECKS,
    consent=CONSENT,
    judge_references=True,
    instructions=(
        "What was marked as important in the document is coloured: the stronger the colour of a "
        "word, the more often it was marked. Above the document you read whether people marked it "
        "or a program. The slider beside the document hides the weaker colours. Read "
        "the summary and say how far you agree with the two statements; take the coloured words as "
        f"what matters. {QUESTION_ADVICE}"
    ),
    example=_EXAMPLE,
)

CONTENT_DOCUMENT = Protocol(
    name="content-document",
    kind="rating",
    about="Rate what a summary says against the plain document (HighRES).",
    shows=("document",),
    dimensions=_DIMENSIONS,
    scale=_SCALE,
    judges=3,
    minimum_seconds=20.0,
    checks=_CONTENT_CHECKS,
    consent=CONSENT,
    judge_references=True,
    instructions=(
        "Read the document and decide for yourself what matters in it. Then read the summary and "
        f"say how far you agree with the two statements. {QUESTION_ADVICE}"
    ),
    example=_EXAMPLE,
)

CONTENT_REFERENCE = Protocol(
    name="content-reference",
    kind="rating",
    about="Rate what a summary says against a reference summary (HighRES).",
    shows=("reference",),
    dimensions=_DIMENSIONS,
    scale=_SCALE,
    judges=3,
    minimum_seconds=10.0,
    checks=_CONTENT_CHECKS,
    consent=CONSENT,
    instructions=(
        "The reference was written by somebody who knows the document; take what it says as what "
        "matters. Read the other summary and say how far you agree with the two statements. Other "
        f"words for the same thing are as good. {QUESTION_ADVICE}"
    ),
    example=_EXAMPLE,
)

_LANGUAGE_CHECKS = Checks(planted="paid", untouched="flag", straight_line="flag", too_fast="flag")

FLUENCY = Protocol(
    name="fluency",
    kind="rating",
    about="Rate how natural and grammatical a summary is, by itself (HighRES).",
    dimensions=(
        Dimension(
            "fluency",
            "How fluent is this summary?",
            "Does it sound like something that a careful native speaker would write? Take off for "
            "wrong grammar, for words that are missing, doubled or in the wrong place, and for "
            "sentences that break off. Whether it is true or complete does not count here.",
        ),
    ),
    scale=Scale("slider", 1, 100, ("not fluent at all", "perfectly fluent")),
    judges=3,
    items_per_task=5,
    minimum_seconds=3.0,
    checks=_LANGUAGE_CHECKS,
    consent=CONSENT,
    judge_references=True,
    instructions=(
        "You will see several summaries, one at a time. Rate each by its language alone. You can "
        "go back and change a rating before you submit the task."
    ),
    example=(
        "“The bridge was closed after a crack was found” is fluent. “The bridge close after crack "
        "were found” has mistakes, but can be followed. “Crack bridge after the found was a” "
        "deserves the lowest values."
    ),
)

CLARITY = Protocol(
    name="clarity",
    kind="rating",
    about="Rate how easy it is to tell what a summary means, by itself (HighRES).",
    dimensions=(
        Dimension(
            "clarity",
            "How clear is this summary?",
            "Can you tell who and what is meant, without having read the document? Take off for "
            "people, places or events that are mentioned as if you knew them, for “he” or “it” "
            "that could be anybody, and for sentences whose meaning you have to guess.",
        ),
    ),
    scale=Scale("slider", 1, 100, ("not clear at all", "perfectly clear")),
    judges=3,
    items_per_task=5,
    minimum_seconds=3.0,
    checks=_LANGUAGE_CHECKS,
    consent=CONSENT,
    judge_references=True,
    instructions=(
        "You will see several summaries, one at a time. Rate each by how well it can be "
        "understood. You can go back and change a rating before you submit the task."
    ),
    example=(
        "“A painter found a crack in the swing bridge at Port Ennick” is clear. “She found it "
        "there on Tuesday” is fluent, but nobody can tell who found what, or where."
    ),
)
