"""Steps, keys, time and a lost session: what annotators stumbled over on the page of a task."""

from __future__ import annotations

from typing import Any

import pytest

from browser.platform import PHONE, AtTask, Person
from gistmark.web.annotate.models import Comment
from web.factories import PASSWORD

pytestmark = pytest.mark.timeout(120)
BODY_HAS_FOCUS = "document.activeElement === document.body"
HALF_AN_HOUR = 30 * 60 * 1000
EVEN = 4
"""Items per task that share out the 56 summaries of the sample evenly: no task has fewer."""


def shows(person: Person, step: str) -> None:
    """Wait until the foot names this step: the browser goes back on its own time."""
    person.page.locator(".foot-step", has_text=step).wait_for()


def choices(person: Person) -> dict[str, Any]:
    person.saved()
    return {key: item.get("choices", {}) for key, item in person.draft()["items"].items()}


def test_the_keys_of_a_comparison_work_at_once_on_every_pair(at_task: AtTask):
    person = at_task("pairwise", items_per_task=2)
    page = person.page
    assert page.locator(".screen:visible .keys").is_visible()
    assert not page.evaluate(BODY_HAS_FOCUS)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Next").click()
    page.keyboard.press("ArrowLeft")
    assert choices(person) == {
        "1": {"Non-Redundancy": "right", "Structure": "left"},
        "2": {"Non-Redundancy": "left"},
    }


def test_digits_rate_the_first_open_question_at_once_and_the_page_says_so(at_task: AtTask):
    person = at_task("likert")
    assert "1 to 5" in person.page.locator(".keys").inner_text().replace("\n", " ")
    person.page.keyboard.press("4")
    person.saved()
    assert person.draft()["items"]["1"]["ratings"]["Non-Redundancy"]["value"] == 4


@pytest.mark.parametrize("protocol", ["pairwise", "likert"])
def test_keys_are_not_explained_to_those_who_have_none(at_task: AtTask, protocol: str):
    person = at_task(protocol, options=PHONE)
    assert person.page.locator(".keys").count()
    assert not person.page.locator(".keys").first.is_visible()


def test_whoever_lost_the_session_logs_in_by_a_link_and_goes_on_where_they_were(at_task: AtTask):
    person = at_task("pairwise", items_per_task=2, checks={"straight_line": "off"})
    person.trouble_is_meant = True
    page = person.page
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
    person.saved()
    person.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Next").click()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("link", name="Log in and come back").click()
    page.fill("input[name=name]", person.user.username)
    page.fill("input[type=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.locator(".foot").wait_for()
    assert page.url.endswith(f"/tasks/{person.task.pk}/")
    shows(person, "Step 2 of 2")
    assert choices(person)["2"] == {"Non-Redundancy": "left"}
    assert len(choices(person)["1"]) == 6


def test_coming_back_opens_the_first_step_that_is_not_answered(at_task: AtTask):
    person = at_task("overall", items_per_task=EVEN)
    for _ in range(2):
        person.page.locator(".screen:visible .point").first.click()
        person.page.get_by_role("button", name="Next").click()
    person.saved()
    person.page.goto(f"{person.server}/work/")
    person.open_task()
    shows(person, "Step 3 of 4")
    person.page.go_back()
    shows(person, "Step 2 of 4")
    person.page.reload()
    shows(person, "Step 2 of 4")  # a reload stays where one was


def test_the_browsers_back_goes_a_step_back_before_it_leaves(at_task: AtTask):
    person = at_task("overall", items_per_task=EVEN)
    page = person.page
    page.goto(f"{person.server}/work/")
    person.open_task()
    page.locator(".screen:visible .point").first.click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    page.go_back()
    shows(person, "Step 2 of 4")
    page.get_by_role("button", name="Back").click()
    shows(person, "Step 1 of 4")
    page.go_forward()
    shows(person, "Step 2 of 4")
    page.go_back()
    shows(person, "Step 1 of 4")
    page.go_back()
    assert page.url == f"{person.server}/work/"
    person.wait_for_draft()
    assert "ratings" in person.draft()["items"]["1"]


@pytest.mark.parametrize("height", [844, 600])
def test_the_summary_stays_in_view_on_a_phone_and_can_be_folded(at_task: AtTask, height: int):
    viewport = {"width": 390, "height": height}
    person = at_task("likert", options={**PHONE, "viewport": viewport})
    page = person.page
    summary = page.locator(".passage.summary")
    page.locator(".dimension").last.scroll_into_view_if_needed()
    box = summary.bounding_box()
    assert 0 <= box["y"] < 20
    assert 60 < box["height"] <= 0.4 * height
    last = page.locator(".dimension").last.locator(".point").last
    last.tap()
    assert last.locator("input").is_checked()
    page.get_by_role("button", name="Fold the summary").tap()
    assert summary.bounding_box()["height"] < 70
    page.get_by_role("button", name="Unfold the summary").tap()
    assert summary.bounding_box()["height"] > 60


def test_time_without_anybody_is_not_counted_and_the_page_says_so(at_task: AtTask):
    person = at_task("overall")
    page = person.page
    person.window_is_spoiled = True
    page.clock.install()
    person.open_task()
    page.clock.fast_forward(60_000)
    page.mouse.move(10, 10)
    assert not page.locator(".foot-note").inner_text()
    page.clock.fast_forward(HALF_AN_HOUR)
    page.mouse.move(20, 20)
    assert "did not count" in page.locator(".foot-note").inner_text()
    page.locator(".point").first.click()
    page.clock.run_for(2_000)
    person.saved()
    draft = person.draft()
    assert 180 <= draft["seconds"] < 200, "one minute, and two of the pause"
    # What the page took to show its first item counts in the sum alone.
    assert draft["items"]["1"]["seconds"] == pytest.approx(draft["seconds"], abs=1)


@pytest.mark.parametrize("action", ["flag", "paid"])
def test_nobody_has_to_wait_and_work_that_is_too_fast_fails_its_check(at_task: AtTask, action: str):
    seconds = 86_399  # no number of a task has as many digits
    person = at_task("overall", minimum_seconds=seconds, checks={"too_fast": action})
    page = person.page
    assert str(seconds) not in page.content()
    page.locator(".point").first.click()
    page.locator(".foot button:enabled", has_text="Submit").click(timeout=3_000)
    page.locator(".done-message").wait_for()
    [submission] = person.submissions()
    assert [flag["kind"] for flag in submission.flags] == ["too_fast"]
    assert submission.verdict == ("counts" if action == "flag" else "paid")


def test_a_comment_without_a_network_waits_and_is_stored_once(at_task: AtTask):
    person = at_task("overall", items_per_task=2)
    person.trouble_is_meant = True
    page = person.page
    page.locator(".screen:visible .comments summary").click()
    box = page.locator(".screen:visible .comments")
    box.get_by_role("textbox").fill("Half-writ")
    page.reload()
    assert box.get_by_role("textbox").input_value() == "Half-writ", "what is typed is kept"
    box.get_by_role("textbox").fill("The text is cut off. <b>")
    box.get_by_text("Problem", exact=True).click()
    person.context.set_offline(True)
    box.get_by_role("button", name="Send").click()
    box.get_by_text("cannot be reached").wait_for()
    person.context.set_offline(False)
    box.get_by_text("Sent. Thank you.").wait_for()
    assert "The text is cut off. <b>" in box.inner_text()
    [comment] = Comment.objects.all()
    assert (comment.item, comment.kind, comment.text) == (
        "1", "problem", "The text is cut off. <b>",
    )  # fmt: skip
    person.open_task()
    assert "The text is cut off. <b>" in box.text_content()
    assert not box.get_by_role("textbox").is_visible()
    assert person.submissions() == []


def test_what_is_missing_is_led_to_below_the_summary_that_stays_in_view(at_task: AtTask):
    viewport = {"width": 390, "height": 600}
    person = at_task("likert", options={**PHONE, "viewport": viewport})
    page = person.page
    page.locator(".missing a").nth(5).tap()
    legend = page.locator(".dimension legend").nth(5).bounding_box()
    summary = page.locator(".passage.summary").bounding_box()
    assert summary["y"] + summary["height"] <= legend["y"] < 400
