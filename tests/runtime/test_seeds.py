"""Generators depend on the seed and on what they are for, and on nothing else."""

from __future__ import annotations

import numpy as np

from gistmark.records import Document
from gistmark.runtime.seeds import document_generator, generator


def drawn(seed: int, document: Document) -> list[int]:
    return document_generator(seed, document.id).integers(0, 1_000_000, 5).tolist()


def test_the_same_seed_and_document_draw_the_same() -> None:
    assert drawn(3, Document("a", ("One.",))) == drawn(3, Document("a", ("Other.",), lang="de"))


def test_another_seed_or_document_draws_otherwise() -> None:
    first = drawn(3, Document("a", ()))
    assert first != drawn(4, Document("a", ()))
    assert first != drawn(3, Document("b", ()))


def test_half_a_surrogate_pair_in_an_id_is_no_trouble() -> None:
    assert drawn(0, Document("\ud800", ())) != drawn(0, Document("\ud801", ()))


def test_the_numbers_stay_the_same_from_version_to_version() -> None:
    assert document_generator(0, "a").permutation(6).tolist() == [1, 5, 4, 0, 3, 2]


def test_names_make_a_generator_of_their_own() -> None:
    """Streams of version 0.1: campaigns must draw the same orders again."""
    assert generator(0, "task", 3, "ann").permutation(6).tolist() == [0, 1, 4, 5, 2, 3]
    assert generator(0).permutation(6).tolist() == np.random.default_rng(0).permutation(6).tolist()
    assert generator(0, "a", "b").integers(1 << 30) != generator(0, "b", "a").integers(1 << 30)
