"""Options of metrics and systems: one frozen dataclass each, read from `name:option=value,...`.

The same dataclass gives the defaults, the help that the command line prints, and the signature,
from which the options can be read again.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self, get_args, get_origin, get_type_hints

from gistmark._version import __version__
from gistmark.errors import UsageError, unknown_name
from gistmark.signature import Signature, split_at, unescape


@dataclass(frozen=True)
class NoOptions:
    """The options of a metric or system that has none."""


def option(default: Any, text: str, *, least: int = 0, implied: bool = False) -> Any:
    """A field of an options dataclass with the help that `gistmark metrics` prints.

    A number must be `least` or more. The default of an `implied` option is not written into
    signatures, which mean it where they do not name the option.
    """
    return field(default=default, metadata={"help": text, "least": least, "implied": implied})


def option_types(options: type[Any]) -> dict[str, Any]:
    """The options of a dataclass and their types."""
    hints = get_type_hints(options)
    return {option.name: hints[option.name] for option in dataclasses.fields(options)}


class Configured:
    """A metric or a summariser: something with options that a signature records."""

    Options: ClassVar[type[Any]] = NoOptions

    def __init__(self, options: Any | None = None) -> None:
        self.options = self.Options() if options is None else options

    @property
    def version(self) -> str:
        """The version in the signature; a plugin puts its own here."""
        return __version__

    @property
    def signature(self) -> str:
        """Everything needed to compute the same values again, as one string."""
        signature = Signature(self._signed_as(), self.version, _values_of(self.options))
        return str(signature.with_fields(self._shown()))

    @classmethod
    def from_signature(cls, signature: Signature) -> Self:
        """An instance with the options that a signature records; other fields are ignored."""
        given = {
            name: parse_option(name, signature.fields[name], hint)
            for name, hint in option_types(cls.Options).items()
            if name in signature.fields
        }
        return cls(cls.Options(**given))

    def _signed_as(self) -> str:
        """What the signature begins with."""
        raise NotImplementedError

    def _shown(self) -> dict[str, str]:
        """Values for the signature where an option's own value does not say enough.

        Fields that are not options come after the others.
        """
        return {}


def _values_of(options: Any) -> Mapping[str, str]:
    """The options as a signature writes them, by name in alphabetical order."""
    return {
        item.name: written(getattr(options, item.name))
        for item in sorted(dataclasses.fields(options), key=lambda item: item.name)
        if not (item.metadata.get("implied") and getattr(options, item.name) == item.default)
    }


def written(value: object) -> str:
    """An option's value as the command line and the signature write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "data"
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value)


def settings_from(
    name: str, text: str, options: type[Any], *, fixed: Collection[str] = ()
) -> dict[str, Any]:
    """The settings in a text such as `stem=yes,refs=mean`, by name; `fixed` names cannot be set.

    In a value, a comma is escaped with a backslash.
    """
    types_of = {key: hint for key, hint in option_types(options).items() if key not in fixed}
    least = {item.name: item.metadata.get("least", 0) for item in dataclasses.fields(options)}
    settings: dict[str, Any] = {}
    for setting in filter(None, (part.strip() for part in split_at(",", text))):
        key, equals, value = setting.partition("=")
        if not equals:
            comma = r"; a comma in a value is written \," if settings else ""
            raise UsageError(f"{name}: write options as name=value, not {setting!r}{comma}.")
        if key not in types_of:
            known = tuple(types_of)
            if not known:
                raise UsageError(f"{name} has no options, so {key!r} cannot be set.")
            raise unknown_name(f"option of {name} named", key, known)
        if not value:
            raise UsageError(f"{name}: {key} is given no value; write {key}=VALUE, without blanks.")
        settings[key] = parse_option(
            f"{name}:{key}", unescape(value), types_of[key], least=least[key]
        )
    return settings


def parse_option(name: str, value: str, hint: Any, *, least: int = 0) -> Any:
    """An option's value from its text; a wrong one is an error that says what is allowed."""
    if isinstance(hint, types.UnionType):
        inner = next(kind for kind in get_args(hint) if kind is not type(None))
        return None if value == "data" else parse_option(name, value, inner, least=least)
    if get_origin(hint) is Literal:
        if value in get_args(hint):
            return value
        raise UsageError(f"{name}: {value!r} is not one of {', '.join(get_args(hint))}.")
    if hint is bool:
        return _truth(name, value)
    if hint in (int, float):
        return _number(name, value, hint, least)
    return value


def _truth(name: str, value: str) -> bool:
    if value.lower() in ("yes", "true", "1"):
        return True
    if value.lower() in ("no", "false", "0"):
        return False
    raise UsageError(f"{name}: {value!r} is neither yes nor no.")


def _number(name: str, value: str, hint: type[int] | type[float], least: int) -> int | float:
    what = "a whole number" if hint is int else "a number"
    try:
        number = hint(value)
    except ValueError:
        raise UsageError(f"{name}: {value!r} is not {what}.") from None
    if not least <= number < float("inf"):
        raise UsageError(f"{name}: {value} is out of range; it is {what} of {least} or more.")
    return number
