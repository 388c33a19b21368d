"""Documents and summaries on which BLANC-help is held against the authors' package.

They are records of CNN_DailyMail_555, which is not part of the project: the shortest ones, so that
a comparison is quick, and some put together of them that are longer than a model reads.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

SHORT = (
    19, 23, 28, 29, 30, 41, 43, 45, 58, 67, 74, 75, 87, 90, 91, 92, 93, 94, 157, 182, 250, 253, 352,
    359, 475,
)  # fmt: skip
GAPS = (2, 6)


@dataclass(frozen=True)
class Case:
    """A document and a summary, with a name that tells how they are made of the records."""

    name: str
    document: str
    summary: str


def cases(data: Path) -> list[Case]:
    """All cases, from the folder of the papers' released data."""
    file = data / "blanc" / "CNN_DailyMail_555.json"
    records = json.loads(file.read_text(encoding="utf-8"))
    texts = [record["text"] for record in records]
    made = [Case(f"{n}", texts[n], records[n]["summary"]) for n in SHORT]
    endless = texts[75].translate(str.maketrans(".!?\n", ",,, "))
    return [
        *made,
        Case("text of 23, summary: text of 0", texts[23], texts[0]),
        Case("text of 23, summary: text of 75 as one sentence", texts[23], endless),
        Case("text of 75 as one sentence", endless, records[75]["summary"]),
        Case("text of 75 as one sentence, summary: text of 0", endless, texts[0]),
        Case("text of 75 as one sentence, no summary", endless, ""),
    ]
