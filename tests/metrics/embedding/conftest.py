"""What the tests of BERTScore share: a tiny model, and texts that its tokenizer knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.metrics.batch import Batch, Item
from tiny_models import SENTENCES, encoder

SUMMARIES = (
    "A crack closed the bridge.",
    "Engineers found that the ferries will stay, nobody was hurt!",
    "money",
    " The council lost a library in ten weeks, and it needs new steel. ",
    "It is shut. It is shut. It is shut.",
    "Ferries run 👍 橋は閉鎖された。",
)
REFERENCES = SENTENCES


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(encoder(tmp_path_factory.mktemp("models") / "tiny"))


@pytest.fixture(scope="session")
def batch() -> Batch:
    return Batch.of([Item(s, (r,)) for s, r in zip(SUMMARIES, REFERENCES, strict=True)])


@pytest.fixture
def references_file(tmp_path: Path) -> str:
    """The references, one on each line, for idf."""
    file = tmp_path / "references.txt"
    file.write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")
    return str(file)
