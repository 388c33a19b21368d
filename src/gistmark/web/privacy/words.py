"""Words that identify a person, and how they are taken out of texts and of stored JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_BEFORE = r"(?<![\w@+\-])(?<!\w\.)"
_AFTER = r"(?![\w@+\-])(?!\.\w)"


@dataclass(frozen=True)
class Words:
    """Words to be replaced by a stand-in wherever they stand by themselves, in any case.

    A word inside another name, such as `ada` in `ada.lovelace`, stays.

    >>> Words(("ada",), "somebody").out_of("Ada was quick, ada.lovelace was not.")
    'somebody was quick, ada.lovelace was not.'
    """

    words: tuple[str, ...]
    stand_in: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        written = {form for word in self.words for form in (word, word.upper(), word.casefold())}
        longest_first = sorted(filter(None, written), key=len, reverse=True)
        either = "|".join(map(re.escape, longest_first)) or r"(?!)"
        return re.compile(f"{_BEFORE}(?:{either}){_AFTER}", re.IGNORECASE)

    def are_in(self, text: str) -> bool:
        """Whether one of the words stands in a text."""
        return self.pattern.search(text) is not None

    def out_of(self, text: str) -> str:
        """The text with the stand-in for each of the words."""
        return self.pattern.sub(lambda _: self.stand_in, text)

    def masked(self, value: Any) -> Any:
        """A JSON value with dots in place of the words, as many as they have letters.

        Keys stay, and texts are as long as before, so an answer is as valid as it was.
        """
        if isinstance(value, str):
            return self.pattern.sub(lambda match: "…" * len(match[0]), value)
        if isinstance(value, list):
            return [self.masked(each) for each in value]
        if isinstance(value, dict):
            return {key: self.masked(each) for key, each in value.items()}
        return value

    def out_of_json(self, value: Any, *, fixed: Iterable[str] = ()) -> Any:
        """The same for every text in a JSON value, keys included; values of `fixed` keys stay."""
        if isinstance(value, str):
            return self.out_of(value)
        if isinstance(value, list):
            return [self.out_of_json(each, fixed=fixed) for each in value]
        if isinstance(value, dict):
            return {
                self.out_of(key): each if key in fixed else self.out_of_json(each, fixed=fixed)
                for key, each in value.items()
            }
        return value
