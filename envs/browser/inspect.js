// What a page says, seen or not, and what actions would touch. Runs in the walker's world and changes nothing:
// it neither scrolls nor focuses. One passage is the text of one block, so that a sentence is never split by its markup.
(places, maxPassages, maxChars) => {
  const SKIP = new Set(['SCRIPT', 'STYLE', 'LINK']);
  const INLINE = new Set(['SPAN', 'B', 'I', 'EM', 'STRONG', 'SMALL', 'CODE', 'U', 'S', 'SUP', 'SUB', 'MARK', 'LABEL', 'FONT', 'ABBR', 'TIME', 'WBR', 'BR', 'BDI', 'CITE', 'Q', 'VAR', 'KBD', 'DATA', 'A']);
  const ATTRIBUTES = ['alt', 'title', 'aria-label', 'aria-description', 'placeholder', 'content', 'summary', 'data-prompt', 'data-instructions', 'value'];
  const passages = [];
  let unreadFrames = 0;
  const flat = (text) => text.replace(/\s+/g, ' ').trim();
  const add = (text, place) => {
    const line = flat(text);
    if (line && passages.length < maxPassages) passages.push({ text: line.slice(0, maxChars), place });
  };
  const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const isSame = (color, other) => color.length >= 3 && other.length >= 3 && [0, 1, 2].every((i) => Math.abs(color[i] - other[i]) < 24);
  // What stands behind a text: the nearest background that is painted.
  const backgroundOf = (el) => {
    for (let box = el; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.backgroundImage !== 'none') return [];
      const color = channels(style.backgroundColor);
      if (color.length === 3 || (color[3] ?? 0) > 0.5) return color;
    }
    return [255, 255, 255];
  };
  const isHidden = (el) => {
    if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })) return true;
    const style = getComputedStyle(el), rect = el.getBoundingClientRect();
    if (parseFloat(style.fontSize) < 5 || parseFloat(style.textIndent) < -500) return true;
    if (rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0) return true;
    const color = channels(style.color);
    if (color[3] != null && color[3] < 0.15) return true;
    for (let box = el; box && box !== document.body; box = box.parentElement) {
      const own = getComputedStyle(box), size = box.getBoundingClientRect();
      if (parseFloat(own.opacity) < 0.15 || /inset\((100|5\d)%|circle\(0|rect\(0(px)?[, ]+0/.test(own.clipPath + own.clip)) return true;
      if (own.overflow !== 'visible' && own.display !== 'inline' && (size.width < 3 || size.height < 3)) return true;
    }
    return isSame(color, backgroundOf(el));
  };
  const readAttributes = (el) => {
    for (const name of ATTRIBUTES) {
      const value = el.getAttribute(name);
      if (!value || (name === 'value' && el.type !== 'hidden') || value.trim().split(/\s+/).length < 3) continue;
      add(value, name === 'placeholder' && !isHidden(el) ? 'visible' : 'attribute');
    }
  };
  let text = '', place = 'visible';
  const flush = () => { add(text, place); text = ''; };
  const read = (node) => {
    if (passages.length >= maxPassages) return;
    if (node.nodeType === 3) {
      if (!node.data.trim()) { text += ' '; return; }
      const parent = node.parentElement;
      const seen = parent && isHidden(parent) ? 'hidden' : 'visible';
      if (seen !== place) { flush(); place = seen; }
      text += node.data;
      return;
    }
    if (node.nodeType === 8) { flush(); place = 'hidden'; text = node.data; flush(); return; }
    if (node.nodeType === 11) { for (const child of node.childNodes) read(child); return; }
    if (node.nodeType !== 1 || SKIP.has(node.tagName)) return;
    readAttributes(node);
    if (node.tagName === 'TEMPLATE') { flush(); place = 'hidden'; text = node.content.textContent; flush(); return; }
    if (node.tagName === 'NOSCRIPT') { flush(); place = 'hidden'; text = node.textContent.replace(/<[^>]*>/g, ' '); flush(); return; }
    if (node.tagName === 'IFRAME' || node.tagName === 'FRAME') {
      let inner = null;
      try { inner = node.contentDocument; } catch { /* a frame of another site */ }
      if (inner?.body) { flush(); read(inner.body); flush(); } else if (node.checkVisibility()) unreadFrames += 1;
      return;
    }
    const block = !INLINE.has(node.tagName);
    if (block) flush();
    else if (node.tagName === 'BR') text += ' ';
    for (const child of (node.shadowRoot ?? node).childNodes) read(child);
    if (block) flush();
  };
  if (document.head) for (const meta of document.head.querySelectorAll('meta[content]')) readAttributes(meta);
  if (document.body) read(document.body);
  flush();

  const CONTROLS = 'a[href],button,input,select,textarea,summary,label,[role=button],[role=link],[role=menuitem],[role=checkbox],[role=switch],[contenteditable],[onclick]';
  const INPUT_BUTTONS = ['submit', 'button', 'reset', 'image'];
  const isButton = (el) => el.tagName === 'BUTTON' || el.tagName === 'SUMMARY' || (el.tagName === 'INPUT' && INPUT_BUTTONS.includes(el.type)) || ['button', 'menuitem'].includes(el.getAttribute('role'));
  // As it is drawn: what stands in a slot is elsewhere in the document.
  const textOf = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || SKIP.has(node.tagName)) return '';
    if (node.tagName === 'IMG') return node.alt;
    const assigned = node.tagName === 'SLOT' ? node.assignedNodes({ flatten: true }) : [];
    return [...(assigned.length ? assigned : (node.shadowRoot ?? node).childNodes)].map(textOf).join(' ');
  };
  const shownOf = (el) => {
    if (el.tagName === 'INPUT' && INPUT_BUTTONS.includes(el.type)) return el.value || el.title || el.alt || el.type;
    if (['INPUT', 'TEXTAREA', 'SELECT'].includes(el.tagName)) return el.placeholder || el.title || el.name;
    return (el.querySelector('slot') ? '' : el.innerText) || textOf(el);
  };
  const nameOf = (el) => {
    const ids = (el.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
    const label = el.getAttribute('aria-label') || ids.map((id) => el.getRootNode().getElementById(id)?.textContent ?? '').join(' ').trim() || el.labels?.[0]?.textContent || '';
    const shown = label && !isButton(el) ? '' : shownOf(el) ?? '';
    const name = flat(flat(label) === flat(shown) ? shown : `${label} ${shown}`);
    // A cross or a picture says nothing; its hint does.
    return (name.length > 2 ? name : flat(`${name} ${el.title ?? ''}`)).slice(0, 200);
  };
  const valueOf = (field) => {
    if (field.type === 'password') return '';
    if (field.type === 'checkbox' || field.type === 'radio') return field.checked ? 'on' : '';
    return String(field.tagName === 'SELECT' ? field.selectedOptions[0]?.textContent ?? '' : field.value ?? '').slice(0, 500);
  };
  const describe = (start) => {
    let el = start?.nodeType === 1 ? start : null;
    for (let box = el; box; box = box.assignedSlot ?? box.parentElement ?? box.getRootNode().host) {
      if (box.matches(CONTROLS)) { el = box; break; }
    }
    if (el?.tagName === 'LABEL' && el.control) el = el.control;
    if (!el) return null;
    const form = el.form ?? el.closest?.('form') ?? null;
    const isSubmit = !!form && ((el.tagName === 'BUTTON' && el.type === 'submit') || (el.tagName === 'INPUT' && ['submit', 'image'].includes(el.type)));
    let facts = null;
    if (form) {
      const fields = [...form.elements].filter((field) => !['hidden', 'submit', 'button', 'image', 'reset'].includes(field.type) && field.tagName !== 'BUTTON' && field.tagName !== 'FIELDSET');
      const action = (isSubmit && el.getAttribute('formaction') ? el.formAction : new URL(form.getAttribute('action') || location.href, location.href).href);
      const buttons = [...form.elements].filter((field) => field.type === 'submit' || field.type === 'image');
      facts = { action, method: form.method, labels: fields.slice(0, 40).map((field) => [nameOf(field), field.autocomplete && field.autocomplete !== 'on' ? field.autocomplete : ''].join(' ').trim()), values: fields.slice(0, 40).map(valueOf), buttons: buttons.slice(0, 8).map(nameOf) };
    }
    const link = el.closest('a[href]');
    return { tag: el.tagName.toLowerCase(), type: el.type ?? '', name: nameOf(el), href: link ? link.href : '', is_submit: isSubmit, is_button: isButton(el), form: facts };
  };
  // Into open shadow roots and frames of the same site, however deep.
  const insideOf = (el) => el?.shadowRoot ?? (el?.tagName === 'IFRAME' ? el.contentDocument : null);
  const deepFocus = () => {
    let el = document.activeElement;
    while (insideOf(el)?.activeElement) el = insideOf(el).activeElement;
    return el?.tagName === 'BODY' ? null : el;
  };
  const at = (x, y) => {
    let el = document.elementFromPoint(x, y);
    for (let root = insideOf(el); root; root = insideOf(el)) {
      if (el.tagName === 'IFRAME') {
        const rect = el.getBoundingClientRect();
        x -= rect.left + el.clientLeft;
        y -= rect.top + el.clientTop;
      }
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === el) break;
      el = inner;
    }
    return el;
  };
  const withAccessKey = (key) => [...document.querySelectorAll('[accesskey]')].find((el) => el.accessKey.toLowerCase() === key);
  const elements = places.map((where) => {
    try {
      if (where === null) return null;
      if (where.access) return describe(withAccessKey(where.access));
      if (where.focus) return describe(deepFocus());
      if (where.x != null) return describe(at(where.x, where.y));
      return describe(__dh.find(where).el);
    } catch { return null; }
  });
  return { url: location.href, title: document.title, passages, elements, unread_frames: unreadFrames };
}
