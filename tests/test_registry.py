"""The registry: names to objects, plugins beside them, and errors that help."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint

import pytest

from gistmark import registry as registry_module
from gistmark.errors import GistmarkError, PluginError, UsageError
from gistmark.registry import Registry

Plugins = Callable[..., Registry[object]]


@pytest.fixture
def with_plugins(monkeypatch: pytest.MonkeyPatch) -> Plugins:
    """A registry of two built-in colours, and of the entry points that are installed."""

    def make(**plugins: str) -> Registry[object]:
        result = [EntryPoint(name, value, "test.colours") for name, value in plugins.items()]
        monkeypatch.setattr(registry_module, "entry_points", lambda group: result)
        return Registry("colour", "test.colours", {"red": "string:digits", "blue": "string:nope"})

    return make


def test_a_name_is_imported_when_it_is_asked_for(with_plugins: Plugins):
    import string

    assert with_plugins().get("red") is string.digits


def test_names_are_the_built_in_ones_then_the_plugins(with_plugins: Plugins):
    registry = with_plugins(green="string:punctuation")
    assert registry.names() == ("red", "blue", "green")
    assert list(registry) == ["red", "blue", "green"]
    assert "green" in registry
    assert "grey" not in registry


def test_listing_names_imports_nothing(with_plugins: Plugins):
    assert with_plugins(green="no_such_module:x").names() == ("red", "blue", "green")


def test_a_plugin_is_loaded_and_its_source_told(with_plugins: Plugins):
    import string

    registry = with_plugins(green="string:punctuation")
    assert registry.get("green") is string.punctuation
    assert registry.source("green") == "string"
    assert registry.source("red") == "gistmark"


def test_an_unknown_name_suggests_the_nearest(with_plugins: Plugins):
    with pytest.raises(UsageError) as caught:
        with_plugins().get("rad")
    assert str(caught.value) == "There is no colour 'rad'. Did you mean 'red'? Known: red, blue."


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("no_such_module:x", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("string:no_such_name", "AttributeError: module 'string' has no attribute"),
    ],
)
def test_a_plugin_that_cannot_be_loaded_is_named_with_the_error(
    with_plugins: Plugins, value: str, error: str
):
    with pytest.raises(GistmarkError) as caught:
        with_plugins(green=value).get("green")
    module = value.partition(":")[0]
    expected = f"The colour green of the plugin {module} cannot be loaded from {value}: {error}"
    assert str(caught.value).startswith(expected)
    assert isinstance(caught.value, PluginError)


def test_a_plugin_cannot_take_a_built_in_name(with_plugins: Plugins):
    import string

    registry = with_plugins(red="string:punctuation")
    with pytest.warns(UserWarning, match=r"The colour 'red' of string:punctuation is ignored"):
        names = registry.names()
    assert names == ("red", "blue")
    assert registry.get("red") is string.digits
    assert registry.source("red") == "gistmark"


def test_of_two_plugins_with_one_name_the_first_counts(monkeypatch: pytest.MonkeyPatch):
    import string

    result = [EntryPoint("green", f"string:{name}", "g") for name in ("digits", "punctuation")]
    monkeypatch.setattr(registry_module, "entry_points", lambda group: result)
    registry: Registry[object] = Registry("colour", "g", {})
    with pytest.warns(UserWarning, match=r"'green' of string:punctuation is ignored"):
        assert registry.get("green") is string.digits


def test_an_error_of_a_plugin_names_it_and_keeps_its_cause(with_plugins: Plugins):
    registry = with_plugins(green="string:punctuation")
    with pytest.raises(PluginError) as caught, registry.naming_plugin("green:dark=yes"):
        raise ValueError("too\n  bright")
    assert str(caught.value) == (
        "The colour green of the plugin string failed: ValueError: too bright"
    )
    assert isinstance(caught.value.__cause__, ValueError)


def test_an_error_without_words_is_told_by_its_kind(with_plugins: Plugins):
    registry = with_plugins(green="string:punctuation")
    with (
        pytest.raises(PluginError, match=r"string failed: ZeroDivisionError$"),
        registry.naming_plugin("green"),
    ):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("red", ValueError("ours")),
        ("unheard-of", ValueError("neither")),
        ("green", GistmarkError("The user can mend this.")),
        ("green", FileNotFoundError("let through")),
    ],
)
def test_errors_of_gistmark_and_errors_for_the_user_stay_as_they_are(
    with_plugins: Plugins, name: str, error: Exception
):
    registry = with_plugins(green="string:punctuation")
    with (
        pytest.raises(type(error)) as caught,
        registry.naming_plugin(name, passing=(FileNotFoundError,)),
    ):
        raise error
    assert caught.value is error


@pytest.mark.parametrize("value", ["string:Formatter", "string:_string"])
def test_with_a_check_an_instance_is_taken_and_a_class_instantiated(
    monkeypatch: pytest.MonkeyPatch, value: str
):
    entries = [EntryPoint("green", value, "g")]
    monkeypatch.setattr(registry_module, "entry_points", lambda group: entries)
    seen: list[object] = []
    registry: Registry[object] = Registry("colour", "g", {}, check=seen.append)
    assert registry.get("green") is seen[0]
    assert not isinstance(seen[0], type)


def test_what_a_check_finds_is_the_end_of_the_sentence(monkeypatch: pytest.MonkeyPatch):
    entries = [EntryPoint("green", "string:Formatter", "g")]
    monkeypatch.setattr(registry_module, "entry_points", lambda group: entries)
    registry: Registry[object] = Registry("colour", "g", {}, check=lambda _: "has no hue")
    with pytest.raises(GistmarkError) as caught:
        registry.get("green")
    assert str(caught.value) == (
        "The colour green of the plugin string (string:Formatter) has no hue."
    )
