// Drop-downs of a tab that draws when told to do not open: no frame is drawn while their list is shown, which is in no picture either.
// They have the focus then, and arrows or letters choose.
(() => {
  const isDropDown = (el) => el instanceof HTMLSelectElement && !el.multiple && el.size <= 1;
  addEventListener('mousedown', (event) => {
    const el = event.composedPath()[0];
    if (!isDropDown(el) || el.disabled) return;
    event.preventDefault();
    el.focus();
  }, true);
  const opensIt = (event) => event.key === ' ' || event.key === 'F4' || (event.altKey && ['ArrowDown', 'ArrowUp'].includes(event.key));
  addEventListener('keydown', (event) => { if (isDropDown(event.composedPath()[0]) && opensIt(event)) event.preventDefault(); }, true);
})();
