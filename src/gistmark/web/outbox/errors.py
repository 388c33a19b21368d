"""How a delivery can fail: for now, or for good."""

from __future__ import annotations

from gistmark.errors import GistmarkError


class NotSentError(GistmarkError):
    """It did not arrive this time; it is tried again later."""


class GivenUpError(GistmarkError):
    """It makes no sense to try again, such as for an address that does not exist."""
