"use strict";
// Fills what the page leaves open: the list of mutants with its filters, mutants in the source, and tests.
(() => {
  const CHUNK = 100, FEW = 12;

  function el(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== ""));
    return made;
  }

  const bytes = (packed) => Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const has = (set, number) => ((set[number >> 3] || 0) >> (number & 7)) & 1;
  const counted = (number, one) => `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

  function members(packed) {
    const set = bytes(packed), found = [];
    for (let number = 0; number < set.length * 8; number++) if (has(set, number)) found.push(number);
    return found;
  }

  function objects(fields, rows, more) {
    return rows.map((row) => Object.assign(Object.fromEntries(fields.map((name, at) => [name, row[at]])), more));
  }

  const trials = [...document.querySelectorAll("script.trial")].map((holder) => {
    const trial = JSON.parse(holder.textContent);
    trial.mutants = objects(trial.fields, trial.mutants, { trial });
    trial.tests = objects(trial.testFields, trial.tests, { trial });
    return trial;
  });
  const labels = JSON.parse(document.getElementById("marks").textContent);
  const mutants = trials.flatMap((trial) => trial.mutants).sort((left, right) => right.mark - left.mark);
  const testName = (trial, number) => (trial.tests[number] || { name: `${trial.unit} ${number}` }).name;
  const markOf = (mutant) => labels[mutant.mark];
  const tag = (mutant) => el("span", { class: `tag ${markOf(mutant).css}` }, `${markOf(mutant).sign} ${markOf(mutant).label}`);
  const killers = (mutant) => (mutant.killers ? members(mutant.killers) : mutant.first === null ? [] : [mutant.first]);

  function change(mutant, whole) {
    const inner = [el("del", {}, mutant.original), " → ", el("ins", {}, mutant.replacement)];
    return el("span", { class: "change code" }, ...(whole ? [mutant.before, ...inner, mutant.after] : inner));
  }

  // A list of which only what comes into view is made.
  function lazily(holder, items, render) {
    let made = 0;
    const end = el(holder.tagName === "TBODY" ? "tr" : "div", { class: "end" });
    const more = () => {
      const next = items.slice(made, made + CHUNK).map(render);
      made += next.length;
      end.before(...next);
      watcher.unobserve(end);
      if (made < items.length) watcher.observe(end);
      else end.remove();
    };
    const watcher = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && more(), { rootMargin: "600px" });
    holder.replaceChildren(end);
    more();
  }

  // -- one mutant ---------------------------------------------------------------------------

  function evidence(mutant) {
    const unit = mutant.trial.unit, first = mutant.first === null ? "" : testName(mutant.trial, mutant.first).replace(/^.*?::/, "");
    if (mutant.count === 1) return `only ${first}`;
    if (mutant.count) return `by ${counted(mutant.count, unit)}`;
    if (first) return `first ${first}`;
    if (["killed", "timeout"].includes(markOf(mutant).css)) return "while it was loaded";
    return mutant.reached ? `reached by ${counted(members(mutant.reached).length, unit)}` : "";
  }

  function namedTests(title, mutant, tests) {
    if (!tests.length) return null;
    const button = (number) => {
      const name = testName(mutant.trial, number);
      return el("li", {}, el("button", { type: "button", class: "plain code", title: "Show what it kills", onclick: () => byTest(mutant.trial, name) }, name));
    };
    const list = el("ul", { class: "tests" }, ...tests.slice(0, FEW).map(button));
    if (tests.length > FEW) {
      const more = el("button", { type: "button", onclick: () => list.replaceChildren(...tests.map(button)) }, `all ${tests.length}`);
      list.append(el("li", {}, more));
    }
    return el("div", {}, el("p", { class: "small soft" }, title), list);
  }

  function details(mutant) {
    const trial = mutant.trial, unit = trial.unit, found = killers(mutant);
    const title = mutant.count === 1 ? `Killed by this ${unit} alone` :
      trial.complete ? `Killed by ${counted(found.length, unit)}` : `Killed first by (the run ended there, so others are not known)`;
    const reached = mutant.reached ? members(mutant.reached) : [];
    return [
      el("p", {}, mutant.reason),
      namedTests(title, mutant, found),
      namedTests(`Reached by ${counted(reached.length, unit)}`, mutant, reached.filter((number) => !found.includes(number) || !trial.complete)),
      el("p", { class: "small soft" }, el("code", {}, mutant.id)),
    ].filter(Boolean);
  }

  function inSource(mutant, event) {
    event.preventDefault();
    const line = document.getElementById(`${mutant.trial.slug}-L${mutant.line}`);
    if (!line) return;
    line.open = true;
    line.scrollIntoView({ block: "center" });
    line.querySelector("summary").focus({ preventScroll: true });
    history.replaceState(null, "", `#${line.id}`);
  }

  // -- the list -----------------------------------------------------------------------------

  const form = document.getElementById("filters"), list = document.getElementById("list");
  const control = (name) => form.elements.namedItem(name);
  const marks = new Set();

  // A mutant that opens to its details, with the parts of its line.
  function opened(mutant, ...parts) {
    const open = el("div", { class: "inner" });
    const holder = el("details", { class: "mutant", ontoggle: () => holder.open && !open.firstChild && open.append(...details(mutant)) },
      el("summary", {}, tag(mutant), ...parts, el("span", { class: "evidence small soft" }, evidence(mutant))), open);
    return holder;
  }

  function row(mutant) {
    const trial = mutant.trial, place = `${trial.file.split("/").pop()}:${mutant.line}`;
    const where = trial.hasSource ? el("a", { href: `#${trial.slug}-L${mutant.line}`, onclick: (event) => inSource(mutant, event) }, place) : place;
    return opened(mutant, el("span", { class: "where" }, where), el("code", { class: "function" }, mutant.function),
      el("code", { class: "operator" }, mutant.operator), change(mutant, true));
  }

  // By trial, the numbers of the tests whose names hold the text.
  function chosenTests(text) {
    const numbersOf = (trial) => (trial.tests.length ? [...trial.tests.keys()] : trial.mutants.map((mutant) => mutant.first).filter((first) => first !== null));
    return new Map(trials.map((trial) => [trial, new Set(numbersOf(trial).filter((number) => testName(trial, number).includes(text)))]));
  }

  function byItsTests(text, how) {
    const exact = trials.some((trial) => trial.tests.some((test) => test.name === text));
    const chosen = exact ? new Map(trials.map((trial) => [trial, new Set([trial.tests.findIndex((test) => test.name === text)])])) : chosenTests(text);
    const any = (mutant, packed) => {
      const set = bytes(packed);
      for (const number of chosen.get(mutant.trial)) if (has(set, number)) return true;
      return false;
    };
    if (how === "alone") return (mutant) => mutant.count === 1 && chosen.get(mutant.trial).has(mutant.first);
    if (how === "reached") return (mutant) => any(mutant, mutant.reached);
    return (mutant) => (mutant.killers ? any(mutant, mutant.killers) : chosen.get(mutant.trial).has(mutant.first));
  }

  function wanted() {
    const value = (name) => control(name).value.trim();
    const text = value("text").toLowerCase(), test = value("test");
    const tests = [];
    if (value("file")) tests.push((mutant) => mutant.trial.slug === value("file"));
    if (value("function")) tests.push((mutant) => mutant.function === value("function"));
    if (value("operator")) tests.push((mutant) => mutant.operator === value("operator"));
    if (test) tests.push(byItsTests(test, value("how")));
    if (text) tests.push((mutant) => [mutant.id, mutant.before, mutant.original, mutant.replacement, mutant.after, mutant.reason].join("\n").toLowerCase().includes(text));
    return mutants.filter((mutant) => tests.every((passes) => passes(mutant)));
  }

  function show() {
    const found = wanted(), shown = marks.size ? found.filter((mutant) => marks.has(mutant.mark)) : found;
    for (const chip of form.querySelectorAll(".chip")) {
      const mark = Number(chip.dataset.mark), number = found.filter((mutant) => mutant.mark === mark).length;
      chip.querySelector("b").textContent = number.toLocaleString("en");
      chip.setAttribute("aria-pressed", String(marks.has(mark)));
    }
    document.getElementById("shown").textContent = `${shown.length.toLocaleString("en")} of ${counted(mutants.length, "mutant")}`;
    lazily(list, shown, row);
    if (!shown.length) list.append(el("p", { class: "soft" }, "No mutant is like that. ", el("button", { type: "button", onclick: clear }, "Show all")));
  }

  function clear() {
    marks.clear();
    form.reset();
    show();
  }

  function byTest(trial, name) {
    clear();
    control("file").value = trials.length > 1 ? trial.slug : "";
    control("test").value = name;
    show();
    document.getElementById("mutants").scrollIntoView();
    control("test").focus({ preventScroll: true });
  }

  function fill(name, options) {
    control(name).append(...options.map(([value, text]) => el("option", { value }, text)));
  }

  function begin() {
    const all = (name) => [...new Set(mutants.map((mutant) => mutant[name]))].sort().map((value) => [value, value]);
    fill("file", trials.map((trial) => [trial.slug, `${trial.file}, ${trial.label}`]));
    fill("function", all("function"));
    fill("operator", all("operator"));
    form.querySelector(".chips").append(...labels.map((mark, number) => [mark, number]).reverse().filter(([, number]) => mutants.some((mutant) => mutant.mark === number)).map(([mark, number]) =>
      el("button", { type: "button", class: `chip tag ${mark.css}`, "data-mark": number, onclick: () => (marks.delete(number) || marks.add(number), show()) }, `${mark.sign} ${mark.label} `, el("b", {}))));
    let waiting = 0;
    form.addEventListener("input", () => (clearTimeout(waiting), (waiting = setTimeout(show, 120))));
    form.addEventListener("submit", (event) => event.preventDefault());
    control("clear").addEventListener("click", clear);
    control("test").addEventListener("focus", () => {
      const names = document.getElementById("names");
      if (!names.firstChild) names.append(...trials.flatMap((trial) => trial.tests.slice(0, 2000).map((test) => el("option", { value: test.name }))));
    });
    for (const part of document.querySelectorAll(".scripted")) part.hidden = false;
    show();
  }

  // -- the source, and tests ----------------------------------------------------------------

  document.addEventListener("toggle", (event) => {
    const line = event.target;
    if (!line.open || !line.matches("details.line") || line.querySelector(".inner").firstChild) return;
    const [slug, number] = line.id.split(/-L(?=\d+$)/);
    const here = trials.find((trial) => trial.slug === slug).mutants.filter((mutant) => mutant.line === Number(number));
    line.querySelector(".inner").append(...here.map((mutant) =>
      opened(mutant, el("code", { class: "operator" }, mutant.operator), change(mutant, false))));
  }, true);

  function table(holder, trial) {
    const order = (name) => (left, right) => right[name] - left[name] || right.kills - left.kills;
    const cell = (value) => el("td", { class: "n" }, value === null ? "–" : value.toLocaleString("en"));
    const body = el("tbody");
    const fillBody = (name) => lazily(body, name === "name" ? trial.tests : [...trial.tests].sort(order(name)), (test) =>
      el("tr", {}, el("td", {}, el("button", { type: "button", class: "plain code", onclick: () => byTest(trial, test.name) }, test.name)), cell(test.kills), cell(test.alone), cell(test.reached)));
    const head = (name, text, number) => el("th", { class: number ? "n" : null }, el("button", { type: "button", class: "plain", title: "Sort by it", onclick: () => fillBody(name) }, text));
    holder.append(el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, head("name", trial.unit),
      head("kills", trial.complete ? "kills" : "kills first", true), head("alone", "alone", true), head("reached", "reaches", true))), body)));
    fillBody(trial.complete ? "alone" : "kills");
  }

  const coming = new IntersectionObserver((seen) => {
    for (const one of seen.filter((each) => each.isIntersecting)) {
      coming.unobserve(one.target);
      table(one.target, trials.find((trial) => trial.slug === one.target.dataset.slug));
    }
  }, { rootMargin: "600px" });
  for (const holder of document.querySelectorAll(".tests-of")) coming.observe(holder);

  begin();
})();
