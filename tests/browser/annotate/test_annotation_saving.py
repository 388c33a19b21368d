"""Nothing lost and nothing double: reloads, other devices, no network, two tabs, hasty clicks."""

from __future__ import annotations

from time import monotonic
from typing import Any

import pytest

from browser.platform import PATIENCE, AtTask, Person

pytestmark = pytest.mark.timeout(120)
KEPT = "Object.keys(localStorage).filter((name) => name.startsWith('gistmark.')).length"


def choose(page: Any, grade: int) -> None:
    """Choose a grade of the protocol `overall`, from 0 to 4."""
    page.locator(".point").nth(grade).click()


def chosen(page: Any) -> int | None:
    result = page.locator(".point input:checked")
    return int(result.get_attribute("value")) if result.count() else None


def grade_on_server(person: Person) -> int:
    value = person.draft()["items"]["1"]["ratings"]["overall"]["value"]
    assert isinstance(value, int)
    return value


def hand_in(page: Any) -> str:
    page.get_by_role("button", name="Submit").click()
    return str(page.locator(".done-message").inner_text())


def lose_first_reply(page: Any, address: str) -> list[str]:
    """Let the first request to an address reach the server, and its reply get lost on the way."""
    seen: list[str] = []

    def handle(route: Any) -> None:
        seen.append(route.request.post_data)
        if len(seen) > 1:
            route.continue_()
            return
        route.fetch()
        route.abort()

    page.route(address, handle)
    return seen


def test_a_reload_and_another_device_go_on_where_one_was(at_task: AtTask, chromium: Any, people):
    person = at_task("overall")
    choose(person.page, 3)
    person.saved()
    assert person.page.evaluate(KEPT) == 0
    person.open_task()
    assert chosen(person.page) == 3
    elsewhere = Person(chromium, person.server, person.user)
    people.append(elsewhere)
    elsewhere.task = person.task
    elsewhere.enter()
    elsewhere.open_task()
    assert chosen(elsewhere.page) == 3


def test_what_was_chosen_just_before_leaving_is_saved(at_task: AtTask):
    person = at_task("overall")
    choose(person.page, 1)
    person.page.goto(f"{person.server}/work/")
    person.open_task()
    assert chosen(person.page) == 1
    assert grade_on_server(person) == 1
    # What was kept while leaving is sent once more, and then let go. A page that may not evaluate
    # text cannot be told to wait for an expression, so this asks again and again.
    end = monotonic() + PATIENCE / 1000
    while person.page.evaluate(KEPT) and monotonic() < end:
        person.page.wait_for_timeout(20)
    assert person.page.evaluate(KEPT) == 0


def test_without_a_network_work_is_kept_and_sent_later(at_task: AtTask):
    person = at_task("overall")
    person.trouble_is_meant = True
    person.context.set_offline(True)
    choose(person.page, 2)
    person.says("Offline – will retry")
    assert person.page.evaluate(KEPT) == 1
    choose(person.page, 4)
    person.context.set_offline(False)
    person.saved()
    assert grade_on_server(person) == 4
    assert person.page.evaluate(KEPT) == 0


def test_a_tab_that_is_closed_without_a_network_loses_nothing(at_task: AtTask):
    person = at_task("overall")
    person.trouble_is_meant = True
    person.context.set_offline(True)
    choose(person.page, 2)
    person.says("Offline – will retry")
    person.page.close()
    person.context.set_offline(False)
    person.page = person.open_tab()
    person.open_task()
    assert chosen(person.page) == 2
    # The tab may have got it to the server as it closed; then there is nothing more to save.
    person.wait_for_draft()
    assert grade_on_server(person) == 2


def test_a_server_that_is_starting_again_is_waited_for(at_task: AtTask):
    person = at_task("overall")
    person.trouble_is_meant = True
    times: list[int] = []

    def handle(route: Any) -> None:
        times.append(1)
        route.fulfill(status=503) if len(times) == 1 else route.continue_()

    person.page.route("**/draft", handle)
    choose(person.page, 2)
    person.saved()
    assert len(times) == 2


def test_a_draft_whose_reply_was_lost_is_no_conflict(at_task: AtTask):
    person = at_task("overall")
    person.trouble_is_meant = True
    lose_first_reply(person.page, "**/draft")
    choose(person.page, 1)
    person.says("Offline – will retry")
    choose(person.page, 3)
    person.saved()
    assert grade_on_server(person) == 3
    assert person.page.locator(".notices .notice").count() == 0


def test_work_whose_reply_was_lost_is_sent_again_and_stored_once(at_task: AtTask):
    person = at_task("overall")
    person.trouble_is_meant = True
    seen = lose_first_reply(person.page, "**/submit")
    choose(person.page, 2)
    assert hand_in(person.page) == "Thank you, your work has been received."
    keys = {body.split('"key":"')[1][:36] for body in seen}
    assert (len(seen), len(keys), len(person.submissions())) == (2, 1, 1)


def test_work_that_is_handed_in_without_a_network_arrives_later(at_task: AtTask):
    person = at_task("overall")
    person.trouble_is_meant = True
    choose(person.page, 2)
    person.saved()
    person.context.set_offline(True)
    person.page.get_by_role("button", name="Submit").click()
    person.page.locator(".notice", has_text="cannot be reached").wait_for()
    assert person.page.locator(".screens").evaluate("node => node.inert")
    person.context.set_offline(False)
    person.page.locator(".done-message").wait_for()
    assert len(person.submissions()) == 1


def test_a_double_click_hands_in_once(at_task: AtTask):
    person = at_task("overall")
    choose(person.page, 2)
    person.page.get_by_role("button", name="Submit").dblclick()
    person.page.locator(".done-message").wait_for()
    assert len(person.submissions()) == 1


@pytest.mark.parametrize(
    ("button", "grade"), [("Load the newer version", 4), ("Keep what is on this page", 2)]
)
def test_the_older_of_two_tabs_is_told_and_may_choose(at_task: AtTask, button: str, grade: int):
    person = at_task("overall")
    person.trouble_is_meant = True
    newer = person.open_tab()
    person.open_task(newer)
    choose(newer, 4)
    person.saved(newer)
    choose(person.page, 2)
    notice = person.page.locator(".notice", has_text="another tab or on another device")
    notice.get_by_role("button", name=button).click()
    person.page.wait_for_load_state()
    person.page.locator(".foot").wait_for()
    if grade == 2:
        person.saved()
    assert (chosen(person.page), grade_on_server(person)) == (grade, grade)


def test_a_tab_whose_task_was_handed_in_elsewhere_says_so(at_task: AtTask):
    person = at_task("overall")
    person.trouble_is_meant = True
    older = person.open_tab()
    person.open_task(older)
    choose(person.page, 2)
    hand_in(person.page)
    choose(older, 3)
    older.locator(".notice", has_text="This task has been submitted already.").wait_for()
    assert [each.answer["items"]["1"]["ratings"]["overall"]["value"] for each in
            person.submissions()] == [2]  # fmt: skip


def test_whoever_was_logged_out_logs_in_again_and_goes_on(at_task: AtTask):
    person = at_task("overall")
    person.trouble_is_meant = True
    person.context.clear_cookies(name="sessionid")
    choose(person.page, 2)
    notice = person.page.locator(".notice", has_text="log in again")
    notice.wait_for()
    person.enter()
    elsewhere = person.open_tab()
    elsewhere.goto(f"{person.server}/work/")
    notice.get_by_role("button", name="Try again").click()
    person.saved()
    assert grade_on_server(person) == 2


def test_time_counts_only_while_the_page_is_seen(at_task: AtTask):
    person = at_task("overall")
    hide = "Object.defineProperty(document, 'visibilityState', {value: '%s', configurable: true})"
    person.page.evaluate(hide % "hidden")
    person.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    person.page.wait_for_timeout(1500)
    person.page.evaluate(hide % "visible")
    person.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    choose(person.page, 2)
    hand_in(person.page)
    [submission] = person.submissions()
    opened = (submission.received_at - submission.task.opened_at).total_seconds()
    assert submission.seconds < opened - 1.4
    assert 0 < submission.answer["items"]["1"]["seconds"] <= submission.seconds


def test_what_may_be_edited_comes_back_and_is_handed_in_again(at_task: AtTask):
    person = at_task("overall", editable=True)
    choose(person.page, 2)
    hand_in(person.page)
    person.open_task()
    assert chosen(person.page) == 2
    assert "You may change your answers" in person.page.locator("#task > .notice").inner_text()
    choose(person.page, 4)
    hand_in(person.page)
    assert [(each.number, each.current) for each in person.submissions()] == [(1, False), (2, True)]
