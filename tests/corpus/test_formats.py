from __future__ import annotations

import pytest

from gistmark.corpus.formats import FORMATS, Reader, Writer
from gistmark.errors import UsageError


@pytest.mark.parametrize("name", FORMATS.names())
def test_every_format_reads_and_writes_and_describes_itself_in_a_sentence(name: str) -> None:
    found = FORMATS.get(name)
    assert isinstance(found, Reader)
    assert isinstance(found, Writer)
    assert found.name == name
    assert found.description.endswith(".")
    assert "\n" not in found.description


def test_an_unknown_format_is_an_error_with_a_guess() -> None:
    with pytest.raises(UsageError, match="Did you mean 'summeval'"):
        FORMATS.get("sumeval")
