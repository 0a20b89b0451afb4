(() => {
  let buy, stock, gone, visit = 0;
  const ready = () => {
    buy = document.getElementById("buy");
    stock = document.getElementById("stock");
    gone = buy ? new Set(JSON.parse(buy.dataset.gone)) : null;
  };
  const chosen = (name) => {
    const field = buy.elements[name];
    return field ? field.value : "";
  };
  const showStock = () => {
    const color = chosen("color"), size = chosen("size");
    const complete = color && (size || buy.dataset.sized === "0");
    stock.textContent = !complete ? "" : gone.has(`${color} ${size}`.trim()) ? "Sold out" : "In stock";
  };
  document.addEventListener("change", (event) => {
    if (event.target.form?.hasAttribute("data-auto")) event.target.form.requestSubmit();
    else if (buy && event.target.form === buy) showStock();
  });
  document.addEventListener("click", (event) => {
    const menu = event.target.closest("[data-menu]"), step = event.target.closest("[data-step]");
    if (menu) {
      const list = document.getElementById(menu.dataset.menu);
      list.hidden = !list.hidden;
      menu.setAttribute("aria-expanded", String(!list.hidden));
    }
    if (step) {
      const field = buy.elements.qty;
      field.value = Math.min(9, Math.max(1, (parseInt(field.value, 10) || 1) + Number(step.dataset.step)));
    }
  });

  // Links and forms fetch the next page and put its body in place of this one's, as many shops do;
  // whatever goes wrong falls back to an ordinary load, and so does a browser without scripts.
  const part = (html, from, to) => {
    const start = html.indexOf(">", html.indexOf(from)) + 1;
    return html.slice(start, html.indexOf(to, start));
  };
  const show = async (url, options, remember) => {
    const mine = ++visit;
    let reply, html;
    try {
      reply = await fetch(url, options);
      html = await reply.text();
    } catch {
      if (mine === visit) location.assign(options.method ? location.href : url);
      return;
    }
    if (mine !== visit) return;
    if (!html.includes("<body")) return location.assign(reply.url);
    if (remember && reply.url !== location.href) history.pushState(null, "", reply.url);
    document.body.innerHTML = part(html, "<body", "<script>");
    document.title = new DOMParser().parseFromString(part(html, "<title", "</title>"), "text/html").body.textContent;
    scrollTo(0, 0);
    ready();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || link.target || link.origin !== location.origin || event.defaultPrevented) return;
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    show(link.href, {}, true);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target, fields = new URLSearchParams(new FormData(form, event.submitter));
    if (event.defaultPrevented) return;
    event.preventDefault();
    // Enter in a field that submits on change asks for both: what was sent once is on its way.
    if (form.hasAttribute("data-auto") && form.dataset.sent === String(fields)) return;
    form.dataset.sent = String(fields);
    const url = new URL(form.getAttribute("action"), location.href);
    if (form.getAttribute("method") === "post") return show(url, { method: "POST", body: fields }, true);
    url.search = fields;
    show(url, {}, true);
  });
  addEventListener("popstate", () => show(location.href, {}, false));
  ready();
})();
