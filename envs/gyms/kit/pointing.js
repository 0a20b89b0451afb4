// What a field proposes while it is typed into, and what a right click offers. Only the document
// listens, so that a body that is put back as text works as it did.
(() => {
  const drop = (selector) => document.querySelector(selector)?.remove();
  const make = (tag, text, owner) => {
    const element = document.createElement(tag);
    element.textContent = text;
    owner.append(element);
    return element;
  };
  document.addEventListener("input", (event) => {
    const box = event.target.closest("input[data-suggest]");
    drop(".suggestions");
    if (!box) return;
    const words = box.value.slice(box.value.lastIndexOf(",") + 1).trim().toLowerCase();
    const all = JSON.parse(box.dataset.suggest);
    // A whole address needs no proposal, and whoever typed it goes on to the next field.
    if (words.length < 2 || all.some((entry) => entry.toLowerCase() === words)) return;
    const matches = all.filter((entry) => entry.toLowerCase().includes(words)).slice(0, 4);
    if (!matches.length) return;
    const panel = document.createElement("div");
    panel.className = "suggestions";
    for (const entry of matches) {
      const button = make("button", entry, panel);
      button.type = "button";
      button.dataset.take = entry;
    }
    box.closest(".field").append(panel);
  });
  document.addEventListener("contextmenu", (event) => {
    const row = event.target.closest("[data-context]");
    drop(".contextmenu");
    if (!row) return;
    event.preventDefault();
    const panel = document.createElement("div");
    panel.className = "contextmenu";
    for (const [text, url] of JSON.parse(row.dataset.context)) make("a", text, panel).href = url;
    document.body.append(panel);
    panel.style.left = `${Math.min(event.clientX, innerWidth - panel.offsetWidth)}px`;
    panel.style.top = `${Math.min(event.clientY, innerHeight - panel.offsetHeight)}px`;
  });
  document.addEventListener("click", (event) => {
    drop(".contextmenu");
    const taken = event.target.closest("[data-take]");
    if (!taken) return;
    const box = taken.closest(".field").querySelector("input[data-suggest]");
    const kept = box.value.slice(0, box.value.lastIndexOf(",") + 1);
    box.value = `${kept}${kept && " "}${taken.dataset.take}`;
    drop(".suggestions");
    box.focus();
  });
})();
