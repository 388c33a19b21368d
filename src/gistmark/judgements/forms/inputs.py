"""What can be set in a block, described so that a page can build the inputs of any type of block.

A type names its settings in `inputs`; where it leaves one out, the type of the field says which
input fits. `described` is all that a designer of protocols knows about a type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from gistmark.judgements.tasks.designs import design
from gistmark.judgements.tasks.sets import MOST_IN_A_SET, MOST_SETS_PER_SYSTEM

if TYPE_CHECKING:
    from gistmark.judgements.forms.base import Block

Input = Literal[
    "text", "lines", "flag", "count", "number", "choice", "texts", "records", "scale",
    "condition", "expected", "json",
]  # fmt: skip
"""`text` is one line and `lines` several; `texts` is a list of texts, `records` one of objects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: its field in JSON, and how it is filled in.

    `start` is its value in a new block. An `optional` setting may be left out (null). `options` are
    values with their labels; `fields` are the settings of each member of `records`; `form` is that
    of a scale which cannot have another.
    """

    name: str
    label: str
    input: Input
    help: str = ""
    start: Any = None
    optional: bool = False
    options: tuple[tuple[str, str], ...] = ()
    least: float | None = None
    most: float | None = None
    fields: tuple[Setting, ...] = ()
    form: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """A block to add: its name, a line about it, and what differs from other starts."""

    title: str
    about: str
    settings: Mapping[str, Any]


NAME = Setting(
    name="name",
    label="Name in the data",
    input="text",
    help="Short and unique, such as fluency; it stands in the exported files.",
)
_BEFORE = (
    Setting(name="question", label="Question", input="lines", start=""),
    NAME,
    Setting(
        name="guidance",
        label="Guidance",
        input="lines",
        help="What annotators should look for; shown below the question.",
        start="",
    ),
)
_AFTER = (
    Setting(name="required", label="An answer is required", input="flag", start=True),
    Setting(
        name="when",
        label="Asked only after an answer",
        input="condition",
        optional=True,
    ),
    Setting(
        name="expected",
        label="Attention check",
        input="expected",
        help="The question itself must say what to choose. Its answers do not count as data.",
        optional=True,
    ),
)
FORM_SETTINGS = (
    Setting(name="name", label="Name of the protocol", input="text"),
    Setting(name="about", label="What annotators do, in a sentence", input="text"),
    Setting(name="instructions", label="Instructions", input="lines", start=""),
    Setting(name="example", label="Example", input="lines", start=""),
    Setting(name="consent", label="Consent", input="lines", start=""),
    Setting(
        name="order",
        label="Order of the questions",
        input="choice",
        start="fixed",
        options=(("fixed", "As in the list"), ("shuffled", "Shuffled for every item")),
        help="A question with a condition stays behind the one that it depends on.",
    ),
    Setting(name="judges", label="Annotators per item", input="count", start=3, least=1),
    Setting(name="items_per_task", label="Items per task", input="count", start=1, least=1),
    *(
        Setting(name=each.name, label=each.label, input="flag", start=False, help=each.purpose)
        for each in (design("judge_references"), design("one_per_document_and_annotator"))
    ),
    Setting(
        name="set_size",
        label="Summaries in one item",
        input="count",
        optional=True,
        least=2,
        most=MOST_IN_A_SET,
        help="Only where several summaries are shown; empty for all of a document at once.",
    ),
    Setting(
        name="sets_per_system",
        label="Items of a document that each system is in",
        input="count",
        start=1,
        least=1,
        most=MOST_SETS_PER_SYSTEM,
        help="Only where several summaries are shown, but not all of them.",
    ),
)
"""The settings of a form that are not in its blocks and that a designer can set."""

_INPUTS: Mapping[str, Mapping[str, Any]] = {
    "str": {"input": "text", "start": ""},
    "bool": {"input": "flag", "start": False},
    "int": {"input": "count"},
    "int | None": {"input": "count", "optional": True},
    "float": {"input": "number"},
    "float | None": {"input": "number", "optional": True},
    "tuple[str, ...]": {"input": "texts", "start": ()},
    "Scale": {"input": "scale"},
    "Scale | None": {"input": "scale", "optional": True},
}
"""The input of a field whose type does not describe it, by the field's annotation."""


def settings_of(cls: type[Block]) -> tuple[Setting, ...]:
    """The settings of a type of block, in the order in which a page shows them."""
    from gistmark.judgements.forms.base import QuestionBlock

    before: tuple[Setting, ...] = ()
    after: tuple[Setting, ...] = ()
    common = {setting.name for setting in (*_BEFORE, *_AFTER)}
    if issubclass(cls, QuestionBlock):
        before = _BEFORE
        after = tuple(each for each in _AFTER if cls.instructable or each.name != "expected")
    known = {setting.name: setting for setting in cls.inputs}
    own = tuple(
        known.get(setting.name) or _derived(setting.name, setting.type, setting.default)
        for setting in fields(cls)
        if not (before and setting.name in common)
    )
    return (*before, *own, *after)


def described(cls: type[Block]) -> dict[str, Any]:
    """A type of block as JSON: what it is, what can be set, and what a new one looks like."""
    from gistmark.judgements.forms.base import QuestionBlock

    settings = settings_of(cls)
    blank = {"type": cls.type, **{setting.name: setting.start for setting in settings}}
    asks = issubclass(cls, QuestionBlock)
    starts = cls.starts or (Start(cls.title or cls.type.capitalize(), cls.about, {}),)
    return {
        "type": cls.type,
        "title": cls.title or cls.type.capitalize(),
        "about": cls.about,
        "asks": asks,
        "subjects": list(cls.subjects) if issubclass(cls, QuestionBlock) else [],
        "settings": [asdict(setting) for setting in settings],
        "starts": [
            {"title": start.title, "about": start.about, "block": blank | dict(start.settings)}
            for start in starts
        ],
    }


def _derived(name: str, annotation: Any, default: Any) -> Setting:
    """A setting that its type does not describe."""
    kind = dict(_INPUTS.get(str(annotation), {"input": "json", "optional": True}))
    if isinstance(default, str | int | float | bool):
        kind["start"] = default
    label = name.replace("_", " ").capitalize()
    return Setting(name=name, label=label, **kind)
