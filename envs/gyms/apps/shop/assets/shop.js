(() => {
  let buy, stock, soldOut;
  const findParts = () => {
    buy = document.getElementById("buy");
    stock = document.getElementById("stock");
    soldOut = buy ? new Set(JSON.parse(buy.dataset.gone)) : null;
  };
  const getChoice = (name) => {
    const field = buy.elements[name];
    return field ? field.value : "";
  };
  const showStock = () => {
    const color = getChoice("color"), size = getChoice("size");
    const complete = color && (size || buy.dataset.sized === "0");
    stock.textContent = !complete ? "" : soldOut.has(`${color} ${size}`.trim()) ? "Sold out" : "In stock";
  };
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    // The kit's script sends the drop-downs.
    if (form?.hasAttribute("data-auto")) { if (event.target.tagName !== "SELECT") form.requestSubmit(); }
    else if (buy && event.target.form === buy) showStock();
  });
  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) {
      const field = buy.elements.qty;
      field.value = Math.min(9, Math.max(1, (parseInt(field.value, 10) || 1) + Number(step.dataset.step)));
    }
  });
  addEventListener("shown", findParts);
  findParts();
})();
