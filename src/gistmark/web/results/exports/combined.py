"""Several campaigns as one corpus, in which a person has one pseudonym everywhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gistmark.corpus import save
from gistmark.corpus.combining import Combined, combine
from gistmark.runtime.files import write_lines
from gistmark.web.campaigns.models import Campaign
from gistmark.web.results.exports.material import Choices, Material, pseudonyms

NOTES = "combined.txt"
"""What was assumed and left out, a sentence per line."""


def corpora_of(campaigns: Sequence[Campaign], choices: Choices) -> list[tuple[str, Material]]:
    """The name of each campaign, and what it exports; the same person has the same name in all."""
    names = {} if choices.names else _joint_pseudonyms(campaigns)
    return [(campaign.label, Material(campaign, names, choices)) for campaign in campaigns]


def combined_corpus(campaigns: Sequence[Campaign], choices: Choices) -> Combined:
    """The work of these campaigns that counts, as one corpus."""
    materials = corpora_of(campaigns, choices)
    parts = [(name, material.corpus) for name, material in materials]
    return combine(parts, named_apart=False)


@contextmanager
def packed_corpus(combined: Combined) -> Iterator[Path]:
    """A ZIP archive with the corpus folder, for as long as the context lasts."""
    with TemporaryDirectory(prefix="gistmark-combined-") as temporary:
        folder = Path(temporary) / "corpus"
        save(combined.corpus, folder)
        if combined.notes:
            write_lines(folder / NOTES, (f"{note}\n" for note in combined.notes))
        yield Path(shutil.make_archive(str(Path(temporary) / "archive"), "zip", folder))


def _joint_pseudonyms(campaigns: Sequence[Campaign]) -> dict[str, str]:
    """Pseudonyms as in exports, but counted over all campaigns."""
    names: dict[str, str] = {}
    numbers = {"annotator": 0, "machine": 0}
    for campaign in campaigns:
        for username, pseudonym in pseudonyms(campaign).items():
            if username not in names:
                kind = pseudonym.partition("-")[0]
                numbers[kind] += 1
                names[username] = f"{kind}-{numbers[kind]}"
    return names
