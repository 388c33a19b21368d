"""`headline`: stories in a text file, each under its headline, with a blank line between two.

The headline becomes the story's reference.
"""

from __future__ import annotations

from pathlib import Path

from gistmark.corpus import Corpus
from gistmark.errors import CorpusError, Problem
from gistmark.records import Document, Summary


class Headlines:
    """Reads a file of stories; the number of a story is its id."""

    name = "headline"
    description = "Stories in a text file, each under its headline, blank lines between them."

    def read(self, source: Path) -> Corpus:
        documents: list[Document] = []
        references: list[Summary] = []
        problems: list[Problem] = []
        for number, (line, story) in enumerate(_stories(source), start=1):
            headline, *text = story
            if not text:
                problems.append(Problem("The story has no text.", str(source), line))
            documents.append(Document(str(number), ("\n".join(text),), title=headline))
            references.append(Summary(str(number), "reference", headline, reference=True))
        if problems:
            raise CorpusError(problems)
        return Corpus(documents=tuple(documents), summaries=tuple(references))


def _stories(source: Path) -> list[tuple[int, list[str]]]:
    """Each story's lines, and the number of the first."""
    stories: list[tuple[int, list[str]]] = []
    after_blank = True
    for number, line in enumerate(source.read_text("utf-8").splitlines(), start=1):
        if line.strip():
            if after_blank:
                stories.append((number, []))
            stories[-1][1].append(line.strip())
        after_blank = not line.strip()
    return stories


FORMAT = Headlines()
