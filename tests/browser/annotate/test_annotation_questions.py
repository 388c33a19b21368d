"""Sliders, points, sides and the question: unset at the start, and every way to set them."""

from __future__ import annotations

from typing import Any

import pytest

from browser.driving import Hand
from browser.platform import AtTask, Person

pytestmark = pytest.mark.timeout(120)


def missing(person: Person) -> list[str]:
    return list(person.page.locator(".missing li").all_inner_texts())


def go_on(person: Person) -> None:
    person.page.get_by_role("button", name="Next").click()


def dimension(name: str, **scale: Any) -> dict[str, Any]:
    return {"name": name, "question": f"How is {name}?", "scale": scale or None}


def test_a_slider_has_no_value_until_it_is_touched(at_task: AtTask):
    person = at_task("content-document")
    slider = person.page.locator(".slider").first
    thumb = slider.locator("input")
    assert slider.locator(".slider-value").inner_text() == "Not set yet"
    assert thumb.get_attribute("aria-valuetext") == "Not set yet"
    thumb.focus()
    go_on(person)
    assert len(missing(person)) == 3
    person.page.locator(".missing a").first.click()
    assert thumb.evaluate("node => node === document.activeElement")
    person.page.keyboard.press("ArrowRight")
    assert slider.locator(".slider-value").inner_text() == "52"
    person.saved()
    draft = person.draft()
    assert draft["items"]["1"]["ratings"]["recall"]["value"] == 52
    assert [(move["control"], move["value"]) for move in draft["moves"]] == [("recall", 52)]
    assert "precision" not in draft["items"]["1"]["ratings"]


def test_a_slider_can_be_set_exactly_where_its_hidden_thumb_is(at_task: AtTask):
    person = at_task("content-document")
    for slider in person.page.locator(".slider input").all():
        slider.click()
    assert person.page.locator(".slider-value").all_inner_texts() == ["51", "51"]
    person.saved()
    assert len(person.draft()["moves"]) == 2


def test_the_threshold_hides_lighter_colours_and_its_moves_are_logged(at_task: AtTask):
    person = at_task("content-highlight")
    assert "marked by people" in person.page.locator(".marked-by").inner_text()
    coloured = person.page.locator(".words .word.heat")
    before = coloured.count()
    threshold = person.page.locator(".threshold input")
    threshold.focus()
    person.page.keyboard.press("End")
    strongest = coloured.count()
    assert 0 < strongest < before
    assert coloured.count() == person.page.locator(".words .word.heat-5").count()
    assert person.page.locator(".threshold-value").inner_text() == "only the strongest"
    person.saved()
    [move] = person.draft()["moves"]
    assert (move["control"], move["item"]) == ("threshold", "1")
    assert move["value"] == int(threshold.get_attribute("max"))
    person.open_task()
    assert coloured.count() == strongest


def test_number_keys_choose_points_of_the_focused_dimension(at_task: AtTask):
    person = at_task("likert")
    person.page.locator(".points").nth(0).locator("input").first.focus()
    person.page.keyboard.press("4")
    person.page.keyboard.press("Tab")
    person.page.keyboard.press("2")
    person.page.keyboard.press("9")
    person.saved()
    ratings = person.draft()["items"]["1"]["ratings"]
    assert ratings == {"Non-Redundancy": {"value": 4, "confidence": 2, "weight": None}}


def test_what_is_missing_leads_to_the_right_screen_and_control(at_task: AtTask):
    person = at_task("pairwise", items_per_task=2)
    hand = Hand(person)
    hand.choose(person.page.locator(".screen").first, 0, "left")
    go_on(person)
    assert person.page.get_by_role("button", name="Submit").is_disabled()
    assert missing(person)[0] == "Pair 1: Which text is better in this respect: Structure?"
    assert missing(person)[-1] == "and 5 more"
    person.page.locator(".missing a").first.click()
    assert person.page.locator(".screen h2").first.is_visible()
    person.page.keyboard.press("ArrowRight")
    person.saved()
    choices = person.draft()["items"]["1"]["choices"]
    assert choices == {"Non-Redundancy": "left", "Structure": "right"}


def test_enter_goes_on_to_the_next_pair(at_task: AtTask):
    person = at_task("pairwise", items_per_task=2)
    page = person.page
    page.locator(".screen").first.locator("input").first.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.locator(".screen").nth(1).is_visible()
    assert page.locator(".foot").inner_text().startswith("Back")
    assert "Step 2 of 2" in page.locator(".foot").inner_text()


def test_the_question_has_no_default(at_task: AtTask):
    person = at_task("content-reference")
    go_on(person)
    assert person.page.locator("input[name=reply]:checked").count() == 0
    person.page.locator(".side", has_text="False").click()
    person.saved()
    assert person.draft()["reply"] is False
    person.open_task()
    assert person.page.locator("input[name=reply]:checked").get_attribute("value") == "false"


def test_each_dimension_can_have_its_own_scale_and_screen(at_task: AtTask):
    """Points without labels, many points, a slider that starts somewhere, and one that does not."""
    person = at_task(
        "overall",
        shows=["title"],
        one_dimension_per_screen=True,
        dimensions=[
            dimension("plain", form="points", low=-1, high=1),
            dimension("many", form="points", low=0, high=20),
            dimension("started", form="slider", low=1, high=9, start=5),
            dimension("unset", form="slider", low=0, high=10, labels=["none", "all"]),
        ],
        confidence={"form": "slider", "low": 0, "high": 100},
    )
    page = person.page
    assert page.locator(".screen").count() == 4
    screens = page.locator(".screen")
    for number in range(4):
        screen = screens.nth(number)
        assert f"question {number + 1} of 4" in screen.locator("h2").inner_text()
        if screen.locator(".point").count():
            screen.locator(".point").last.click()
        if number == 3:
            screen.locator(".part-value input").click(position={"x": 2, "y": 20})
        screen.locator(".part-confidence input").click()
        if number < 3:
            go_on(person)
    page.get_by_role("button", name="Submit").click()
    page.locator(".done-message").wait_for()
    [submission] = person.submissions()
    ratings = submission.answer["items"]["1"]["ratings"]
    values = {name: given["value"] for name, given in ratings.items()}
    assert values == {"plain": 1, "many": 20, "started": 5, "unset": 0}
    assert {given["confidence"] for given in ratings.values()} == {50}
    assert not any(move["control"] == "started" for move in submission.answer["moves"])


def test_what_the_server_finds_wrong_stands_beside_its_field(at_task: AtTask):
    person = at_task("overall")
    person.trouble_is_meant = True
    fault = {"field": "items.1.ratings.overall.value", "message": "The grade is from 0 to 4."}

    def handle(route: Any) -> None:
        route.fulfill(status=400, json={"detail": "The grade is wrong.", "faults": [fault]})

    person.page.route("**/submit", handle)
    person.page.locator(".point").nth(1).click()
    person.page.get_by_role("button", name="Submit").click()
    assert (
        person.page.locator(".notices .notice").inner_text()
        == "Something in the answer is not right."
    )
    assert person.page.locator(".dimension .fault").inner_text() == "The grade is from 0 to 4."
    person.page.locator(".point").nth(2).click()
    assert person.page.locator(".dimension .fault").inner_text() == ""


def test_a_task_can_be_given_back(at_task: AtTask):
    person = at_task("overall")
    person.page.locator(".point").nth(1).click()
    person.saved()
    person.page.get_by_text("Cannot do this task?").click()
    person.page.get_by_role("button", name="Give the task back").click()
    assert "given the task back" in person.page.locator(".messages").inner_text()
    person.task.refresh_from_db()
    assert person.task.state == "lapsed"
    assert person.draft()["items"]["1"]["ratings"]["overall"]["value"] == 1
