"""Pickles of plain data are read, and a hostile one is refused before anything in it runs."""

from __future__ import annotations

import copyreg
import os
import pickle
import struct
from collections import Counter, OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.corpus.formats.datasets import plain_pickle
from gistmark.corpus.formats.datasets.plain_pickle import UnsafePickleError, read_plain_pickle

PROTOCOLS = pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))


def read(tmp_path: Path, data: bytes) -> Any:
    path = tmp_path / "p.pkl"
    path.write_bytes(data)
    return read_plain_pickle(path)


def refusal(tmp_path: Path, data: bytes) -> str:
    with pytest.raises(UnsafePickleError) as caught:
        read(tmp_path, data)
    message = str(caught.value)
    assert message.count(". ") == 0
    assert message.endswith(".")
    return message


@PROTOCOLS
def test_plain_containers_and_numbers_are_read(tmp_path: Path, protocol: int) -> None:
    value = {0: ["é", 1, -2.5, True, None, 2**70], "x": {"y": b"\xff\x00"}, (1, "a"): []}
    assert read(tmp_path, pickle.dumps(value, protocol)) == value


@PROTOCOLS
@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float32(0.5), 0.5),
        (np.float64(1 / 3), 1 / 3),
        (np.float16(2), 2.0),
        (np.int64(-7), -7),
        (np.uint8(200), 200),
        (np.bool_(True), True),
        (np.arange(6).reshape(2, 3), [[0, 1, 2], [3, 4, 5]]),
        (np.asfortranarray(np.arange(6).reshape(2, 3)), [[0, 1, 2], [3, 4, 5]]),
        (np.array([1.5, 2.5], dtype=">f4"), [1.5, 2.5]),
        (np.array([]), []),
        (np.array(4.0), 4.0),
    ],
)
def test_numpy_numbers_become_those_of_python(
    tmp_path: Path, protocol: int, value: Any, plain: Any
) -> None:
    result = read(tmp_path, pickle.dumps({"v": value}, protocol))["v"]
    assert result == plain
    assert type(result) is type(plain)


def test_names_of_older_numpy_are_known(tmp_path: Path) -> None:
    """REALSumm's files are of 2020, when NumPy's core had another name."""
    data = pickle.dumps({"v": np.float32(0.5)}, 3).replace(b"numpy._core", b"numpy.core")
    assert read(tmp_path, data) == {"v": 0.5}


@PROTOCOLS
def test_other_dicts_become_dicts_and_other_lists_lists(tmp_path: Path, protocol: int) -> None:
    grouped: defaultdict[str, list[int]] = defaultdict(list)
    grouped["a"].append(1)
    value = [OrderedDict(b=2), grouped, (1, 2), {3}, frozenset([4])]
    assert read(tmp_path, pickle.dumps(value, protocol)) == [
        {"b": 2}, {"a": [1]}, [1, 2], [3], [4],
    ]  # fmt: skip


class Hostile:
    """Runs a function with arguments when it is read by Python's own pickle."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> Any:
        return self.call


@PROTOCOLS
@pytest.mark.parametrize(
    ("function", "name"),
    [
        (os.system, "posix.system"),
        (eval, "builtins.eval"),
        (exec, "builtins.exec"),
        (getattr, "builtins.getattr"),
        (__import__, "builtins.__import__"),
        (bytearray, "builtins.bytearray"),
        (Counter, "collections.Counter"),
        (copyreg._reconstructor, "copyreg._reconstructor"),  # type: ignore[attr-defined]
        (np.load, "numpy.load"),
    ],
)
def test_a_name_that_is_no_plain_data_is_refused_by_name(
    tmp_path: Path, protocol: int, function: Any, name: str
) -> None:
    data = pickle.dumps({"scores": [Hostile(function, "x")]}, protocol)
    message = refusal(tmp_path, data)
    assert message.startswith("The pickle was refused, because it refers to ")
    assert name.rpartition(".")[2] in message


def test_nothing_of_a_hostile_pickle_runs(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    data = pickle.dumps(Hostile(os.system, f"touch {mark}"))
    refusal(tmp_path, data)
    assert not mark.exists()
    pickle.loads(data)  # the same file is dangerous to Python's own reader
    assert mark.exists()


def test_attributes_of_what_is_admitted_cannot_be_reached(tmp_path: Path) -> None:
    """Dotted names, as protocol 4 has them, are looked up whole."""
    data = b"\x80\x04\x8c\x08builtins\x8c\x0cset.__init__\x93."
    assert "it refers to builtins.set.__init__" in refusal(tmp_path, data)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("INST", b"(S'true'\nios\nsystem\n."),
        ("OBJ", b"(cos\nsystem\nS'true'\no."),
        ("NEWOBJ", b"\x80\x02cbuiltins\nset\n)\x81."),
        ("NEWOBJ_EX", b"\x80\x04cbuiltins\nset\n)}\x92."),
        ("EXT1", b"\x80\x02\x82\x01."),
        ("EXT2", b"\x80\x02\x83\x01\x00."),
        ("EXT4", b"\x80\x02\x84\x01\x00\x00\x00."),
        ("PERSID", b"Pid\n."),
        ("BINPERSID", b"]Q."),
        ("NEXT_BUFFER", b"\x80\x05\x97."),
    ],
)
def test_instructions_that_plain_data_do_not_need_are_refused(
    tmp_path: Path, name: str, data: bytes
) -> None:
    assert f"because it has the instruction {name};" in refusal(tmp_path, data)


def test_an_extension_that_the_program_has_registered_is_refused_too(tmp_path: Path) -> None:
    copyreg.add_extension("posix", "system", 240)
    try:
        data = pickle.dumps(os.system, 2)
        assert pickle.loads(data) is os.system
        assert "EXT1" in refusal(tmp_path, data)
    finally:
        copyreg.remove_extension("posix", "system", 240)


def test_what_is_admitted_cannot_be_changed(tmp_path: Path) -> None:
    """BUILD would set the attributes of a function for every later file."""
    data = b"\x80\x02c_codecs\nencode\n}X\x04\x00\x00\x00evilK\x01sb."
    assert "because it changes a function" in refusal(tmp_path, data)


@pytest.mark.parametrize(
    "value", [np.array([{}, []], dtype=object), np.array(["a"]), np.array([b"a"]), np.float128(1)]
)
def test_arrays_of_anything_but_numbers_are_refused(tmp_path: Path, value: Any) -> None:
    assert "which are not numbers" in refusal(tmp_path, pickle.dumps(value))


def test_types_serve_as_arguments_only(tmp_path: Path) -> None:
    for hostile in (Hostile(list, "abc"), Hostile(bytes, 10**12)):
        assert "because it calls a type" in refusal(tmp_path, pickle.dumps(hostile))
    message = refusal(tmp_path, pickle.dumps({"v": list}))
    assert "because it holds something that is not plain data" in message


def test_a_huge_memo_is_refused_before_it_is_reserved(tmp_path: Path) -> None:
    data = b"\x80\x02]r" + struct.pack("<I", 2**32 - 1) + b"."
    assert "reserves more memory than it has values" in refusal(tmp_path, data)


def test_lengths_beyond_the_file_are_refused_before_they_are_reserved(tmp_path: Path) -> None:
    data = b"\x80\x05\x96" + struct.pack("<Q", 2**40) + b"x."
    assert refusal(tmp_path, data).startswith("The file is not a pickle of plain data: ")


def test_a_small_pickle_that_stands_for_too_many_values_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_pickle, "_MOST_VALUES", 1000)
    value: list[Any] = []
    for _ in range(40):  # 2 to the power of 40 lists, in a few hundred bytes
        value = [value, value]
    assert "it unpacks to more than 1,000 values" in refusal(tmp_path, pickle.dumps(value))
    endless: list[Any] = []
    endless.append(endless)
    assert "it unpacks to more than 1,000 values" in refusal(tmp_path, pickle.dumps(endless))


@pytest.mark.parametrize(
    "data", [b"", b"Hello", b"\x80", b"\x80\x04]", b"\x80\x04.", b"\xff" * 50, b"(lp0\n0."]
)
def test_a_broken_file_is_refused_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    assert refusal(tmp_path, data).startswith("The file is not a pickle of plain data: ")
