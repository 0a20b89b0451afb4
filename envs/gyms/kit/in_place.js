// Links and forms fetch the next page and put its body in place of this one's, as many sites do;
// whatever goes wrong falls back to an ordinary load, and so does a browser without scripts. The
// window hears `shown` then, for scripts that look things up in a page.
(() => {
  let lastVisit = 0;
  const between = (html, from, to) => {
    const start = html.indexOf(">", html.indexOf(from)) + 1;
    return html.slice(start, html.indexOf(to, start));
  };
  // Another app of the suite has a style of its own: it is loaded.
  const inThisApp = (link) => link.pathname.split("/")[1] === location.pathname.split("/")[1];
  const show = async (url, options, remember) => {
    const thisVisit = ++lastVisit;
    let reply, html;
    try {
      reply = await fetch(url, options);
      html = await reply.text();
    } catch {
      if (thisVisit === lastVisit) location.assign(options.method ? location.href : url);
      return;
    }
    if (thisVisit !== lastVisit) return;
    if (!html.includes("<body")) return location.assign(reply.url);
    if (remember && reply.url !== location.href) history.pushState(null, "", reply.url);
    document.body.className = /<body class="([^"]*)"/.exec(html)?.[1] ?? "";
    document.body.innerHTML = between(html, "<body", html.includes("<script>") ? "<script>" : "</body>");
    const title = document.createElement("textarea");  // its text is read as a title's is
    title.innerHTML = between(html, "<title", "</title>");
    document.title = title.value;
    scrollTo(0, 0);
    dispatchEvent(new Event("shown"));
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || link.target || link.origin !== location.origin || event.defaultPrevented) return;
    if (!inThisApp(link)) return;
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
})();
