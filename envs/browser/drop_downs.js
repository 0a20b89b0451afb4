// Drop-downs of a tab that draws when told to do not open: no frame is drawn while their list is shown, which is in no picture either.
// They have the focus then, and arrows or letters choose.
(() => {
  const TYPED_MS = 1000; // a space that soon after a letter is one of the letters
  let typedAt = -TYPED_MS;
  const isDropDown = (el) => el instanceof HTMLSelectElement && !el.multiple && el.size <= 1;
  const opens = (event) => (event.key === ' ' && event.timeStamp - typedAt >= TYPED_MS)
    || event.key === 'F4' || (event.altKey && ['ArrowDown', 'ArrowUp'].includes(event.key));
  addEventListener('mousedown', (event) => {
    const el = event.composedPath()[0];
    if (!isDropDown(el) || el.disabled) return;
    event.preventDefault();
    el.focus();
  }, true);
  addEventListener('keydown', (event) => {
    if (!isDropDown(event.composedPath()[0])) return;
    if (opens(event)) event.preventDefault();
    else if (event.key.length === 1) typedAt = event.timeStamp;
  }, true);
})();
