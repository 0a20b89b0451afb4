// Keyboard, selects that submit their form, and a key that stands behind # in the address.
(() => {
  const places = { t: "/console/tasks", a: "/console/approvals", w: "/console/wall", c: "/console/scripts", e: "/console/evaluations", r: "/console/runs", p: "/console/policy", y: "/console/gyms", k: "/console/keys", s: "/console/system" };
  let waitsForPlace = false;
  const isTyping = (element) => element.closest("input, textarea, select, [contenteditable]") !== null;

  const move = (by) => {
    const rows = [...document.querySelectorAll("a.row, .step")];
    if (!rows.length) return;
    const at = rows.indexOf(document.activeElement);
    rows[Math.min(rows.length - 1, Math.max(0, at + by))].focus();
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (waitsForPlace) {
      waitsForPlace = false;
      if (places[event.key]) location.assign(places[event.key]);
      return;
    }
    if (event.key === "g") waitsForPlace = true;
    else if (event.key === "n") location.assign("/console/new");
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "?") document.getElementById("keys")?.showModal();
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener) document.getElementById(opener.dataset.opens).showModal();
    // A click on a picture is one at the same place of what it shows.
    const picture = event.target.closest("[data-clicks]");
    if (picture) {
      const form = document.getElementById(picture.dataset.clicks), rect = picture.getBoundingClientRect();
      form.elements.x.value = (event.clientX - rect.left) / rect.width;
      form.elements.y.value = (event.clientY - rect.top) / rect.height;
      form.requestSubmit();
    }
  });
  // A text that is on its way is not handed in again with the next one.
  document.addEventListener("htmx:beforeSend", (event) => {
    if (event.target.matches?.("[data-clears]")) event.target.reset();
  });
  document.addEventListener("change", (event) => {
    if (event.target.hasAttribute("data-submits")) event.target.form.requestSubmit();
  });
  // What has the focus keeps it when its part of the page is drawn anew.
  const focusable = () => [...document.querySelectorAll("main a[href], main button, main summary, main .step")];
  document.addEventListener("htmx:beforeSwap", () => {
    document.body.dataset.focus = focusable().indexOf(document.activeElement);
  });
  document.addEventListener("htmx:afterSwap", () => {
    const at = Number(document.body.dataset.focus ?? -1);
    if (at >= 0 && document.activeElement === document.body) focusable()[at]?.focus({ preventScroll: true });
  });

  const form = document.querySelector("[data-key-from-address]");
  if (form && location.hash.length > 1) {
    form.elements.key.value = decodeURIComponent(location.hash.slice(1));
    history.replaceState(null, "", location.pathname + location.search);
    form.submit();
  }
})();
