// Draws the screen that the server sent as JSON, and fetches the next one. Pages that hold no screen
// (errors, the sign-in) are shown as they are. What a control does stands in its data attributes, and
// only the document listens: a body that is put back as text works as it did.
(() => {
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === true) element.setAttribute(key, "");
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  };
  let visits = 0;
  const fetchScreen = async (url, options, remember) => {
    const visit = ++visits;
    let reply, html;
    try {
      reply = await fetch(url, options);
      html = await reply.text();
    } catch {
      if (visit === visits) location.reload();
      return;
    }
    if (visit !== visits) return;
    if (remember && reply.url !== location.href) history.pushState(null, "", reply.url);
    const page = new DOMParser().parseFromString(html, "text/html");
    const data = page.getElementById("screen");
    if (data) draw(JSON.parse(data.textContent));
    else {
      document.title = page.title;
      document.body.innerHTML = page.body.innerHTML;
    }
    scrollTo(0, 0);
  };
  const post = (action, fields) => fetchScreen(action, { method: "POST", body: new URLSearchParams(fields) }, true);
  const openPage = (url) => fetchScreen(url, {}, true);

  const makeLink = (entry, className) => make("a", { href: entry.href, class: className }, entry.text);
  const makeDialog = (...children) => {
    const veil = make("div", { class: "veil" }, make("div", { class: "dialog", role: "dialog" }, ...children));
    document.body.append(veil);
    return veil;
  };
  const makeButton = (text, attributes) => make("button", { type: "button", ...attributes }, text);
  const ask = (question, send) => makeDialog(
    make("p", {}, question.text),
    makeButton(question.yes, { "data-send": send }),
    makeButton(question.no, { class: "quiet", "data-dismiss": true }));
  const makeAction = (entry) => entry.is_link
    ? makeLink(entry, "action")
    : makeButton(entry.text, {
      "aria-label": entry.label,
      "data-send": JSON.stringify([entry.action, entry.hidden]),
      "data-ask": entry.question && JSON.stringify(entry.question),
    });

  const makeSwitch = (control) => {
    const store = make("input", { type: "hidden", name: control.name, value: control.value });
    const knob = make("span", { role: "switch", tabindex: "0", class: "switch", "aria-label": control.label, "aria-checked": String(control.value === "yes") });
    return make("div", { class: "control" }, make("span", { class: "label", "aria-hidden": "true" }, ""), knob, make("span", { class: "caption" }, control.label), store);
  };
  const makeSegments = (control) => {
    const store = make("input", { type: "hidden", name: control.name, value: control.value });
    const segments = control.options.map(([value, text]) => make("span", {
      role: "radio", tabindex: "0", class: "segment", "aria-checked": String(value === control.value), "aria-label": text, "data-value": value,
    }, text));
    return make("div", { class: "control" }, make("div", { class: "label" }, control.label), make("div", { class: "segments" }, segments), store);
  };
  const makeControl = (control) => {
    if (control.kind === "check") return makeSwitch(control);
    if (control.kind === "radio") return makeSegments(control);
    const field = control.kind === "choice"
      ? make("select", { name: control.name, "aria-label": control.label },
        control.options.map(([value, text]) => make("option", { value, selected: value === control.value }, text)))
      : make("input", { name: control.name, value: control.value, "aria-label": control.label, placeholder: control.hint, autocomplete: "off" });
    return make("label", { class: "control" }, make("span", { class: "label" }, control.label), field);
  };
  const makeForm = (form, extra = []) => make("form", {
    class: form.is_query && !form.cancel ? "query" : "panel form",
    action: form.action,
    "data-by": form.is_query ? "query" : "post",
    "data-at-once": form.at_once,
  },
  Object.entries(form.hidden).map(([name, value]) => make("input", { type: "hidden", name, value })),
  extra,
  form.controls.map(makeControl),
  make("div", { class: "buttons" }, make("button", { class: "main" }, form.submit), form.cancel ? makeLink(form.cancel, "action quiet") : null));

  const makeOpening = (href, text, className) => makeButton(text, { class: className, "data-open": href });
  const makeName = (row, byButton) => (byButton ? makeOpening(row.name.href, row.name.text, "name") : makeLink(row.name, "name"));
  const makeCard = (row) => makeOpening(row.name.href, [
    make("b", {}, row.name.text),
    ...row.cells.flatMap((cell) => [" · ", make("span", { class: "cell" }, make("span", { class: "label" }, `${cell.label} `), makeState(cell))]),
  ], "tile");
  const makeState = (cell) => (cell.tone ? make("span", { class: `chip ${cell.tone}` }, cell.text) : cell.text);
  const makeRow = (row, view, byButton, hasButtons) => view === "cards" && byButton && !row.tick && !row.buttons.length ? makeCard(row) : make("div", { class: `row ${view}` },
    row.tick ? make("input", { type: "checkbox", name: row.tick, value: "yes", "aria-label": `Select ${row.name.text}` }) : null,
    makeName(row, byButton),
    row.cells.map((cell) => make("div", { class: "cell" }, view === "cards" ? make("span", { class: "label" }, `${cell.label}: `) : null, makeState(cell))),
    hasButtons ? make("div", { class: "acts" }, row.buttons.map(makeAction)) : null);
  const makeRows = (list, byButton) => {
    if (!list.rows.length) return [make("div", { class: "empty" }, list.empty)];
    const hasButtons = list.rows.some((row) => row.buttons.length);
    if (list.groups.length) {
      return [make("div", { class: list.view === "board" ? "lanes" : "groups" }, list.groups.map((group) => {
        const rows = list.rows.filter((row) => row.group === group);
        return make("div", { class: "lane" }, make("h3", {}, `${group} ${rows.length}`), rows.map((row) => makeRow(row, list.view, byButton, hasButtons)));
      }))];
    }
    const head = list.view === "table"
      ? [make("div", { class: `row table head${hasButtons ? " acting" : ""}` }, list.bulk ? make("div", { class: "tick" }) : null, [list.name_label, ...list.columns].map((label) => make("div", { class: "cell" }, label)))]
      : [];
    return [...head, make("div", { class: `rows ${list.view}` }, list.rows.map((row) => makeRow(row, list.view, byButton, hasButtons)))];
  };
  const makeList = (list, byButton) => {
    const rows = makeRows(list, byButton);
    const content = list.bulk ? [makeForm(list.bulk, rows)] : rows;
    const turns = [list.previous, list.next].filter(Boolean).map((entry) => makeOpening(entry.href, entry.text));
    return make("div", { class: "panel list" }, make("div", { class: "count" }, list.summary), content, turns.length ? make("div", { class: "buttons turns" }, turns) : null);
  };
  const makeRecord = (record) => make("div", { class: `panel record ${record.style}` }, record.cells.map((cell) => make("div", { class: "fact" },
    make("span", { class: "label" }, `${cell.label} `), cell.href ? makeLink(cell) : makeState(cell))));
  const makeMenu = (text, entries) => make("div", { class: "menu" },
    makeButton(text, { "aria-expanded": "false", "data-toggle": true }),
    make("div", { class: "sheet", hidden: true }, entries));
  const makeActions = (actions) => make("div", { class: "buttons" }, actions.shown.map(makeAction),
    actions.menu ? makeMenu(actions.menu, actions.in_menu.map(makeAction)) : null);
  const makeRelated = (related) => make("div", { class: "panel related" }, related.title ? make("h3", {}, related.title) : null,
    related.entries.map(([link, remark]) => make("div", { class: "row" }, makeLink(link), remark ? make("span", { class: "label" }, ` ${remark}`) : "")));
  const makeOpener = (form) => make("div", { class: "buttons" }, makeButton(form.opener, { "data-form": JSON.stringify(form) }));
  const openForm = (form) => makeDialog(make("h3", {}, form.title), makeForm(form),
    makeButton("×", { class: "quiet", "aria-label": "Close this window", "data-dismiss": true }));
  const makeBlock = (block, byButton) => {
    if (block.block === "FormView") return block.opener ? makeOpener(block) : makeForm(block);
    if (block.block === "ListView") return makeList(block, byButton);
    if (block.block === "RecordView") return makeRecord(block);
    if (block.block === "Actions") return makeActions(block);
    if (block.block === "Related") return makeRelated(block);
    return make("div", { class: "panel" }, block.text);
  };
  const makeNavigation = (screen) => {
    const role = screen.navigation === "tabs" ? "tab" : null;
    const places = screen.places.map((place) => make("a", { href: place.href, role, class: place.href === screen.here ? "place here" : "place" }, place.text));
    if (screen.navigation === "menu") return makeMenu(screen.menu, places);
    return make("div", { class: "places" }, places);
  };
  const draw = (screen) => {
    document.title = screen.document_title;
    const shell = make("div", { class: `shell ${screen.navigation}` },
      make("div", { class: "bar" }, make("div", { class: "brand" }, screen.app), makeNavigation(screen), make("div", { class: "user", "data-initials": screen.initials }, `${screen.user}, ${screen.owner}`)),
      make("div", { class: "content" },
        screen.message ? make("div", { class: "toast", role: "status" }) : null,
        make("h2", {}, screen.title),
        screen.blocks.map((block) => makeBlock(block, screen.opens_by_button))));
    if (screen.message) shell.querySelector(".toast").innerHTML = screen.message;
    document.body.replaceChildren(shell);
    if (screen.cover) makeDialog(make("p", {}, screen.cover.text), makeButton(screen.cover.answer, { "data-dismiss": true }));
  };

  const turnSwitch = (knob) => {
    const store = knob.parentElement.querySelector("input");
    store.value = store.value === "yes" ? "" : "yes";
    knob.setAttribute("aria-checked", String(store.value === "yes"));
  };
  const choose = (segment) => {
    segment.closest(".control").querySelector("input").value = segment.dataset.value;
    for (const other of segment.parentElement.children) other.setAttribute("aria-checked", String(other === segment));
  };
  const toggle = (opener) => {
    const sheet = opener.nextElementSibling;
    sheet.hidden = !sheet.hidden;
    opener.setAttribute("aria-expanded", String(!sheet.hidden));
  };
  const USES = {
    "[data-ask]": (el) => ask(JSON.parse(el.dataset.ask), el.dataset.send),
    "[data-send]": (el) => post(...JSON.parse(el.dataset.send)),
    "[data-open]": (el) => openPage(el.dataset.open),
    "[data-dismiss]": (el) => el.closest(".veil").remove(),
    "[data-toggle]": toggle,
    "[data-form]": (el) => openForm(JSON.parse(el.dataset.form)),
    ".switch": turnSwitch,
    ".segment": choose,
  };
  document.addEventListener("click", (event) => {
    for (const [selector, use] of Object.entries(USES)) {
      const control = event.target.closest(selector);
      if (control) return use(control);
    }
    const link = event.target.closest("a[href]");
    if (!link || link.origin !== location.origin || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    openPage(link.href);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("form[data-at-once] select")) event.target.form.requestSubmit();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target, action = form.getAttribute("action");
    if (!form.dataset.by) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form));
    if (form.dataset.by === "query") openPage(`${action}?${fields}`);
    else post(action, fields);
  });
  addEventListener("popstate", () => fetchScreen(location.href, {}, false));
  draw(JSON.parse(document.getElementById("screen").textContent));
})();
