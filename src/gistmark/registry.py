"""Names to objects: a literal catalogue of "module:object" paths, and entry points for plugins.

A catalogue is read without importing what it lists, so `gistmark --help` stays fast. A plugin
adds a name through an entry point of the registry's group (`gistmark.metrics`,
`gistmark.systems`, `gistmark.readers`, `gistmark.protocols`, `gistmark.question_types`,
`gistmark.block_types`, `gistmark.checks`, `gistmark.coefficients`, `gistmark.markets`); a name
that Gistmark itself uses cannot be replaced. What goes wrong inside a plugin is a `PluginError`
that names it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from traceback import walk_tb
from typing import Generic, TypeVar

from gistmark.errors import GistmarkError, PluginError, UsageError, unknown_name

T = TypeVar("T")

Check = Callable[[object], str | None]
"""Says what is wrong with an object that a plugin offers, as the end of a sentence, or None."""

_GROUPS = (
    "gistmark.metrics",
    "gistmark.systems",
    "gistmark.readers",
    "gistmark.protocols",
    "gistmark.question_types",
    "gistmark.block_types",
    "gistmark.checks",
    "gistmark.coefficients",
    "gistmark.markets",
)


class Registry(Generic[T]):
    """The objects of one kind, by name, imported on first use."""

    def __init__(
        self,
        noun: str,
        group: str,
        builtin: Mapping[str, str],
        *,
        base: type | None = None,
        check: Check | None = None,
    ) -> None:
        """With `base`, a plugin's object must be a subclass of it.

        With `check`, it must be an instance that passes the check; a class is instantiated.
        """
        self.noun = noun
        self.group = group
        self.builtin = tuple(builtin)
        self._builtin = dict(builtin)
        self._base = base
        self._check = check

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
        return _distribution(plugin)

    def get(self, name: str) -> T:
        """The object of this name; an unknown name is an error that lists the known ones."""
        if name in self._builtin:
            return self._import(self._builtin[name])
        if name in self._plugins:
            return self._load(self._plugins[name])
        raise unknown_name(self.noun, name, self.names())

    @contextmanager
    def naming_plugin(
        self, spec: str, *, passing: tuple[type[Exception], ...] = ()
    ) -> Iterator[None]:
        """Turn an unexpected error of the plugin behind a spec into a `PluginError`.

        Errors that are meant for the user (`GistmarkError`, and the `passing` ones) stay as they
        are, and so do all errors if the spec does not name a plugin.
        """
        try:
            yield
        except Exception as error:
            entry = self._plugins.get(spec.partition(":")[0])
            if entry is None or isinstance(error, (GistmarkError, *passing)):
                raise
            raise PluginError(f"{self._described(entry)} failed: {_error_line(error)}") from error

    def failure_in(self, reasons: Iterable[str]) -> str | None:
        """The first of the reasons that is an error of a plugin, as `naming_plugin` words it."""
        starts = tuple(f"{self._described(entry)} failed: " for entry in self._plugins.values())
        return next((reason for reason in reasons if reason.startswith(starts)), None)

    @cached_property
    def _plugins(self) -> dict[str, EntryPoint]:
        plugins: dict[str, EntryPoint] = {}
        for entry in entry_points(group=self.group):
            if entry.name in self._builtin or entry.name in plugins:
                warnings.warn(
                    f"The {self.noun} {entry.name!r} of {entry.value} is ignored: "
                    f"the name is already taken.",
                    stacklevel=2,
                )
                continue
            plugins[entry.name] = entry
        return plugins

    def _import(self, path: str) -> T:
        module, _, attribute = path.partition(":")
        imported: T = getattr(import_module(module), attribute)
        return imported

    def _load(self, entry: EntryPoint) -> T:
        try:
            loaded: T = entry.load()
        except Exception as error:
            line = f"{self._described(entry)} cannot be loaded from {entry.value}"
            raise PluginError(f"{line}: {_error_line(error)}") from error
        if self._base and not (isinstance(loaded, type) and issubclass(loaded, self._base)):
            raise GistmarkError(
                f"{self._described(entry)} ({entry.value}) is not a subclass of "
                f"{self._base.__module__}.{self._base.__qualname__}."
            )
        return self._checked(entry, loaded) if self._check else loaded

    def _checked(self, entry: EntryPoint, loaded: T) -> T:
        """The instance that a plugin names, or one of the class that it names."""
        if isinstance(loaded, type):
            with self.naming_plugin(entry.name):
                loaded = loaded()
        if self._check and (fault := self._check(loaded)):
            raise GistmarkError(f"{self._described(entry)} ({entry.value}) {fault}.")
        return loaded

    def _described(self, entry: EntryPoint) -> str:
        return f"The {self.noun} {entry.name} of the plugin {_distribution(entry)}"


def plugin_behind(error: BaseException) -> str | None:
    """The distribution of the plugin whose code was running when the error was raised, if any."""
    packages = {
        entry.module.partition(".")[0]: _distribution(entry)
        for group in _GROUPS
        for entry in entry_points(group=group)
    }
    for frame, _ in walk_tb(error.__traceback__):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package in packages:
            return packages[package]
    return None


def _distribution(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.module


def _error_line(error: Exception) -> str:
    """An error in one line: its kind, and what it says."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
