// The page of a task: puts its screens together and keeps answer, drafts and submission going.

import { Answer, Clock } from "../answer.js";
import { Comments } from "./comments.js";
import { element } from "../dom.js";
import { Drafts, LocalCopy, beginning } from "./drafts.js";
import { Status, clearFaults, showFaults } from "../feedback.js";
import { Foot } from "./foot.js";
import { NoCopy, NoDrafts, verdictOf } from "./preview.js";
import { missing, screensOf } from "../screens.js";
import { Steps } from "./steps.js";
import { Submission } from "./submission.js";
import { gettext } from "../translation.js";

// On a new screen the submit button does nothing for so many milliseconds: the second click of a
// double click on "Next", which was in its position before, is not meant for it.
const REST = 400;

class TaskPage {
  #busy = false;
  #shown = 0;
  #steps = new Steps((number, target) => this.#arrive(number, target));
  #resting = true;

  constructor(root, served, question) {
    this.root = root;
    this.task = served;
    // "work" and "practice" save and submit, "preview" only checks an answer, and "answer" is a
    // manager who gives the right one, as much of it as there is.
    const { mode, user, task, draft: draftAddress, submit, comments } = root.dataset;
    this.mode = mode;
    const keeps = mode === "work" || mode === "practice";
    const local = keeps ? new LocalCopy(user, task) : new NoCopy();
    const begun = beginning(served, local.draft);
    this.local = local;
    this.status = new Status({
      line: document.getElementById("saving"),
      notices: root.querySelector(".notices"),
      speaker: root.querySelector(".speaker"),
    });
    this.clock = new Clock(begun.draft);
    const draft = question.prefill?.(begun.draft) ?? begun.draft;
    this.answer = new Answer(served.items.map(({ key }) => key), this.clock, draft);
    this.drafts = new (keeps ? Drafts : NoDrafts)({
      answer: this.answer, address: draftAddress, version: served.version, local,
      report: (news) => this.#onDraft(news),
    });
    // What is previewed may be a design that nobody has saved; then it goes with the answer.
    const design = document.getElementById("design");
    this.submission = new Submission({
      address: submit, answer: this.answer, drafts: this.drafts, local,
      extra: design ? JSON.parse(design.textContent) : {},
      report: (news) => this.#onSubmission(news),
    });
    this.comments = mode === "work"
      ? new Comments({ address: comments, local, sent: served.comments }) : null;
    this.#build(screensOf(served, question));
    this.#begin(begun.draft);
    if (begun.unsaved) this.drafts.flush();
    else local.draft = null;
  }

  #build(screens) {
    this.screens = screens;
    this.foot = new Foot(this.screens.length, {
      go: (number, target) => this.#steps.go(number, target),
      submit: () => this.submission.start(),
    });
    const label = this.root.dataset.submitLabel;
    if (label) this.foot.submit.textContent = label;
    const container = this.root.querySelector(".screens");
    container.append(...this.screens.map((screen, number) => this.#buildScreen(screen, number)));
    container.after(this.foot.missing);
    this.root.append(this.foot.node);
    // What stands below the screens is shown only now, so that nothing on the page moves.
    this.root.querySelector(".give-back")?.removeAttribute("hidden");
    this.answer.addEventListener("change", () => {
      clearFaults();
      this.#refresh();
    });
    this.clock.addEventListener("resume", () => this.foot.note(
      gettext("You were away for more than two minutes; the time beyond that did not count.")));
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  // At the first step that is not answered, where somebody comes back to work of theirs.
  #begin(draft) {
    const comesBack = this.mode === "work" && this.task.state !== "done" && draft.items;
    const open = this.screens.findIndex((screen) => screen.missing(this.answer).length > 0
      || (screen.item && !draft.items?.[screen.item.key]?.seconds));
    const last = this.screens.length - 1;
    const number = comesBack ? (open < 0 ? last : open) : 0;
    this.#show(this.#steps.begin(number, this.screens.length));
    // In the frame of a designer, the focus stays with what is being designed.
    const framed = window.parent !== window;
    if (!framed && document.activeElement === document.body) this.#focusHeading();
  }

  #buildScreen(screen, number) {
    screen.heading = element("h2", { tabindex: "-1" }, screen.title);
    const content = screen.build({
      answer: this.answer,
      announce: (text) => this.status.announce(text),
      goOn: () => this.#goOn(number),
      onKey: (handler) => { screen.onKey = handler; },
    });
    screen.node = element("section", { class: "screen", hidden: true },
      screen.heading, content, this.comments?.box(screen, number));
    return screen.node;
  }

  #show(number) {
    this.#shown = number;
    this.#resting = true;
    setTimeout(() => {
      this.#resting = false;
      this.#refresh();
    }, REST);
    for (const [index, { node }] of this.screens.entries()) node.hidden = index !== number;
    this.clock.show(this.screens[number].item?.key ?? null);
    this.#refresh();
  }

  #arrive(number, target) {
    this.#show(number);
    this.foot.note("");
    const control = target && document.getElementById(target);
    if (control) control.focus();
    else this.#focusHeading();
    if (control) bringIntoView(control.closest(".dimension") ?? control);
    else this.root.scrollIntoView();
  }

  #focusHeading() {
    this.screens[this.#shown].heading.focus({ preventScroll: true });
  }

  // To the next screen, or on the last one to the button that submits.
  #goOn(number) {
    if (number < this.screens.length - 1) this.#steps.go(number + 1);
    else if (!this.foot.submit.disabled) this.foot.submit.focus();
    else this.foot.missing.querySelector("a")?.focus();
  }

  // Keys of a question work from anywhere on its screen, but for controls, which have their own.
  #onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, button, a, summary, [tabindex='0']")) return;
    if (!this.#busy) this.screens[this.#shown].onKey?.(event);
  }

  #refresh() {
    const unfinished = this.mode === "answer" ? [] : missing(this.screens, this.answer);
    this.foot.refresh(this.#shown, unfinished, this.#busy || this.#resting);
  }

  #setBusy(busy) {
    this.#busy = busy;
    this.root.querySelector(".screens").inert = busy;
    this.#refresh();
  }

  #onDraft(news) {
    this.status.showSaving(news);
    if (news.state === "conflict") {
      this.status.notice([
        gettext("This task was changed in another tab or on another device after you opened it here."),
      ], {
        [gettext("Load the newer version")]: () => location.reload(),
        [gettext("Keep what is on this page")]: () => this.drafts.keepMine(news.version),
      });
    } else if (news.state === "refused") {
      this.status.notice([news.message, ...showFaults(news.faults)], {
        [gettext("Try again")]: () => this.drafts.resume(),
      }, this.#logInLink(news));
    }
  }

  #onSubmission(news) {
    const { next } = this.root.dataset;
    const leaves = news.state === "done" && next !== undefined;
    this.#setBusy(leaves || news.state === "sending" || news.state === "offline");
    if (news.state === "offline") {
      this.status.notice([
        gettext("The server cannot be reached. Your work is kept here and sent as soon as it can be."),
      ]);
    } else if (news.state === "refused") {
      this.status.notice(
        [news.message, ...showFaults(news.faults)], {}, this.#logInLink(news));
      this.foot.submit.focus();
    } else if (news.state === "done") {
      if (leaves) location.assign(next);
      else if (this.mode === "preview") this.#showVerdict(news);
      else this.#finish(news);
    } else if (news.state === "sending") {
      this.status.clear();
    }
  }

  // For whoever is not logged in any more. What is not saved waits in this browser; where that
  // cannot be, the page has to stay open.
  #logInLink({ status }) {
    if (status !== 401) return null;
    const next = encodeURIComponent(location.pathname + location.search);
    return element("a", {
      class: "button small", href: `${this.root.dataset.logIn}?next=${next}`,
      target: this.local.works ? null : "_blank",
    }, gettext("Log in and come back"));
  }

  #showVerdict(news) {
    const verdict = verdictOf(news);
    this.root.querySelector(".notices").replaceChildren(verdict);
    verdict.focus();
  }

  #finish({ message, completion_code: code }) {
    this.#steps.end();
    const done = document.getElementById("done").content.cloneNode(true);
    done.querySelector(".done-message").textContent = message;
    done.querySelector(".completion-code").textContent = code ?? "";
    done.querySelector(".completion").hidden = !code;
    document.getElementById("saving").textContent = "";
    this.root.replaceChildren(done);
    this.root.querySelector("h2").focus();
    window.scrollTo(0, 0);
  }
}

// In the middle of the screen, or with its top where it needs most of it.
function bringIntoView(node) {
  const tall = node.offsetHeight > window.innerHeight / 2;
  node.scrollIntoView({ block: tall ? "start" : "center" });
}

const served = JSON.parse(document.getElementById("payload").textContent);
const { question } = await import(`../questions/${served.kind}.js`);
new TaskPage(document.getElementById("task"), served, await question(served));
