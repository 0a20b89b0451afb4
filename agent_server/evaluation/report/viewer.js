// Steps through recorded trials. All text is set as text: what a page said stays text.
'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const index = JSON.parse(byId('trials').textContent);
  const parts = Object.fromEntries(
    ['list', 'task', 'frame', 'text', 'bar', 'place', 'facts', 'saw', 'search', 'kind'].map((id) => [id, byId('v-' + id)]));
  const SVG = 'http://www.w3.org/2000/svg';
  let listed = index.map((_, n) => n), trial = 0, steps = [], step = 0;

  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  function list() {
    const words = parts.search.value.toLowerCase(), kind = parts.kind.value;
    listed = index.map((_, n) => n).filter((n) => {
      const trialEntry = index[n];
      if (kind === 'solved' ? !trialEntry.success : kind === 'failed' && trialEntry.success) return false;
      return !words || [trialEntry.task, trialEntry.domain, trialEntry.policy, trialEntry.reason, trialEntry.instruction].join(' ').toLowerCase().includes(words);
    });
    parts.list.replaceChildren(...listed.map((n) => {
      const trialEntry = index[n], button = make('button', `${trialEntry.success ? '✓' : '✗'} ${trialEntry.task}`);
      button.append(make('small', `${trialEntry.policy}, trial ${trialEntry.trial + 1}, score ${trialEntry.score ?? 'none'}: ${trialEntry.success ? 'solved' : trialEntry.reason}`));
      button.addEventListener('click', () => open(n));
      button.dataset.n = n;
      return button;
    }));
  }

  function open(n) {
    trial = n;
    const data = byId('t' + n);
    steps = data ? JSON.parse(data.textContent) : [];
    step = 0;
    for (const button of parts.list.children) button.setAttribute('aria-current', String(Number(button.dataset.n) === n));
    parts.bar.max = Math.max(0, steps.length - 1);
    parts.task.textContent = index[n].instruction;
    draw();
  }

  function draw() {
    const entry = steps[step];
    parts.bar.value = step;
    parts.place.textContent = steps.length ? `step ${step + 1} of ${steps.length}` : 'no steps recorded';
    parts.frame.replaceChildren();
    parts.text.replaceChildren();
    parts.facts.textContent = '';
    parts.saw.textContent = entry ? entry.saw : '';
    parts.saw.parentElement.hidden = !entry || !entry.saw;
    if (!entry) return;
    if (entry.picture) picture(entry);
    for (const line of entry.person) parts.text.append(make('pre', line, 'person'));
    parts.text.append(make('pre', entry.wrote));
    parts.text.append(make('p', entry.result, entry.ok ? 'good' : 'bad'));
    parts.facts.textContent = Object.entries(entry.timings).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`).join(' · ');
  }

  function picture(entry) {
    const image = make('img');
    image.alt = 'what the policy saw before this step';
    image.addEventListener('load', () => image.after(overlay(entry.marks, image.naturalWidth, image.naturalHeight)));
    image.src = entry.picture;
    parts.frame.append(image, make('div', entry.action, 'action'));
  }

  // Points are pixels of the picture, or shares of it in 1 or in 1000.
  function overlay(marks, width, height) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const share = {px: [1, 1], norm1: [width, height], norm1000: [width / 1000, height / 1000]};
    const put = (name, attributes) => {
      const element = document.createElementNS(SVG, name);
      const defaults = {fill: 'none', stroke: '#e02020', 'stroke-width': width / 320};
      for (const [key, value] of Object.entries({...defaults, ...attributes})) element.setAttribute(key, value);
      svg.append(element);
    };
    for (const path of marks) {
      const points = path.map(({x, y, space}) => [x * share[space][0], y * share[space][1]]);
      if (points.length > 1) put('polyline', {points: points.map((p) => p.join(',')).join(' ')});
      const [x, y] = points.at(-1);
      put('circle', {cx: x, cy: y, r: width / 64});
      put('circle', {cx: x, cy: y, r: width / 400, fill: '#e02020'});
    }
    return svg;
  }

  const go = (to) => { if (to >= 0 && to < steps.length) { step = to; draw(); } };
  const turn = (step) => {
    const next = listed[listed.indexOf(trial) + step];
    if (next !== undefined) { open(next); parts.list.querySelector('[aria-current=true]').scrollIntoView({block: 'nearest'}); }
  };
  const keys = {ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), ArrowUp: () => turn(-1), ArrowDown: () => turn(1),
    Home: () => go(0), End: () => go(steps.length - 1)};
  document.addEventListener('keydown', (event) => {
    if (event.target.matches('input[type=search],select') || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  byId('v-back').addEventListener('click', keys.ArrowLeft);
  byId('v-on').addEventListener('click', keys.ArrowRight);
  parts.bar.addEventListener('input', () => go(Number(parts.bar.value)));
  for (const name of ['search', 'kind']) parts[name].addEventListener('input', list);
  for (const row of document.querySelectorAll('[data-open]')) {
    row.addEventListener('click', () => { open(Number(row.dataset.open)); byId('viewer').scrollIntoView(); });
  }
  list();
  if (index.length) open(0);
})();
