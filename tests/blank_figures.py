"""Figures that are composed but not drawn, because drawing is most of the work of a report.

The tests in `tests/report`, which are about figures, draw them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import pytest


@contextmanager
def figures_left_blank() -> Iterator[None]:
    from matplotlib.figure import Figure

    def savefig(figure: Figure, stream: IO[Any], *, format: str, **_: object) -> None:
        stream.write('<svg xmlns="http://www.w3.org/2000/svg"/>' if format == "svg" else b"%PDF-")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "savefig", savefig)
        yield
