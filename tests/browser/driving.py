"""Doing a task in the browser, with the mouse, with fingers, or with the keyboard alone.

What the checks want is looked up on the server, so that the work is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from browser.platform import Person
from gistmark.judgements import Protocol, task_from
from gistmark.judgements import Task as Content
from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.services.protocols import protocol_of

WANTED = {"good": 90, "mediocre": 50, "bad": 10, None: 70}
"""Where sliders go: in the order that the planted summaries must have."""


def opened_task(person: Person) -> tuple[Task, Content, Protocol]:
    """The task whose page is open, as the server knows it."""
    task = Task.objects.get(pk=int(person.page.url.rstrip("/").rsplit("/", 1)[1]))
    return task, task_from(task.content), protocol_of(task.campaign)


def do_task(person: Person, hand: Hand) -> None:
    """Fill in everything on every screen, up to the button that hands in."""
    _, content, protocol = opened_task(person)
    for position, entry in enumerate(content.entries):
        screen = person.page.locator(".screen").nth(position)
        screen.wait_for()
        if protocol.kind == "highlight":
            hand.mark(screen, 1, 5)
            hand.mark(screen, 12, 12)
        elif protocol.kind == "comparison":
            for number in range(len(protocol.dimensions)):
                hand.choose(screen, number, "left" if number % 2 else "right")
        else:
            for no_errors in screen.locator(".error-spans > .check").all():
                hand.press(no_errors)
            hand.rate(screen, protocol, WANTED[entry.planted])
        if position < len(content.entries) - 1 or content.question is not None:
            hand.press(person.page.get_by_role("button", name="Next"))
    if content.question is not None:
        hand.reply(person.page.locator(".screen").last, content.question.answer)


class Hand:
    """Somebody with a mouse, or with a finger where the browser has a touch screen."""

    def __init__(self, person: Person) -> None:
        self.page = person.page
        self.touch = person.touch

    def press(self, target: Any) -> None:
        if self.touch:
            target.tap()
        else:
            target.click()

    def mark(self, screen: Any, first: int, last: int) -> None:
        words = screen.locator(".word")
        if self.touch:
            words.nth(first).tap()
            if last != first:
                words.nth(last).tap()
        else:
            self._drag(words.nth(first), words.nth(last))
        self.press(screen.locator(".floating .primary"))

    def rate(self, screen: Any, protocol: Protocol, value: int) -> None:
        for slider in screen.locator(".slider input").all():
            self._slide(slider, value)
        for number, group in enumerate(screen.locator(".points").all()):
            self.press(group.locator(".point").nth((number + 2) % 5))

    def choose(self, screen: Any, number: int, side: str) -> None:
        self.press(screen.locator(".choice").nth(number).locator(f".side-{side}"))

    def reply(self, screen: Any, answer: bool) -> None:
        self.press(screen.locator(".side").nth(0 if answer else 1))

    def _drag(self, first: Any, last: Any) -> None:
        """From the middle of one word to the middle of another: both count whole."""
        first.scroll_into_view_if_needed()
        start, end = first.bounding_box(), last.bounding_box()
        self.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(end["x"] + end["width"] / 2 + 3, end["y"] + end["height"] / 2, steps=5)
        self.page.mouse.up()

    def _slide(self, slider: Any, value: int) -> None:
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        position = {"x": box["width"] * value / 100, "y": box["height"] / 2}
        if self.touch:
            slider.tap(position=position)
        else:
            slider.click(position=position)


class Keys(Hand):
    """Somebody who has a keyboard and nothing else; the focus is moved with Tab."""

    def press(self, target: Any) -> None:
        self.reach(target)
        self.page.keyboard.press("Enter")

    def mark(self, screen: Any, first: int, last: int) -> None:
        self.reach(screen.locator(".words"))
        self._type("Control+Home", *["ArrowRight"] * first, *["Shift+ArrowRight"] * (last - first))
        self._type("Enter")

    def rate(self, screen: Any, protocol: Protocol, value: int) -> None:
        for slider in screen.locator(".slider input").all():
            self.reach(slider)
            self._type("Home", *["PageUp"] * (value // 10), "ArrowRight")
        for number, group in enumerate(screen.locator(".points").all()):
            self.reach(group.locator("input"))
            low = int(group.locator("input").first.get_attribute("value"))
            self._type(str(low + (number + 2) % 5))

    def choose(self, screen: Any, number: int, side: str) -> None:
        if number == 0:
            self.reach(screen.locator(".choice").first.locator("input"))
        else:
            self._type("ArrowDown")
        self._type(f"Arrow{side.capitalize()}")

    def reply(self, screen: Any, answer: bool) -> None:
        self.reach(screen.locator("input[name=reply]"))
        self._type(*(["Space"] if answer else ["Space", "ArrowDown"]))

    def reach(self, targets: Any) -> None:
        """Press Tab until one of the targets, which may still be on their way, has the focus."""
        targets.first.wait_for(state="attached")
        for _ in range(60):
            if targets.evaluate_all("all => all.includes(document.activeElement)"):
                return
            self._type("Tab")
        raise AssertionError(f"60 times Tab did not lead to {targets}")

    def _type(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


def forbidden_in(responses: Iterable[tuple[str, int, str]], content: Content) -> list[str]:
    """What the annotator's browser got, but must never get."""
    secrets = {system for entry in content.entries for system in entry.systems}
    secrets |= {entry.document for entry in content.entries if entry.document is not None}
    return [
        f"{secret} in {address}"
        for address, _, text in responses
        for secret in sorted(secrets)
        if secret in text
    ]
