"""Options of metrics and systems: one frozen dataclass each, read from `name:option=value,...`.

The same dataclass gives the defaults, the help that the command line prints, and the signature.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin, get_type_hints

from gistmark.errors import UsageError, unknown_name


@dataclass(frozen=True)
class NoOptions:
    """The options of what has none."""


def option(default: Any, text: str, *, least: int = 0, implied: bool = False) -> Any:
    """A field of an options dataclass with the help that `gistmark metrics` prints.

    A number must be `least` or more. The default of an `implied` option is not written into
    signatures: it is what older signatures mean, which do not name the option.
    """
    return field(default=default, metadata={"help": text, "least": least, "implied": implied})


def option_types(options: type[Any]) -> dict[str, Any]:
    """The options of a dataclass and their types."""
    hints = get_type_hints(options)
    return {option.name: hints[option.name] for option in dataclasses.fields(options)}


def signature(family: str, version: str, options: Any) -> str:
    """All that is needed to compute something again, as one string."""
    values = {
        item.name: written(getattr(options, item.name))
        for item in dataclasses.fields(options)
        if not (item.metadata.get("implied") and getattr(options, item.name) == item.default)
    }
    parts = [f"{name}:{value}" for name, value in sorted(values.items())]
    return "|".join([family, f"v:{version}", *parts])


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
    """The settings in a text such as `stem=yes,refs=mean`, by name; what is `fixed` is not set."""
    types_of = {key: hint for key, hint in option_types(options).items() if key not in fixed}
    least = {item.name: item.metadata.get("least", 0) for item in dataclasses.fields(options)}
    found: dict[str, Any] = {}
    for setting in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"{name}: write options as name=value, not {setting!r}.")
        if key not in types_of:
            known = tuple(types_of)
            if not known:
                raise UsageError(f"{name} has no options, so {key!r} cannot be set.")
            raise unknown_name(f"option of {name} named", key, known)
        if not value:
            raise UsageError(f"{name}: {key} is given no value; write {key}=VALUE, without blanks.")
        found[key] = parse_option(f"{name}:{key}", value, types_of[key], least=least[key])
    return found


def parse_option(name: str, value: str, hint: Any, *, least: int = 0) -> Any:
    """An option's value from its text; what does not fit is an error that says what would."""
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
