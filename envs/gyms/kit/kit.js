(() => {
  const $ = (selector) => document.querySelector(selector);
  document.addEventListener('click', (event) => {
    const el = event.target.closest('[data-menu],[data-dialog],[data-close],[data-dismiss],[data-pick]');
    if (!el) return;
    if (el.dataset.menu) {
      const nav = document.getElementById(el.dataset.menu);
      nav.hidden = !nav.hidden;
      el.setAttribute('aria-expanded', String(!nav.hidden));
    } else if (el.dataset.dialog) document.getElementById(el.dataset.dialog).showModal();
    else if (el.dataset.close) document.getElementById(el.dataset.close).close();
    else if (el.dataset.dismiss) document.getElementById(el.dataset.dismiss).remove();
    else pick(el);
  });
  document.addEventListener('change', (event) => {
    const form = event.target.closest('form[data-auto]');
    if (form && event.target.tagName === 'SELECT') form.requestSubmit();
  });
  const names = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
  const two = (n) => String(n).padStart(2, '0');
  const written = (locale, y, m, d) => locale === 'us' ? `${names[m].slice(0, 3)} ${d}, ${y}` : locale === 'gb' ? `${d} ${names[m].slice(0, 3)} ${y}` : `${two(d)}.${two(m + 1)}.${y}`;
  const pick = (button) => {
    const open = $('.days');
    if (open) { open.remove(); if (open.dataset.of === button.dataset.pick) return; }
    const box = button.closest('form').elements[button.dataset.pick];
    const [y, m] = button.dataset.today.split('-').map(Number);
    show(button, box, y, m - 1);
  };
  const show = (button, box, year, month) => {
    $('.days')?.remove();
    const panel = document.createElement('div');
    panel.className = 'days';
    panel.dataset.of = button.dataset.pick;
    const add = (text, label, act) => {
      const made = document.createElement('button');
      made.type = 'button'; made.textContent = text; made.setAttribute('aria-label', label);
      made.addEventListener('click', act);
      panel.append(made);
    };
    const to = (step) => () => { const at = new Date(Date.UTC(year, month + step, 1)); show(button, box, at.getUTCFullYear(), at.getUTCMonth()); };
    add('<', 'Month before', to(-1));
    const title = document.createElement('span');
    title.className = 'wide'; title.textContent = `${names[month]} ${year}`;
    panel.append(title);
    add('>', 'Month after', to(1));
    for (let skip = (new Date(Date.UTC(year, month, 1)).getUTCDay() + 6) % 7; skip; skip -= 1) panel.append(document.createElement('span'));
    const count = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    for (let day = 1; day <= count; day += 1) add(day, written(button.dataset.locale, year, month, day), () => {
      box.value = written(button.dataset.locale, year, month, day);
      panel.remove();
    });
    button.after(panel);
  };
})();
// Cards follow the plain mouse: a drag of the browser's own ends without a drop when there is no window.
(() => {
  let held = null;
  document.addEventListener('mousedown', (event) => { held = event.target.closest('[data-card]'); });
  document.addEventListener('dragstart', (event) => { if (event.target.closest('[data-card]')) event.preventDefault(); });
  document.addEventListener('mouseup', (event) => {
    const card = held, column = event.target.closest('[data-drop]');
    held = null;
    if (!card || !column || column.contains(card)) return;
    const form = card.querySelector('form[data-move]');
    form.elements.to.value = column.dataset.drop;
    form.requestSubmit();
  });
})();
