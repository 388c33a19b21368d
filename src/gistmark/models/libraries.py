"""The packages of the extra `neural`, imported where they are needed and quiet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from gistmark.errors import MissingExtraError


def library(name: str) -> Any:
    """A package of the extra `neural`, or an error that names the extra."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError(name.partition(".")[0], extra="neural") from None


@contextmanager
def quiet() -> Iterator[None]:
    """Within it, the progress bars and the advice of transformers are not shown."""
    logging = library("transformers").utils.logging
    level, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()
