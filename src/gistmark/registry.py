"""Names to objects: a literal catalogue of "module:object" paths, and entry points for plugins.

A catalogue is read without importing what it lists, so `gistmark --help` stays fast. A plugin
adds a name through an entry point of the registry's group (`gistmark.metrics`,
`gistmark.systems`, `gistmark.readers`, `gistmark.protocols`); a name that Gistmark itself uses
cannot be replaced.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from gistmark.errors import GistmarkError, UsageError, unknown_name

T = TypeVar("T")


class Registry(Generic[T]):
    """The objects of one kind, by name, imported on first use."""

    def __init__(
        self, noun: str, group: str, builtin: Mapping[str, str], *, base: type | None = None
    ) -> None:
        """With `base`, a plugin's object must be a subclass of it."""
        self.noun = noun
        self.group = group
        self.builtin = tuple(builtin)
        self._builtin = dict(builtin)
        self._base = base

    def __contains__(self, name: object) -> bool:
        return name in self._builtin or name in self._plugins

    def __iter__(self) -> Iterator[str]:
        yield from self._builtin
        yield from self._plugins

    def split(self, spec: str, groups: Mapping[str, tuple[str, ...]]) -> tuple[str, str]:
        """The name and the settings of a spec such as `rougeL:stem=yes`; a group takes none."""
        name, _, settings = spec.partition(":")
        if name in groups:
            raise UsageError(
                f"{name} stands for several {self.noun}s and takes no options; "
                f"name the {self.noun}s one by one: {', '.join(groups[name])}."
            )
        if name not in self:
            raise unknown_name(self.noun, name, (*self.names(), *groups))
        return name, settings

    def names(self) -> tuple[str, ...]:
        return tuple(self)

    def source(self, name: str) -> str:
        """Where a name comes from: `gistmark`, or the plugin's distribution."""
        plugin = self._plugins.get(name)
        if name in self._builtin or plugin is None:
            return "gistmark"
        return plugin.dist.name if plugin.dist is not None else plugin.module

    def get(self, name: str) -> T:
        """The object of this name; an unknown name is an error that lists the known ones."""
        if name in self._builtin:
            return self._import(self._builtin[name])
        if name in self._plugins:
            return self._load(self._plugins[name])
        raise unknown_name(self.noun, name, self.names())

    @cached_property
    def _plugins(self) -> dict[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        for entry in entry_points(group=self.group):
            if entry.name in self._builtin or entry.name in found:
                warnings.warn(
                    f"The {self.noun} {entry.name!r} of {entry.value} is ignored: "
                    f"the name is already taken.",
                    stacklevel=2,
                )
                continue
            found[entry.name] = entry
        return found

    def _import(self, path: str) -> T:
        module, _, attribute = path.partition(":")
        found: T = getattr(import_module(module), attribute)
        return found

    def _load(self, entry: EntryPoint) -> T:
        try:
            loaded: T = entry.load()
        except Exception as error:
            raise GistmarkError(
                f"The plugin {entry.value} for the {self.noun} {entry.name!r} "
                f"cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        if self._base and not (isinstance(loaded, type) and issubclass(loaded, self._base)):
            raise GistmarkError(
                f"The plugin {entry.value} for the {self.noun} {entry.name!r} is not a subclass "
                f"of {self._base.__module__}.{self._base.__qualname__}."
            )
        return loaded
