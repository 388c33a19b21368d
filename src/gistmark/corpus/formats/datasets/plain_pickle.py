"""Pickles of plain data, read so that nothing in them can run.

A pickle is a program: it may name any function on the machine and call it. Here it may build
dicts, lists, tuples, sets, texts, bytes and numbers, NumPy's numbers and arrays of numbers
included, and nothing else:

- its instructions are looked at before the first is carried out; those that make objects of
  classes, use registered extensions or reserve memory beyond the file's own size are refused;
- a name in it stands for one of the few builders below, never for what Python knows by that name.
"""

from __future__ import annotations

import io
import pickle
import pickletools
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_VALUES = 5_000_000
"""More values than any data set of summaries has; a small pickle can stand for far more."""

_REFUSED = {
    "INST", "OBJ", "NEWOBJ", "NEWOBJ_EX", "EXT1", "EXT2", "EXT4", "PERSID", "BINPERSID",
    "NEXT_BUFFER", "READONLY_BUFFER",
}  # fmt: skip
_MEMO = ("PUT", "BINPUT", "LONG_BINPUT")
_SIMPLE = str | bytes | int | float | None
_NUMBER = re.compile(r"b1|[iu][1248]|f[248]")


class UnsafePickleError(Exception):
    """A pickle that is broken or holds more than plain data; the message is one sentence."""


def read_plain_pickle(path: Path) -> Any:
    """The plain value in a pickle; arrays are lists, NumPy's numbers are Python's.

    Anything else in it is an `UnsafePickleError`, and nothing of it has run. A file that cannot be
    opened is an `OSError`.
    """
    data = path.read_bytes()
    try:
        _check_instructions(data)
        return _plain_value(_Unpickler(io.BytesIO(data)).load())
    except UnsafePickleError:
        raise
    except Exception as error:  # a broken pickle can raise anything
        raise UnsafePickleError(f"The file is not a pickle of plain data: {error}.") from None


def _check_instructions(data: bytes) -> None:
    """Refuse instructions that plain data never need, and memory beyond the file's own size."""
    for count, (instruction, argument, _) in enumerate(pickletools.genops(data)):
        if instruction.name in _REFUSED:
            raise _refusal(f"it has the instruction {instruction.name}")
        if instruction.name in _MEMO and int(argument or 0) > count:
            raise _refusal("it reserves more memory than it has values")


class _Builder:
    """What a name in a pickle stands for: it can be called, but not changed."""

    __slots__ = ("_build",)

    def __init__(self, build: Callable[..., Any]) -> None:
        self._build = build

    def __call__(self, *arguments: object) -> Any:
        return self._build(*arguments)

    def __setstate__(self, state: object) -> None:
        raise _refusal("it changes a function")


class _DataType:
    """Stands in for a NumPy type of numbers; its pickled state sets the order of bytes."""

    __slots__ = ("_code", "_order")

    def __init__(self, code: object, *_: object) -> None:
        if not isinstance(code, str) or not _NUMBER.fullmatch(code):
            raise _refusal(f"it has an array of {code!r}, which are not numbers")
        self._code, self._order = code, "="

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        order = state[1]
        if order not in ("<", ">", "=", "|"):
            raise _refusal("it has an array of an unknown kind")
        self._order = order

    def numbers(self, data: object) -> NDArray[Any]:
        """The numbers that bytes stand for."""
        import numpy as np

        if not isinstance(data, bytes | bytearray):
            raise _refusal("it has an array that is not made of bytes")
        return np.frombuffer(data, dtype=np.dtype(f"{self._order}{self._code}"))


class _Array:
    """Stands in for a NumPy array; its pickled state sets shape, type and numbers."""

    __slots__ = ("values",)

    def __init__(self, *_: object) -> None:
        self.values: Any = []

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, kind, by_columns, data = state
        self.values = _reshape(kind, data, shape, "F" if by_columns else "C")


def _reshape(kind: object, data: object, shape: object, order: object) -> Any:
    if not isinstance(kind, _DataType) or not isinstance(shape, tuple) or order not in ("C", "F"):
        raise _refusal("it has an array of an unknown kind")
    return kind.numbers(data).reshape(shape, order=order).tolist()


def _from_buffer(data: object, kind: object, shape: object, order: object, *_: object) -> Any:
    return _reshape(kind, data, shape, order)


def _scalar(kind: object, data: object) -> Any:
    (number,) = _reshape(kind, data, (1,), "C")
    return number


def _encode(text: object, encoding: object = "latin1") -> bytes:
    """Build bytes as pickles of old protocols do."""
    if not isinstance(text, str) or encoding not in ("latin1", "latin-1"):
        raise _refusal("it encodes something in an unknown way")
    return text.encode("latin1")


def _empty_bytes(*arguments: object) -> bytes:
    """Build empty bytes as pickles of old protocols do."""
    if arguments:
        raise _refusal("it calls a type")
    return b""


def _no_object(*_: object) -> Any:
    raise _refusal("it calls a type")


_BUILDERS: Mapping[tuple[str, str], Callable[..., Any]] = {
    ("builtins", "bytes"): _empty_bytes,
    ("builtins", "set"): set,
    ("builtins", "frozenset"): frozenset,
    ("collections", "OrderedDict"): dict,
    ("collections", "defaultdict"): lambda *_: {},
    **{("builtins", name): _no_object for name in ("dict", "list", "int", "float", "str")},
    ("_codecs", "encode"): _encode,
    ("numpy", "dtype"): _DataType,
    ("numpy", "ndarray"): _no_object,
    **{
        (f"numpy.{core}.{module}", name): build
        for core in ("core", "_core")
        for module, name, build in (
            ("multiarray", "scalar", _scalar),
            ("multiarray", "_reconstruct", _Array),
            ("numeric", "_frombuffer", _from_buffer),
        )
    },
}
"""What the names of a plain pickle stand for. Types serve as arguments only: of a defaultdict,
whose entries come after it, and of an array."""


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> _Builder:
        # Python 2 called the module of built-in names __builtin__.
        current_module = "builtins" if module == "__builtin__" else module
        build = _BUILDERS.get((current_module, name))
        if build is None:
            raise _refusal(f"it refers to {module}.{name}")
        return _Builder(build)


def _plain_value(value: object) -> Any:
    """Replace arrays by lists; refuse too many values, and values that are not plain data."""
    holder = [value]
    unvisited: list[Any] = [holder]
    count = 0
    while unvisited:
        container = unvisited.pop()
        for key, item in list(
            container.items() if isinstance(container, dict) else enumerate(container)
        ):
            count += 1
            if count > _MOST_VALUES:
                raise _refusal(f"it unpacks to more than {_MOST_VALUES:,} values")
            if not isinstance(key, _SIMPLE | tuple):
                raise _refusal("it holds something that is not plain data")
            if isinstance(item, _Array):
                container[key] = item = item.values
            if isinstance(item, dict | list):
                unvisited.append(item)
            elif isinstance(item, tuple | set | frozenset):
                container[key] = members = list(item)
                unvisited.append(members)
            elif not isinstance(item, _SIMPLE):
                raise _refusal("it holds something that is not plain data")
    return holder[0]


def _refusal(why: str) -> UnsafePickleError:
    return UnsafePickleError(
        f"The pickle was refused, because {why}; only texts, numbers and plain containers of them "
        "are read, and nothing in the file was run."
    )
