"""Generators depend on the seed and the document's id alone."""

from __future__ import annotations

from gistmark.records import Document
from gistmark.summarizers.seeds import generator


def drawn(seed: int, document: Document) -> list[int]:
    return generator(seed, document).integers(0, 1_000_000, 5).tolist()


def test_the_same_seed_and_document_draw_the_same() -> None:
    assert drawn(3, Document("a", ("One.",))) == drawn(3, Document("a", ("Other.",), lang="de"))


def test_another_seed_or_document_draws_otherwise() -> None:
    first = drawn(3, Document("a", ()))
    assert first != drawn(4, Document("a", ()))
    assert first != drawn(3, Document("b", ()))


def test_half_a_surrogate_pair_in_an_id_is_no_trouble() -> None:
    assert drawn(0, Document("\ud800", ())) != drawn(0, Document("\ud801", ()))


def test_the_numbers_stay_the_same_from_version_to_version() -> None:
    assert generator(0, Document("a", ())).permutation(6).tolist() == [1, 5, 4, 0, 3, 2]
