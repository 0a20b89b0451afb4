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
  const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
  const pad = (n) => String(n).padStart(2, '0');
  const formatDate = (locale, y, m, d) => locale === 'us' ? `${MONTHS[m].slice(0, 3)} ${d}, ${y}` : locale === 'gb' ? `${d} ${MONTHS[m].slice(0, 3)} ${y}` : `${pad(d)}.${pad(m + 1)}.${y}`;
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
      const control = document.createElement('button');
      control.type = 'button'; control.textContent = text; control.setAttribute('aria-label', label);
      control.addEventListener('click', act);
      panel.append(control);
    };
    const turnBy = (step) => () => { const first = new Date(Date.UTC(year, month + step, 1)); show(button, box, first.getUTCFullYear(), first.getUTCMonth()); };
    add('<', 'Month before', turnBy(-1));
    const title = document.createElement('span');
    title.className = 'wide'; title.textContent = `${MONTHS[month]} ${year}`;
    panel.append(title);
    add('>', 'Month after', turnBy(1));
    for (let skip = (new Date(Date.UTC(year, month, 1)).getUTCDay() + 6) % 7; skip; skip -= 1) panel.append(document.createElement('span'));
    const count = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    for (let day = 1; day <= count; day += 1) add(day, formatDate(button.dataset.locale, year, month, day), () => {
      box.value = formatDate(button.dataset.locale, year, month, day);
      panel.remove();
    });
    button.after(panel);
  };
})();
// Cards follow the plain mouse: a drag of the browser's own ends without a drop when there is no window.
(() => {
  let draggedCard = null;
  document.addEventListener('mousedown', (event) => { draggedCard = event.target.closest('[data-card]'); });
  document.addEventListener('dragstart', (event) => { if (event.target.closest('[data-card]')) event.preventDefault(); });
  document.addEventListener('mouseup', (event) => {
    const card = draggedCard, column = event.target.closest('[data-drop]');
    draggedCard = null;
    if (!card || !column || column.contains(card)) return;
    const form = card.querySelector('form[data-move]');
    form.elements.to.value = column.dataset.drop;
    form.requestSubmit();
  });
})();
