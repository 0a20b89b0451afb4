// Runs in every MiniWoB++ page, right behind its core.js, before anything else of the page.
// Guarantees: an episode depends on its seed and the actions alone. The page's clock stands still but for
// elapse(), so timers, animations and dates are the same in every run; an episode that ended stays ended,
// shows nothing of its reward, and begins again only by begin().
globalThis.deskhand = (() => {
  const STEP_MS = 500, EPOCH_MS = Date.UTC(2020, 0, 1, 12), FRAME_MS = 16, MOST_CALLS = 3000, NEVER_MS = 1e9;

  // The page's clock.
  const RealDate = Date;
  let now = 0, count = 0, timers = new Map(), episode = null;
  const schedule = (call, ms, every, values) => {
    count += 1;
    timers.set(count, { call, due: now + ms, every, values });
    return count;
  };
  const delay = (ms) => Math.max(0, Number(ms) || 0);
  const cancel = (id) => { timers.delete(id); };
  window.setTimeout = (call, ms, ...values) => schedule(call, delay(ms), null, values);
  window.setInterval = (call, ms, ...values) => schedule(call, Math.max(4, delay(ms)), Math.max(4, delay(ms)), values);
  window.clearTimeout = window.clearInterval = window.cancelAnimationFrame = cancel;
  window.requestAnimationFrame = (call) => schedule(() => call(now), FRAME_MS, null, []);
  window.Date = class Date extends RealDate {
    constructor(...values) { if (values.length) super(...values); else super(EPOCH_MS + now); }
    static now() { return EPOCH_MS + now; }
  };
  performance.now = () => now;
  const elapse = (ms) => {
    const until = now + (ms ?? STEP_MS);
    for (let calls = 0; calls < MOST_CALLS; calls += 1) {
      let next = null;
      for (const [id, timer] of timers) if (timer.due <= until && (!next || timer.due < next[1].due)) next = [id, timer];
      if (!next) break;
      const [id, timer] = next;
      now = Math.max(now, timer.due);
      if (timer.every === null) timers.delete(id);
      else timer.due = now + timer.every;
      try {
        if (typeof timer.call === 'function') timer.call.apply(window, timer.values);
        else (0, eval)(String(timer.call));
      } catch (error) { reportError(error); }
    }
    now = until;
    if (episode && !episode.done) nameControls();
  };

  // What belongs to the training rig and not to the task is not shown; nothing moves by itself.
  const style = document.createElement('style');
  style.textContent = `
    * { transition: none !important; animation: none !important; }
    #reward-display, #click-canvas, div.ui-helper-hidden-accessible { display: none !important; }
    #over { display: none; color: white; }
    html.over body > * { display: none !important; }
    html.over body > #over { display: block !important; }`;
  document.head.append(style);

  // Accessible roles and names. These pages draw controls with bare <span>s and icons, so what a person
  // sees to be a control is told here in ARIA: by the page's own pointer cursor, else by this list. It names
  // what is drawn, the same for right and wrong choices.
  const fillColor = (el) => getComputedStyle(el).backgroundColor && el.style.backgroundColor;
  const markActive = (el) => el.setAttribute('aria-checked', el.classList.contains('active'));
  const shapeNames = { rect: 'rectangle', polygon: 'triangle' };
  const describeShape = (el) => {
    const size = parseFloat(el.getAttribute('font-size') ?? el.getBBox().width);
    const kind = el.tagName === 'text' ? el.textContent : shapeNames[el.tagName] ?? el.tagName;
    return `${size > 10 ? 'large' : 'small'} ${el.getAttribute('fill')} ${kind}`;
  };
  const describePoint = (el) => `point (${(el.getAttribute('cx') - 75) / 30}, ${(75 - el.getAttribute('cy')) / 30})`;
  const posts = /social-media-(all|some)/.test(location.pathname);
  const CONTROLS = [
    ['#tree span.folder', 'button'], ['#tree span.file', 'link'],
    ['#query .ui-icon', 'heading', (el) => `${el.className.replace('ui-icon ui-icon-', '')} icon`],
    ['.widget textarea', null, 'text area'],
    ['.alink, .email-thread .email-left, #contact a', 'link'],
    ['.email-reply, .email-forward, .final, .ui-datepicker-prev, .ui-datepicker-next', 'button'],
    ['.trash', 'button', 'Trash'], ['.star', 'button', 'Star'],
    ['#open-search', 'button', 'Search'],
    ['#search-cancel, #close-email, #close-reply, #close-forward', 'button', 'Back'],
    ['#send-reply, #send-forward', 'button', 'Send'],
    ['.forward-sender', null, 'To'], ['#reply-text, #forward-text', null, 'Message'],
    ['.controls .reply', posts ? 'switch' : 'button', 'Reply', posts && markActive],
    ['.controls .retweet', posts ? 'switch' : 'button', 'Retweet', posts && markActive],
    ['.controls .like', posts ? 'switch' : 'button', 'Like', posts && markActive],
    ['.controls span.share', 'switch', 'Share', markActive],
    ['.controls .more', 'button', 'More'], ['.controls li', 'menuitem'],
    ['.food-order .remove', 'button', 'Remove one'], ['.food-order .add', 'button', 'Add one'],
    ['.ui-slider-handle', 'button', 'Slider handle'],
    ['.ui-spinner-up', null, 'Up'], ['.ui-spinner-down', null, 'Down'],
    ['.ui-autocomplete .ui-menu-item, .selectric-items li', 'option'],
    ['.selectric', 'button'],
    ['.ttt-row span', 'button', (el) => ({ 'mark-x': 'X', 'mark-o': 'O' })[el.className] ?? 'empty'],
    ['#query-color', 'heading', (el) => `${fillColor(el)} color`],
    ['#area .color', 'button', (el) => `${fillColor(el)} box`],
    ['#area span[data-color]', 'checkbox', (el) => `${fillColor(el)} shade`, (el) => setAttribute(el, 'aria-checked', String(el.className === 'selected'))],
    ['#area_svg > *', /click-shape/.test(location.pathname) ? 'button' : 'img', describeShape],
    ['#area svg .plot-point', 'button', describePoint],
    ['#divWheel [id*="title"]', 'button', (el) => el.textContent],
    ['.card', 'button', (el) => el.classList.contains('hidden') ? 'hidden card' : `card ${el.textContent.trim()}`],
    ['.ql-bold', null, 'Bold'], ['.ql-italic', null, 'Italic'], ['.ql-underline', null, 'Underline'],
    ['.ql-color .ql-picker-label', 'button', 'Color'],
    ['.ql-picker-item', 'option', (el) => el.dataset.value ?? 'black'],
  ];
  const OWN = 'a[href],button,input,select,textarea,[role],[contenteditable]';
  const setAttribute = (el, key, value) => { if (el.getAttribute(key) !== value) el.setAttribute(key, value); };
  let hasChanged = true;
  const changes = new MutationObserver(() => { hasChanged = true; });
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const nameControls = () => {
    if (!changes.takeRecords().length && !hasChanged) return;
    for (const [selector, role, label, state] of CONTROLS) {
      for (const el of document.querySelectorAll(selector)) {
        if (role) setAttribute(el, 'role', role);
        if (label) setAttribute(el, 'aria-label', typeof label === 'string' ? label : label(el));
        if (state) state(el);
      }
    }
    for (const el of document.querySelectorAll('#area span, #area div, #area li, #area td, #area a, #area p, .ui-widget a')) {
      if (getComputedStyle(el).cursor !== 'pointer' || el.matches(OWN) || el.closest('label')) continue;
      if (el.parentElement.closest(OWN) || el.querySelector(OWN)) continue;
      if (getComputedStyle(el.parentElement).cursor !== 'pointer') el.setAttribute('role', 'button');
    }
    changes.takeRecords();  // names are no news
    hasChanged = false;
  };

  // Episodes.
  const showOver = () => {
    if (!document.getElementById('over')) {
      const note = document.createElement('div');
      note.id = 'over';
      note.textContent = 'Finished.';
      document.body.append(note);
    }
    document.documentElement.classList.toggle('over', episode.done);
  };
  core.startEpisode = () => {};
  core.startEpisodeReal = () => {};
  core.canvasDrawClick = () => {};
  core.endEpisode = (reward, _proportional, reason) => {
    if (!episode || episode.done) return;
    episode.done = true;
    episode.raw = Number(reward);
    episode.reason = reason == null ? null : String(reason);
    WOB_RAW_REWARD_GLOBAL = WOB_REWARD_GLOBAL = episode.raw;
    WOB_REWARD_REASON = reason;
    WOB_DONE_GLOBAL = true;
    WOB_EPISODE_ID += 1;
    core.EP_TIMER = null;
    showOver();
  };
  let isFresh = true, lastTimerOfLoad = 0;
  // Pictures that a page shows on hovering only: without them an element would shrink to nothing under the
  // pointer until they came.
  const pictures = [];
  const fetchPictures = () => {
    for (const sheet of document.styleSheets) {
      if (sheet.href) continue;
      for (const [, address] of [...sheet.cssRules].map((rule) => rule.cssText).join().matchAll(/url\("?([^")]+)"?\)/g)) {
        const picture = new Image();
        picture.src = address;
        pictures.push(picture.decode().catch(() => {}));
      }
    }
    return Promise.all(pictures);
  };
  const begin = async (path, seed, mode, once) => {
    if (location.pathname !== path || typeof genProblem !== 'function' || (once && !isFresh)) return false;
    if (isFresh) {
      await fetchPictures();
      elapse();
    }
    else for (const id of timers.keys()) if (id > lastTimerOfLoad) timers.delete(id);
    if (isFresh) lastTimerOfLoad = count;
    isFresh = false;
    now = 0;
    episode = { path, seed, done: false, raw: 0, reason: null };
    showOver();
    if (location.hash) history.replaceState(null, '', location.pathname);
    document.activeElement?.blur();
    core.setDataMode(mode);
    core.EPISODE_MAX_TIME = NEVER_MS;
    core.ept0 = Date.now();
    core.EP_TIMER = 0;
    Math.seedrandom(seed);  // a number: as text, "2" and "22" would be the same key
    core.resetRefCode();
    genProblem();
    WOB_DONE_GLOBAL = false;
    WOB_RAW_REWARD_GLOBAL = WOB_REWARD_GLOBAL = 0;
    WOB_REWARD_REASON = null;
    core.clearUserSelection();
    document.body.scrollTop = document.documentElement.scrollTop = 0;
    elapse();
    return true;
  };
  const report = () => episode && { ...episode, utterance: core.getUtterance() };
  return { begin, elapse, report };
})();
