(() => {
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    // The kit's script sends the drop-downs.
    if (form?.hasAttribute("data-auto")) { if (event.target.tagName !== "SELECT") form.requestSubmit(); }
    // What was said of one variant is not said of another.
    else if (form?.id === "buy") document.getElementById("stock").textContent = "";
  });
  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) {
      const field = step.form.elements.qty;
      field.value = Math.min(9, Math.max(1, (parseInt(field.value, 10) || 1) + Number(step.dataset.step)));
    }
  });
})();
