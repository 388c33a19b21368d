"""A page as a test reads it: tags that close, ids, links."""

from __future__ import annotations

from html.parser import HTMLParser


class Reader(HTMLParser):
    """Checks that tags close, and collects ids, links and tags."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        result = dict(attrs)
        self.tags.add(tag)
        self.ids += [result["id"]] if result.get("id") else []
        self.links += [result["href"]] if tag == "a" and result.get("href") else []
        assert not any(name.startswith("on") for name in result)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
