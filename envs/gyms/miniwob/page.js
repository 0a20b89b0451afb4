// Runs in every MiniWoB++ page, right behind its core.js, before anything else of the page.
// Guarantees: an episode depends on its seed and the actions alone. The page's clock stands still but for
// elapse(), so timers, animations and dates are the same in every run; an episode that ended stays ended,
// shows nothing of its reward, and begins again only by begin().
globalThis.deskhand = (() => {
  const STEP_MS = 500, EPOCH_MS = Date.UTC(2020, 0, 1, 12), FRAME_MS = 16, MOST_CALLS = 3000, NEVER_MS = 1e9;

  // The page's clock.
  const RealDate = Date;
  let now = 0, count = 0, timers = new Map();
  const later = (call, ms, every, values) => {
    count += 1;
    timers.set(count, { call, due: now + ms, every, values });
    return count;
  };
  const delay = (ms) => Math.max(0, Number(ms) || 0);
  const cancel = (id) => { timers.delete(id); };
  window.setTimeout = (call, ms, ...values) => later(call, delay(ms), null, values);
  window.setInterval = (call, ms, ...values) => later(call, Math.max(4, delay(ms)), Math.max(4, delay(ms)), values);
  window.clearTimeout = window.clearInterval = window.cancelAnimationFrame = cancel;
  window.requestAnimationFrame = (call) => later(() => call(now), FRAME_MS, null, []);
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
  };

  // What belongs to the training rig and not to the task is not shown; nothing moves by itself.
  const style = document.createElement('style');
  style.textContent = `
    #reward-display, #click-canvas { display: none !important; }
    *, *::before, *::after { transition: none !important; animation: none !important; }
    html.over body > * { display: none !important; }
    html.over body::before { content: 'Finished.'; color: white; }`;
  document.head.append(style);

  // Episodes.
  let episode = null;
  const over = () => document.documentElement.classList.toggle('over', episode !== null && episode.done);
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
    over();
  };
  let first = true, loaded = 0;
  const begin = (path, seed, mode) => {
    if (location.pathname !== path || typeof genProblem !== 'function') return false;
    if (first) elapse();
    else for (const id of timers.keys()) if (id > loaded) timers.delete(id);
    if (first) loaded = count;
    first = false;
    now = 0;
    episode = { path, seed, done: false, raw: 0, reason: null };
    over();
    if (location.hash) history.replaceState(null, '', location.pathname);
    document.activeElement?.blur();
    core.setDataMode(mode);
    core.EPISODE_MAX_TIME = NEVER_MS;
    core.ept0 = Date.now();
    core.EP_TIMER = 0;
    Math.seedrandom(seed);
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
