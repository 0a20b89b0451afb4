// Runs in an isolated world of every document. Never changes the page, but for fields that hold a secret.
// walk() lists what the viewport shows, one line an element, and remembers each ref's element with its
// fingerprint (role, name); locate() finds it again and refuses when it is not the same any more.
globalThis.__dh = (() => {
  const INLINE = new Set(['SPAN', 'B', 'I', 'EM', 'STRONG', 'SMALL', 'CODE', 'U', 'S', 'SUP', 'SUB', 'MARK', 'LABEL', 'FONT', 'ABBR', 'TIME', 'WBR', 'BR', 'BDI', 'CITE', 'Q', 'VAR', 'KBD', 'DATA']);
  const SKIP = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'CANVAS', 'OPTION', 'OBJECT']);
  const IN_SIGHT = { visibilityProperty: true, opacityProperty: true };
  const ROLES = { button: 'button', link: 'link', checkbox: 'check', switch: 'check', radio: 'radio', textbox: 'box', searchbox: 'box', combobox: 'select', tab: 'tab', menuitem: 'menu', option: 'option', heading: 'heading', img: 'img' };
  let refs = new Map(), mutations = 0, mutationsAtMark = -1, onMutation = () => {};
  new MutationObserver(() => { mutations += 1; onMutation(); }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  const cut = (text, limit) => text.length > limit ? text.slice(0, limit - 1).trim() + '…' : text;
  const clean = (text, limit = 100) => {
    const flat = text.replace(/\s+/g, ' ').replace(/(^| )[#=\[|]+/g, '$1').replace(/\(([a-z, ]+)\)$/, '$1').trim();
    return cut(flat, limit);
  };
  // A field that a secret was typed into. It shows the secret's name. An edit that leaves a part of the value
  // empties it: a part looks like no secret, so nobody could take it out of what the agent sees.
  const guards = new WeakMap();
  const squeeze = (text) => text.replace(/[\s\u00a0\u00ad\u200b-\u200d\u2060\ufeff-]+/g, '');
  const textIn = (el) => el.value ?? el.textContent ?? '';
  const activeField = () => {
    let el = document.activeElement;
    while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
    return el;
  };
  const holds = (el, guard) => { const text = squeeze(textIn(el)); return guard.values.every((value) => text.includes(squeeze(value))); };
  const empty = (el) => { if ('value' in el) el.value = ''; else el.textContent = ''; };
  const guard = (values, label) => {
    const el = activeField(), before = el && guards.get(el);
    if (el) guards.set(el, { values: [...(before?.values ?? []), ...values], label, isNew: true, held: true, isWhole: false });
    return {};
  };
  const isAllSelected = (el) => {
    try { if (el.selectionStart != null) return el.selectionStart === 0 && el.selectionEnd === el.value.length; } catch { return false; }
    const chosen = getSelection();
    return el.isContentEditable && !chosen.isCollapsed && String(chosen).trim() === el.innerText.trim();
  };
  addEventListener('beforeinput', (event) => {
    const el = event.composedPath()[0], guard = guards.get(el);
    if (guard) { guard.held = guard.isNew || holds(el, guard); guard.isWhole = textIn(el) !== '' && isAllSelected(el); }
  }, true);
  addEventListener('input', (event) => {
    const el = event.composedPath()[0], guard = guards.get(el);
    if (!guard) return;
    guard.isNew = false;
    if (holds(el, guard)) return;
    guards.delete(el);
    if (guard.held && !guard.isWhole) empty(el);
  }, true);
  // What X pastes by the middle button was selected in any session of this Chromium. Pastes of an agent are typed.
  addEventListener('paste', (event) => { if (event.isTrusted) { event.preventDefault(); event.stopImmediatePropagation(); } }, true);
  addEventListener('dragstart', (event) => { if (guards.has(event.composedPath()[0])) event.preventDefault(); }, true);
  const roleOf = (el) => {
    const explicit = el.getAttribute('role');
    // A field that makes suggestions takes text all the same.
    if (explicit === 'combobox' && el.tagName === 'INPUT' && !el.readOnly) return 'box';
    if (explicit && ROLES[explicit]) return ROLES[explicit];
    switch (el.tagName) {
      case 'A': return el.hasAttribute('href') ? 'link' : null;
      case 'BUTTON': case 'SUMMARY': return 'button';
      case 'SELECT': return 'select';
      case 'TEXTAREA': return 'box';
      case 'INPUT':
        switch (el.type) {
          case 'hidden': return null;
          case 'checkbox': return 'check';
          case 'radio': return 'radio';
          case 'submit': case 'button': case 'reset': case 'image': return 'button';
          default: return 'box';
        }
      case 'H1': case 'H2': case 'H3': case 'H4': case 'H5': case 'H6': return 'heading';
      case 'IMG': return el.alt ? 'img' : null;
      default: return el.isContentEditable && el.hasAttribute('contenteditable') ? 'box' : null;
    }
  };
  const nameOf = (el, role) => {
    const label = el.getAttribute('aria-label');
    if (label) return clean(label);
    const labelIds = el.getAttribute('aria-labelledby');
    if (labelIds) {
      // A drop-down may name itself by its label and what it shows: that is its value.
      const labels = labelIds.split(/\s+/).map((id) => document.getElementById(id)).filter((label) => label && !(label === el && role === 'select'));
      const text = labels.map((label) => label.textContent).join(' ');
      if (text.trim()) return clean(text);
    }
    if (el.labels && el.labels.length) {
      let text = '';
      for (const node of el.labels[0].childNodes) if (!(node.nodeType === 1 && node.contains(el))) text += node.textContent;
      if (text.trim()) return clean(text);
    }
    if (el.tagName === 'IMG') return clean(el.alt);
    if (el.tagName === 'INPUT' && role === 'button') return clean(el.value || el.title || el.type);
    if (role === 'box' || role === 'select') return clean(el.placeholder || el.title || el.name || '');
    return clean(el.textContent || el.title || '');
  };
  const valueOf = (el, role) => {
    if (role === 'select' && el.tagName === 'SELECT') return clean(el.selectedOptions[0]?.textContent ?? '', 60);
    if ((role === 'box' || role === 'select') && guards.has(el) && textIn(el)) return clean(guards.get(el).label, 120);
    if (role === 'select') {
      // Around a field it has what that holds; what it proposes below is no value.
      const field = el.matches('input, textarea') ? el : el.querySelector('input, textarea');
      if (!field && el.querySelector('[role=listbox]')) return '';
      return clean((field ? field.value : el.textContent).replace(/\u200b/g, ''), 60);
    }
    if (role === 'box') return el.type === 'password' ? '•'.repeat(el.value.length) : clean(el.value ?? el.textContent ?? '', 120);
    return '';
  };
  const visibleRect = (el) => {
    const rect = el.getBoundingClientRect();
    if (rect.width < 1 || rect.height < 1) return null;
    if (rect.bottom <= 0 || rect.right <= 0 || rect.top >= innerHeight || rect.left >= innerWidth) return null;
    return rect;
  };
  const centre = (rect) => {
    const left = Math.max(rect.left, 0), right = Math.min(rect.right, innerWidth);
    const top = Math.max(rect.top, 0), bottom = Math.min(rect.bottom, innerHeight);
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  // Where a pointer meets the element: its centre, else a line of its text or a corner that nothing covers;
  // `receiver` takes a press there for it; `coveredBy` is what covers it altogether.
  const exposedPoint = (el, rect) => {
    const middle = centre(rect), hit = hitAt(...middle);
    if (hit && el.contains(hit)) return { at: middle, receiver: el };
    const lines = [...el.getClientRects()];
    const others = lines.length > 1 ? lines.filter((line) => line.width >= 1).map(centre) : [];
    const [x, y] = middle, dx = (rect.right - rect.left) * 0.35, dy = (rect.bottom - rect.top) * 0.35;
    for (const [i, j] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) others.push([x + i * dx, y + j * dy]);
    for (const at of others) {
      const other = hitAt(...at);
      if (other && el.contains(other)) return { at, receiver: el };
    }
    if (!hit || hit.contains(el)) return { at: middle, receiver: hit };
    if (el.labels) for (const label of el.labels) if (label.contains(hit)) return { at: middle, receiver: label };
    return { coveredBy: hit };
  };
  // Whether a box with a scroll bar, or one that cuts off, keeps the point of the element from sight.
  const isClipped = (el, x, y) => {
    for (let box = el.parentElement; box && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflow === 'visible') continue;
      const rect = box.getBoundingClientRect();
      if (x < rect.left || x > rect.right || y < rect.top || y > rect.bottom) return true;
    }
    return false;
  };
  // A box that is there to be pressed while something else is drawn in its place.
  const isDrawnOver = (el) => el.tagName === 'INPUT' && (el.type === 'checkbox' || el.type === 'radio')
    && getComputedStyle(el).pointerEvents !== 'none' && el.checkVisibility({ visibilityProperty: true }) && (el.parentElement ?? el.getRootNode().host).checkVisibility(IN_SIGHT);
  const ownsControl = (label) => label && label.control;

  const walk = (budget, maxOptions, withPoints) => {
    refs = new Map();
    const lines = [], points = {};
    // One for all texts: the browser keeps each range up to date with every later change of the page.
    const range = document.createRange();
    let next = 1, size = 0, truncated = false, text = '', above = scrollY > 4, below = false;
    const push = (line) => {
      if (size + line.length + 1 > budget) { truncated = true; return false; }
      lines.push(line);
      size += line.length + 1;
      return true;
    };
    const flush = () => {
      const flat = clean(text, 200);
      text = '';
      if (flat) push('text ' + flat);
    };
    const visit = (node) => {
      if (truncated) return;
      if (node.nodeType === 3) {
        if (node.data.trim()) {
          range.selectNodeContents(node);
          const rect = range.getBoundingClientRect();
          if (rect.bottom > 0 && rect.top < innerHeight && rect.width > 0) text += ' ' + node.data;
          else if (rect.top >= innerHeight) below = true;
        }
        return;
      }
      if (node.nodeType !== 1 || SKIP.has(node.tagName)) return;
      // A drawing is an ornament unless its parts have roles.
      if (node.tagName === 'svg' && !node.querySelector('[role]')) return;
      const el = node;
      if (!el.checkVisibility(IN_SIGHT) && !(el.tagName === 'LABEL' || isDrawnOver(el) || getComputedStyle(el).display === 'contents')) return;
      const role = roleOf(el);
      if (role) {
        flush();
        const rect = visibleRect(el);
        if (!rect) {
          const box = el.getBoundingClientRect();
          if (box.top >= innerHeight && box.width > 0) below = true;
          return;
        }
        const name = nameOf(el, role);
        if (role === 'heading' || role === 'img') {
          if (name) push(role + ' ' + name);
          if (role === 'heading') for (const child of el.querySelectorAll('a,button,input,select')) visit(child);
          return;
        }
        const { at, coveredBy } = exposedPoint(el, rect);
        if (coveredBy) return;
        let line = name ? role + ' ' + name : role;
        const value = valueOf(el, role);
        if (value) line += ' = ' + value;
        if (el.tagName === 'SELECT' && el.options.length <= maxOptions) line += ' [' + [...el.options].map((o) => clean(o.textContent, 30)).join(' | ') + ']';
        const states = [];
        if (el.disabled || el.getAttribute('aria-disabled') === 'true') states.push('disabled');
        if (el.checked === true || el.getAttribute('aria-checked') === 'true') states.push('checked');
        if (el.getAttribute('aria-expanded') === 'true') states.push('open');
        if (el.getAttribute('aria-selected') === 'true') states.push('selected');
        if (el.readOnly) states.push('readonly');
        if (states.length) line += ' (' + states.join(', ') + ')';
        if (push(line + ' #' + next)) {
          refs.set(next, { el: new WeakRef(el), role, name });
          points[next] = at.map(Math.floor);
          next += 1;
        }
        return;
      }
      if (el.tagName === 'LABEL' && ownsControl(el)) {
        for (const child of el.children) visit(child);
        return;
      }
      const block = !INLINE.has(el.tagName);
      if (block) flush();
      const root = el.shadowRoot ?? el;
      for (let child = root.firstChild; child; child = child.nextSibling) visit(child);
      if (block) flush();
    };
    if (document.body) visit(document.body);
    flush();
    const scroll = [above ? 'more above' : '', below || truncated ? 'more below' : ''].filter(Boolean).join(', ');
    return { text: lines.join('\n'), truncated, scroll, url: location.href, title: document.title, ...(withPoints && { points }) };
  };

  // What outlives the words and the place of an element; addresses without their origin.
  const traitsOf = (el) => {
    // A form's own properties may be hidden by its fields' names.
    const attribute = (node, name, limit) => (node ? Element.prototype.getAttribute.call(node, name) ?? '' : '').slice(0, limit);
    const form = el.form ?? el.closest('form'), role = roleOf(el) ?? '';
    return {
      role, label: role ? nameOf(el, role).slice(0, 200) : '', tag: el.tagName.toLowerCase().slice(0, 40), id: attribute(el, 'id', 200),
      name: attribute(el, 'name', 200), type: attribute(el, 'type', 40), value: el.tagName === 'BUTTON' ? attribute(el, 'value', 200) : '', test_id: attribute(el, 'data-testid', 200) || attribute(el, 'data-test', 200),
      href: attribute(el, 'href', 500), form: attribute(form, 'action', 500), method: form ? attribute(form, 'method', 10).toLowerCase() || 'get' : '',
    };
  };
  const controlOf = (el) => {
    for (let part = el; part && part !== document.body; part = part.parentElement) if (roleOf(part)) return part;
    return el;
  };
  // Of what a pointer meets there, or of the control that it is a part of.
  const traitsAt = (x, y) => {
    const el = controlOf(hitAt(x, y));
    return el ? traitsOf(el) : null;
  };
  // What the next press is meant for. A page may move things when the pointer comes, and the press strikes something
  // else. That is told at once and not with the next tree: what was struck may lead to another document.
  let aim = null;
  const wordsFor = (el) => cut(`${roleOf(el) ?? el.tagName.toLowerCase()} ${roleOf(el) ? nameOf(el, roleOf(el)) : clean(el.textContent, 60)}`, 120);
  const setAim = (el, receiver, [x, y]) => { aim = receiver && { receiver: new WeakRef(receiver), words: wordsFor(controlOf(el)), x, y }; };
  addEventListener('pointerdown', (event) => {
    const meant = aim, path = event.composedPath();
    if (!event.isTrusted || !meant) return;
    aim = null;
    if (Math.hypot(event.clientX - meant.x, event.clientY - meant.y) > 1.5 || path.includes(meant.receiver.deref())) return;
    // Frameworks draw a part of the page anew when the pointer comes: the same control is another element then.
    const struck = wordsFor(controlOf(path[0].nodeType === 1 ? path[0] : document.documentElement));
    if (struck !== meant.words) console.debug('__dhMissed', struck);
  }, true);

  const error = (kind, message) => ({ error: kind, message });
  const byRef = (ref) => {
    const entry = refs.get(ref);
    if (!entry) return error('unknown_ref', `there is no #${ref} in the last tree`);
    const el = entry.el.deref();
    if (!el || !el.isConnected) return error('stale_ref', `#${ref} (${entry.role} ${entry.name}) is gone`);
    const role = roleOf(el), name = role ? nameOf(el, role) : '';
    if (role !== entry.role || name !== entry.name) return error('stale_ref', `#${ref} was ${entry.role} ${entry.name} and is now ${role ?? 'nothing'} ${name}`);
    return { el };
  };
  const bySelector = (selector) => {
    let matches;
    try { matches = document.querySelectorAll(selector); } catch { return error('bad_value', `not a CSS selector: ${selector}`); }
    if (matches.length !== 1) return error('not_found', `selector ${selector} matches ${matches.length} elements, it must match one`);
    return { el: matches[0] };
  };
  const find = (target) => target.ref != null ? byRef(target.ref) : bySelector(target.selector);
  const locate = (target, willPress) => {
    const lookup = find(target);
    if (lookup.error) return lookup;
    const el = lookup.el;
    let rect = visibleRect(el);
    if (!rect || isClipped(el, ...centre(rect))) {
      el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      rect = visibleRect(el);
      if (!rect) return error('not_interactable', 'the element is not visible');
    }
    if (el.disabled) return error('not_interactable', 'the element is disabled');
    const { at, coveredBy, receiver } = exposedPoint(el, rect);
    if (coveredBy) return error('not_interactable', `the element is covered by ${coveredBy.tagName.toLowerCase()} ${clean(coveredBy.textContent, 40)}`);
    const [x, y] = at;
    if (willPress) setAim(el, receiver, at);
    return { x, y, checked: el.checked === true, role: roleOf(el), tag: el.tagName, type: el.type ?? '', traits: traitsOf(el) };
  };
  const focus = (target, clear) => {
    const lookup = find(target);
    if (lookup.error) return lookup;
    const el = lookup.el;
    if (roleOf(el) !== 'box') return error('not_interactable', 'the element takes no text');
    if (el.disabled || el.readOnly) return error('not_interactable', 'the field is read-only');
    el.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    el.focus();
    if (clear && guards.has(el)) { guards.delete(el); empty(el); }
    if (el.select && clear) el.select();
    else if (el.isContentEditable) {
      const range = document.createRange();
      range.selectNodeContents(el);
      if (!clear) range.collapse(false);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    } else if (el.setSelectionRange && !clear) {
      try { el.setSelectionRange(el.value.length, el.value.length); } catch { /* number and date inputs have no selection */ }
    }
    const [x, y] = centre(el.getBoundingClientRect());
    return { characters: (el.value ?? el.textContent ?? '').length, type: el.type ?? '', x, y, traits: traitsOf(el) };
  };
  const fireChange = (el) => {
    el.dispatchEvent(new Event('input', { bubbles: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const choose = (target, label) => {
    const lookup = find(target);
    if (lookup.error) return lookup;
    const el = lookup.el;
    if (el.tagName !== 'SELECT') return error('bad_value', 'the element has no options');
    if (el.disabled) return error('not_interactable', 'the element is disabled');
    const lowerLabel = label.trim().toLowerCase(), options = [...el.options];
    const option = options.find((o) => clean(o.textContent, 60) === label.trim()) ?? options.find((o) => clean(o.textContent, 60).toLowerCase() === lowerLabel || o.value === label);
    if (!option || option.disabled) return error('bad_value', `no option ${label}; there are: ${cut(options.map((o) => clean(o.textContent, 30)).join(', '), 160)}`);
    el.focus();
    if (!option.selected) { option.selected = true; fireChange(el); }
    return {};
  };
  const assign = (target, value) => {
    const lookup = find(target);
    if (lookup.error) return lookup;
    lookup.el.value = value;
    fireChange(lookup.el);
    return lookup.el.value === value ? {} : error('bad_value', `the field does not take ${value}`);
  };
  const canScroll = (el, dx, dy) => {
    const style = getComputedStyle(el), root = el === document.scrollingElement;
    const hasRoom = (overflow, offset, size, shown, distance) => distance && (root || /auto|scroll|overlay/.test(overflow)) && (distance > 0 ? offset + shown < size - 1 : offset > 0);
    return hasRoom(style.overflowY, el.scrollTop, el.scrollHeight, el.clientHeight, dy)
      || hasRoom(style.overflowX, el.scrollLeft, el.scrollWidth, el.clientWidth, dx);
  };
  // Scrolls what lies under the point or the element, else what lies in the middle of the viewport.
  const scroll = (target, dx, dy, unit) => {
    let el = null;
    if (target && target.x != null) el = document.elementFromPoint(target.x, target.y);
    else if (target) {
      const lookup = find(target);
      if (lookup.error) return lookup;
      el = lookup.el;
    } else el = canScroll(document.scrollingElement, dx, dy) ? null : document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    while (el && !canScroll(el, dx, dy)) el = el.parentElement;
    el ??= document.scrollingElement;
    const [unitX, unitY] = unit === 'page' ? [innerWidth * 0.8, innerHeight * 0.8] : unit === 'notch' ? [100, 100] : [1, 1];
    el.scrollBy({ left: dx * unitX, top: dy * unitY, behavior: 'instant' });
    return {};
  };
  const blur = () => { document.activeElement?.blur(); return {}; };
  const shower = (texts) => (value) => {
    const lower = value.toLowerCase(), flat = lower.replace(/\s+/g, ' '), dense = squeeze(lower);
    return texts.some((text) => lower.includes(text) || flat.includes(text) || (text.length >= 6 && dense.includes(squeeze(text))));
  };
  // What is selected. Of a text that shows one of `texts` it is nothing but the whole: a part of it looks like no
  // secret.
  const selection = (texts = []) => {
    const shows = shower(texts), el = activeField();
    if (el && el.selectionStart != null) {
      const part = el.type === 'password' ? '' : el.value.slice(el.selectionStart, el.selectionEnd);
      return (guards.has(el) || shows(el.value)) && part !== el.value ? '' : part;
    }
    const chosen = getSelection(), part = String(chosen);
    if (!texts.length || !chosen.rangeCount) return part;
    let around = chosen.getRangeAt(0).commonAncestorContainer;
    while (around.parentElement && around !== document.body && (around.nodeType !== 1 || INLINE.has(around.tagName))) around = around.parentElement;
    return shows(around.textContent) && squeeze(part) !== squeeze(around.textContent) ? '' : part;
  };
  const tick = () => scheduler.postTask(() => {});
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const nextMutation = (limitMs) => new Promise((resolve) => { onMutation = resolve; setTimeout(resolve, limitMs); });
  // Quiet: two turns of the event loop without a mutation. When an answer came from the network since
  // mark(), the script that waited for it gets a few milliseconds to change the page.
  const settle = async (limitMs, answered) => {
    const until = performance.now() + limitMs;
    await tick();
    if (answered && mutations === mutationsAtMark) await nextMutation(8);
    let seen = mutations;
    await tick();
    while (mutations !== seen && performance.now() < until) {
      seen = mutations;
      await pause(4);
    }
  };
  const idle = (limitMs) => new Promise((resolve) => requestIdleCallback(resolve, { timeout: limitMs }));
  const isMoving = () => document.getAnimations().some((motion) => motion.playState === 'running' && Number.isFinite(motion.effect?.getComputedTiming().endTime));
  // Calm: an idle moment, no mutation for `calmMs` after it, and nothing slides that will stop by itself. For pages
  // whose scripts put work off, to a timer or to when the browser has nothing to do.
  const calmDown = async (calmMs, limitMs) => {
    const until = performance.now() + limitMs;
    for (let seen = -1; (mutations !== seen || isMoving()) && performance.now() < until;) {
      seen = mutations;
      await idle(calmMs);
      await nextMutation(calmMs);
    }
  };
  const mark = () => { mutationsAtMark = mutations; };
  const whenLoaded = (limitMs) => document.readyState === 'complete' ? null : new Promise((resolve) => {
    addEventListener('load', resolve, { once: true });
    setTimeout(resolve, limitMs);
  });
  const settleAndWalk = async (budget, maxOptions, loadMs, quietMs, answered, withPoints, calmMs, calmLimitMs) => {
    const loading = whenLoaded(loadMs);
    if (loading) await loading;
    await settle(quietMs, answered);
    if (calmMs) await calmDown(calmMs, calmLimitMs);
    aim = null;
    return walk(budget, maxOptions, withPoints);
  };
  const text = () => document.body ? document.body.innerText : '';
  // Where text would go that is typed now: into a field of this document, or elsewhere.
  const typingPlace = () => {
    const el = activeField();
    const isField = !!el && (el.isContentEditable || el.tagName === 'TEXTAREA' || el.tagName === 'INPUT');
    return { origin: location.origin, isField };
  };
  // Boxes of all that shows one of these texts (in small letters): fields, attributes, text, and frames
  // of other sites, which cannot be looked into. Of text split over elements, the one that holds it all.
  const boxesShowing = (texts) => {
    const boxes = [];
    const shows = shower(texts);
    const add = (rect, dx, dy) => { if (rect.width && rect.height) boxes.push([rect.left + dx, rect.top + dy, rect.right + dx, rect.bottom + dy]); };
    const look = (root, dx, dy) => {
      for (const el of root.querySelectorAll('*')) {
        const shown = (guards.has(el) && textIn(el)) || [...el.attributes].some((attribute) => shows(attribute.value)) || (typeof el.value === 'string' && shows(el.value));
        if (shown) add(el.getBoundingClientRect(), dx, dy);
        else if (!SKIP.has(el.tagName) && shows(el.textContent) && ![...el.children].some((child) => shows(child.textContent))) add(el.getBoundingClientRect(), dx, dy);
        if (el.shadowRoot) look(el.shadowRoot, dx, dy);
        if (['IFRAME', 'FRAME', 'OBJECT', 'EMBED'].includes(el.tagName)) {
          const rect = el.getBoundingClientRect();
          if (el.contentDocument) look(el.contentDocument, dx + rect.left + el.clientLeft, dy + rect.top + el.clientTop);
          else add(rect, dx, dy);
        }
      }
    };
    look(document, 0, 0);
    return boxes;
  };
  return { mark, find, locate, traitsAt, focus, choose, assign, scroll, blur, selection, whenLoaded, settleAndWalk, text, typingPlace, guard, boxesShowing };
})();
