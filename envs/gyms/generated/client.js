// Draws the screen that the server sent as JSON, and fetches the next one. Pages that hold no screen
// (errors, the sign-in) are shown as they are.
(() => {
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value === true) element.setAttribute(key, "");
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
  const act = (button) => {
    if (!button.question) return post(button.action, button.hidden);
    const veil = makeDialog(
      make("p", {}, button.question.text),
      make("button", { type: "button", onclick: () => post(button.action, button.hidden) }, button.question.yes),
      make("button", { type: "button", class: "quiet", onclick: () => veil.remove() }, button.question.no));
  };
  const makeAction = (entry) => entry.is_link
    ? makeLink(entry, "action")
    : make("button", { type: "button", "aria-label": entry.label, onclick: () => act(entry) }, entry.text);

  const makeSwitch = (control) => {
    const store = make("input", { type: "hidden", name: control.name, value: control.value });
    const knob = make("span", { role: "switch", tabindex: "0", class: "switch", "aria-label": control.label, "aria-checked": String(control.value === "yes") });
    knob.addEventListener("click", () => {
      store.value = store.value === "yes" ? "" : "yes";
      knob.setAttribute("aria-checked", String(store.value === "yes"));
    });
    return make("div", { class: "control" }, make("span", { class: "label", "aria-hidden": "true" }, ""), knob, make("span", { class: "caption" }, control.label), store);
  };
  const makeSegments = (control) => {
    const store = make("input", { type: "hidden", name: control.name, value: control.value });
    const segments = control.options.map(([value, text]) => make("span", {
      role: "radio", tabindex: "0", class: "segment", "aria-checked": String(value === control.value), "aria-label": text,
      onclick: () => {
        store.value = value;
        segments.forEach((segment) => segment.setAttribute("aria-checked", String(segment.textContent === text)));
      },
    }, text));
    return make("div", { class: "control" }, make("div", { class: "label" }, control.label), make("div", { class: "segments" }, segments), store);
  };
  const makeControl = (control, atOnce) => {
    if (control.kind === "check") return makeSwitch(control);
    if (control.kind === "radio") return makeSegments(control);
    const field = control.kind === "choice"
      ? make("select", { name: control.name, "aria-label": control.label },
        control.options.map(([value, text]) => make("option", { value, selected: value === control.value }, text)))
      : make("input", { name: control.name, value: control.value, "aria-label": control.label, placeholder: control.hint, autocomplete: "off" });
    if (atOnce && control.kind === "choice") field.addEventListener("change", () => field.form.requestSubmit());
    return make("label", { class: "control" }, make("span", { class: "label" }, control.label), field);
  };
  const makeForm = (form, extra = []) => make("form", {
    class: form.is_query && !form.cancel ? "query" : "panel form",
    onsubmit: (event) => {
      event.preventDefault();
      event.stopPropagation();
      const fields = new URLSearchParams(new FormData(event.target));
      if (form.is_query) openPage(`${form.action}?${fields}`);
      else post(form.action, fields);
    },
  },
  Object.entries(form.hidden).map(([name, value]) => make("input", { type: "hidden", name, value })),
  extra,
  form.controls.map((control) => makeControl(control, form.at_once)),
  make("div", { class: "buttons" }, make("button", { class: "main" }, form.submit), form.cancel ? makeLink(form.cancel, "action quiet") : null));

  const makeName = (row, byButton) => byButton
    ? make("button", { type: "button", class: "name", onclick: () => openPage(row.name.href) }, row.name.text)
    : makeLink(row.name, "name");
  const makeCard = (row) => make("button", { type: "button", class: "tile", onclick: () => openPage(row.name.href) },
    [row.name.text, ...row.cells.map((cell) => `${cell.label} ${cell.text}`)].join(" · "));
  const makeRow = (row, view, byButton) => view === "cards" && byButton && !row.tick && !row.buttons.length ? makeCard(row) : make("div", { class: `row ${view}` },
    row.tick ? make("input", { type: "checkbox", name: row.tick, value: "yes", "aria-label": `Select ${row.name.text}` }) : null,
    makeName(row, byButton),
    row.cells.map((cell) => make("div", { class: "cell" }, view === "cards" ? `${cell.label}: ${cell.text}` : cell.text)),
    row.buttons.map(makeAction));
  const makeRows = (list, byButton) => {
    if (!list.rows.length) return [make("div", { class: "empty" }, list.empty)];
    if (list.groups.length) {
      return [make("div", { class: list.view === "board" ? "lanes" : "" }, list.groups.map((group) => {
        const rows = list.rows.filter((row) => row.group === group);
        return make("div", { class: "lane" }, make("h3", {}, `${group} ${rows.length}`), rows.map((row) => makeRow(row, list.view, byButton)));
      }))];
    }
    const head = list.view === "table"
      ? [make("div", { class: "row table head" }, list.bulk ? make("div", { class: "tick" }) : null, [list.name_label, ...list.columns].map((label) => make("div", { class: "cell" }, label)))]
      : [];
    return [...head, ...list.rows.map((row) => makeRow(row, list.view, byButton))];
  };
  const makeList = (list, byButton) => {
    const rows = makeRows(list, byButton);
    const content = list.bulk ? [makeForm(list.bulk, rows)] : rows;
    const turns = [list.previous, list.next].filter(Boolean).map((entry) => make("button", { type: "button", onclick: () => openPage(entry.href) }, entry.text));
    return make("div", { class: "panel list" }, make("div", { class: "count" }, list.summary), content, make("div", { class: "buttons" }, turns));
  };
  const makeRecord = (record) => make("div", { class: `panel record ${record.style}` }, record.cells.map((cell) => make("div", { class: "fact" },
    make("span", { class: "label" }, `${cell.label} `), cell.href ? makeLink(cell) : cell.text)));
  const makeMenu = (text, entries) => {
    const sheet = make("div", { class: "sheet", hidden: true }, entries);
    const opener = make("button", { type: "button", "aria-expanded": "false", onclick: () => {
      sheet.hidden = !sheet.hidden;
      opener.setAttribute("aria-expanded", String(!sheet.hidden));
    } }, text);
    return make("div", { class: "menu" }, opener, sheet);
  };
  const makeActions = (actions) => make("div", { class: "buttons" }, actions.shown.map(makeAction),
    actions.menu ? makeMenu(actions.menu, actions.in_menu.map(makeAction)) : null);
  const makeRelated = (related) => make("div", { class: "panel" }, related.title ? make("h3", {}, related.title) : null,
    related.entries.map(([link, remark]) => make("div", {}, makeLink(link), remark ? ` ${remark}` : "")));
  const makeOpener = (form) => make("div", { class: "buttons" }, make("button", { type: "button", onclick: () => {
    const veil = makeDialog(make("h3", {}, form.title), makeForm(form),
      make("button", { type: "button", class: "quiet", "aria-label": "Close this window", onclick: () => veil.remove() }, "×"));
  } }, form.opener));
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
    const places = screen.places.map((place) => make("a", { href: place.href, role, class: "place" }, place.text));
    if (screen.navigation === "menu") return makeMenu(screen.menu, places);
    return make("div", { class: "places" }, places);
  };
  const draw = (screen) => {
    document.title = screen.document_title;
    const shell = make("div", { class: `shell ${screen.navigation}` },
      make("div", { class: "bar" }, make("div", { class: "brand" }, screen.app), makeNavigation(screen), make("div", { class: "user" }, `${screen.user}, ${screen.owner}`)),
      make("div", { class: "content" },
        screen.message ? make("div", { class: "toast", role: "status" }) : null,
        make("h2", {}, screen.title),
        screen.blocks.map((block) => makeBlock(block, screen.opens_by_button))));
    if (screen.message) shell.querySelector(".toast").innerHTML = screen.message;
    document.body.replaceChildren(shell);
    if (screen.cover) {
      const veil = makeDialog(make("p", {}, screen.cover.text), make("button", { type: "button", onclick: () => veil.remove() }, screen.cover.answer));
    }
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || link.origin !== location.origin || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    openPage(link.href);
  });
  addEventListener("popstate", () => fetchScreen(location.href, {}, false));
  draw(JSON.parse(document.getElementById("screen").textContent));
})();
