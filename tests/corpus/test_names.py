from __future__ import annotations

import pytest

from gistmark.corpus.names import file_name, name_of_file, reference_name, reference_number


def test_references_are_numbered_from_the_second() -> None:
    assert [reference_name(number) for number in (1, 2, 10)] == [
        "reference",
        "reference-2",
        "reference-10",
    ]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("reference", 1),
        ("reference-2", 2),
        ("reference-1", None),
        ("reference-02", None),
        ("reference-b", None),
        ("gold", None),
    ],
)
def test_only_names_that_were_given_have_a_number(name: str, number: int | None) -> None:
    assert reference_number(name) == number


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("lead", "lead"),
        ("漢字 é", "漢字 é"),
        ("a/b", "a%2Fb"),
        ("..", "%2E%2E"),
        (".hidden", "%2Ehidden"),
        ("50%", "50%25"),
        ("a\nb\x00", "a%0Ab%00"),
        ("end. ", "end.%20"),
        ("~", "%7E"),
    ],
)
def test_any_name_is_a_file_name_and_comes_back(name: str, file: str) -> None:
    assert file_name(name) == file
    assert name_of_file(file) == name


def test_escapes_that_were_not_made_here_stay() -> None:
    assert name_of_file("caf%C3%A9 %41") == "caf%C3%A9 %41"
