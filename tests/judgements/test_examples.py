"""The examples in the docstrings of `gistmark.judgements` run."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import gistmark.judgements

MODULES = [
    "gistmark.judgements",
    *(
        module.name
        for module in pkgutil.walk_packages(gistmark.judgements.__path__, "gistmark.judgements.")
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_the_module_run(name: str):
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_examples_to_run():
    attempted = sum(doctest.testmod(import_module(name)).attempted for name in MODULES)
    assert attempted >= 30


@pytest.mark.parametrize("name", gistmark.judgements.__all__)
def test_every_public_name_is_there(name: str):
    assert getattr(gistmark.judgements, name) is not None
