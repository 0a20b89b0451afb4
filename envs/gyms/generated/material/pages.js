// Fetches pages and hands their screens to whoever draws them. A page that holds no screen (an error, the
// sign-in) is handed on as what its body says.
let show = () => {};
let visits = 0;

export const readScreen = (page) => {
  const data = page.getElementById("screen");
  return data ? JSON.parse(data.textContent) : { document_title: page.title, bare: page.body.innerHTML };
};

const fetchPage = async (url, options, isRemembered) => {
  const visit = ++visits;
  let reply, html;
  try {
    reply = await fetch(url, options);
    html = await reply.text();
  } catch {
    if (visit === visits) location.reload();
    return;
  }
  if (visit !== visits) return;
  if (isRemembered && reply.url !== location.href) history.pushState(null, "", reply.url);
  show(readScreen(new DOMParser().parseFromString(html, "text/html")), visit);
  scrollTo(0, 0);
};

export const openPage = (url) => fetchPage(url, {}, true);
export const sendForm = (action, fields) => fetchPage(action, { method: "POST", body: new URLSearchParams(fields) }, true);
export const sendButton = (button) => sendForm(button.action, button.hidden);

const followLink = (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.origin !== location.origin || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  openPage(link.href);
};

export const startPages = (draw) => {
  show = draw;
  document.addEventListener("click", followLink);
  addEventListener("popstate", () => fetchPage(location.href, {}, false));
};
