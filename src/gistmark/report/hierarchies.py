"""A tree of nuggets as nested details, which open and close without a script."""

from __future__ import annotations

from html import escape

from gistmark.analysis.words import show_number
from gistmark.report.writers.html import minus
from gistmark.summarizers import Node, Sentence

_DEEPEST = 30
"""What lies deeper is only counted: browsers end nesting somewhere, and nobody opens so many."""


def html_tree(root: Node) -> str:
    """The whole tree, closed."""
    return f"<details><summary>Tree of {_count(root)}</summary>{_inside(root, depth=0)}</details>"


def place_of(sentence: Sentence) -> str:
    """Where a sentence stands in words, as a link to it; offsets are in the whole document."""
    words = (
        f"text {sentence.source + 1}, sentence {sentence.place + 1}, "
        f"characters {sentence.start:,} to {sentence.end:,}"
    )
    return f'<a class="place" href="#c{sentence.start}">{words}</a>'


def _node(node: Node, depth: int) -> str:
    if not node.children and len(node.nuggets) == 1 and not node.label:
        nugget = node.nuggets[0]
        return (
            f'<p class="leaf">{escape(nugget.text)} '
            f"<small>{_relevance(node)}</small> {place_of(nugget)}</p>"
        )
    head = node.label or (node.nuggets[0].text if node.nuggets else "without a name")
    return (
        f'<details class="node"><summary>{escape(head)} '
        f"<small>{_relevance(node)}, {_count(node)}</small></summary>"
        f"{_inside(node, depth)}</details>"
    )


def _inside(node: Node, depth: int) -> str:
    items = "".join(f"<li>{escape(each.text)} {place_of(each)}</li>" for each in node.nuggets)
    own = f'<ul class="nuggets">{items}</ul>' if items else ""
    if depth >= _DEEPEST and node.children:
        deeper = sum(child.size for child in node.children)
        return f'{own}<p class="note">{deeper:,} more below; explanations.json has them.</p>'
    return own + "".join(_node(child, depth + 1) for child in node.children)


def _relevance(node: Node) -> str:
    return f"relevance {minus(show_number(node.relevance))}"


def _count(node: Node) -> str:
    return f"{node.size:,} nugget{'s' if node.size != 1 else ''}"
