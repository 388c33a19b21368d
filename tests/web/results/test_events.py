"""Every event of a campaign's audit trail is told in words."""

from __future__ import annotations

import ast
from pathlib import Path

import gistmark.web
from gistmark.web.results.dashboard.events import WORDS

NO_NEWS = {"took"}
"""That a task was claimed is left out of the latest events."""


def recorded_verbs() -> set[str]:
    """What the platform's code passes to `record` as the verb, where it is written there."""
    verbs = set()
    for file in Path(gistmark.web.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "record":
                verbs |= {
                    each.value
                    for part in node.args[2:3]
                    for each in ast.walk(part)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
    return verbs


def test_every_verb_has_words():
    verbs = recorded_verbs()
    assert len(verbs) > 40
    unknown = {verb for verb in verbs if not verb.endswith("-") and not verb.startswith("-")}
    assert unknown - NO_NEWS - WORDS.keys() == set()


def test_words_are_sentences_and_not_names_of_verbs():
    assert [verb for verb, words in WORDS.items() if words == verb and "-" in verb] == []
