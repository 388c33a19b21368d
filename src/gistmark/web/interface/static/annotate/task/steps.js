// The steps of a task in the browser's history. Step n lies n entries behind the first one, so the
// browser's Back leads a step back, and leaves the page only from the first.

export class Steps {
  #show;
  #current = 0;
  #wanted = null;
  #over = false;

  // `show` shows a step, and leads to a control on it where one is named.
  constructor(show) {
    this.#show = show;
    window.addEventListener("popstate", ({ state }) => this.#onPop(state));
  }

  // The step to begin with: this one, or where the page was before it was reloaded.
  begin(number, count) {
    const kept = history.state?.step;
    if (Number.isInteger(kept) && kept < count) {
      this.#current = kept;
    } else {
      history.replaceState({ step: 0 }, "");
      this.#push(number);
    }
    return this.#current;
  }

  go(number, target) {
    if (number < this.#current) {
      this.#wanted = { number, target };
      history.go(number - this.#current);
      return;
    }
    this.#push(number);
    this.#show(number, target);
  }

  // The task is done: what lies behind is no step any more.
  end() {
    this.#over = true;
  }

  #push(number) {
    while (this.#current < number) {
      this.#current += 1;
      history.pushState({ step: this.#current }, "");
    }
  }

  #onPop(state) {
    if (!Number.isInteger(state?.step)) return;
    if (this.#over) {
      history.go(-1 - state.step);
      return;
    }
    const wanted = this.#wanted;
    // An entry of something else, such as a link within the page, lay between.
    if (wanted !== null && state.step > wanted.number) {
      history.go(wanted.number - state.step);
      return;
    }
    this.#wanted = null;
    this.#current = state.step;
    this.#show(state.step, wanted?.target);
  }
}
