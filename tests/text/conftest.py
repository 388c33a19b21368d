"""What the tests of text share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gistmark


@pytest.fixture(scope="session")
def sample_texts() -> list[str]:
    """Every text of the bundled sample corpus."""
    folder = Path(gistmark.__file__).parent / "corpus" / "sample"
    texts: list[str] = []
    for name in ("documents.jsonl", "summaries.jsonl", "planted.jsonl", "questions.jsonl"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            texts += [value for value in record.values() if isinstance(value, str)]
            texts += record.get("texts", [])
    return texts
