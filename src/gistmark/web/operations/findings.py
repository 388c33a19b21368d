"""What `gistmark check --deploy` finds: a setting that is not safe, why, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be where others use the platform.

    `name` stays the same from version to version, for programs that read it.
    """

    name: str
    what: str
    why: str
    how: str

    def __str__(self) -> str:
        return f"{self.what} {self.why} {self.how}"
