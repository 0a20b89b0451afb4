// Runs in the walker's world. capture() tells all that a document holds besides its scripts; put() makes a
// document with the same head and scripts hold it again. Elements are named by their place in the body.
(() => {
  const attributes = (el) => [...el.attributes].map(({ name, value }) => [name, value]);
  const bodyElements = () => [...document.body.querySelectorAll('*')];
  const hasOptions = (el) => el.tagName === 'SELECT';
  const selectedOptions = (el) => [...el.options].map((option) => option.selected);
  const valueOf = (el) => hasOptions(el) ? selectedOptions(el) : [el.value, el.checked ?? null, el.indeterminate ?? null];
  const capture = () => {
    const all = bodyElements(), active = document.activeElement;
    const places = (test) => all.flatMap((el, place) => test(el) ? [place] : []);
    let selection = null;
    try { selection = [active.selectionStart, active.selectionEnd]; } catch { /* this field has none */ }
    return {
      url: location.href,
      loaded: performance.getEntriesByType('navigation')[0]?.name ?? location.href,
      head: document.head.innerHTML.replace(/<title>[^]*?<\/title>/, ''),
      title: document.title,
      html: attributes(document.documentElement),
      body: attributes(document.body),
      content: document.body.innerHTML,
      fields: places((el) => el.matches('input:not([type=file]),textarea,select')).map((place) => [place, valueOf(all[place])]),
      modal: places((el) => el.matches('dialog:modal')),
      scrolled: places((el) => el.scrollTop || el.scrollLeft).map((place) => [place, all[place].scrollLeft, all[place].scrollTop]),
      window: [scrollX, scrollY],
      focus: all.indexOf(active),
      selection: selection?.[0] == null ? null : selection,
      files: document.querySelectorAll('input[type=file]').length,
      frames: document.querySelectorAll('iframe,object,embed,video,audio,canvas').length,
      stored: localStorage.length + sessionStorage.length,
    };
  };
  const copyAttributes = (el, source) => {
    const names = new Set(source.map(([name]) => name));
    for (const [name] of attributes(el)) if (!names.has(name)) el.removeAttribute(name);
    for (const [name, value] of source) if (el.getAttribute(name) !== value) el.setAttribute(name, value);
  };
  const setValue = (el, value) => {
    if (hasOptions(el)) [...el.options].forEach((option, index) => { option.selected = value[index]; });
    else {
      if (el.value !== value[0]) el.value = value[0];
      if (value[1] !== null && el.checked !== value[1]) el.checked = value[1];
      if (value[2] !== null) el.indeterminate = value[2];
    }
  };
  const put = (state) => {
    copyAttributes(document.documentElement, state.html);
    copyAttributes(document.body, state.body);
    document.body.innerHTML = state.content;
    document.title = state.title;
    const all = bodyElements();
    for (const place of state.modal) {
      all[place].removeAttribute('open');
      all[place].showModal();
    }
    for (const [place, value] of state.fields) setValue(all[place], value);
    dispatchEvent(new Event('shown'));
    if (state.focus < 0) document.activeElement?.blur();
    else all[state.focus].focus({ preventScroll: true });
    if (state.selection) try { all[state.focus].setSelectionRange(...state.selection); } catch { /* it has none */ }
    for (const [place, left, top] of state.scrolled) all[place].scrollTo({ left, top, behavior: 'instant' });
    scrollTo({ left: state.window[0], top: state.window[1], behavior: 'instant' });
    return capture();
  };
  const go = (addresses) => {
    history.replaceState(null, '', addresses[0]);
    for (const address of addresses.slice(1)) history.pushState(null, '', address);
  };
  return { capture, put, go };
})()
