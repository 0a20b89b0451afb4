import RFB from "../novnc/core/rfb.js";

const query = location.search;
const status = document.getElementById("status");
const button = document.getElementById("takeover");
const RECONNECT_MS = 1000, POLL_MS = 1000;
let rfb = null;
let state = { control: false, held: false, mine: false, seconds_left: 0 };
let connected = false;
let ended = false;

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  rfb = new RFB(document.getElementById("screen"), `${scheme}://${location.host}/view/ws${query}`);
  rfb.scaleViewport = true;
  rfb.viewOnly = !state.mine;
  rfb.addEventListener("connect", () => { connected = true; show(); });
  rfb.addEventListener("disconnect", () => {
    connected = false;
    show();
    if (!ended) setTimeout(connect, RECONNECT_MS);
  });
}

function show() {
  document.body.classList.toggle("mine", state.mine);
  button.hidden = !state.control;
  button.disabled = !connected || (state.held && !state.mine);
  button.textContent = state.mine ? "Hand back" : "Take over";
  button.hidden ||= ended;
  const left = Math.ceil(state.seconds_left);
  status.textContent = ended ? "This view has ended."
    : !connected ? "Connecting…"
    : state.mine ? `You are in control; the agent waits (${left} s left).`
    : state.held ? "Somebody else has taken over."
    : "Watching.";
  if (rfb) rfb.viewOnly = !state.mine;
}

async function exchangeState(change) {
  const options = change && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(change),
  };
  const reply = await fetch(`control${query}`, options || {});
  if (reply.status === 401) {
    ended = true;
    show();
    return false;
  }
  if (reply.ok) state = await reply.json();
  show();
  return true;
}

button.addEventListener("click", async () => {
  await exchangeState({ held: !state.mine });
  if (state.mine) rfb.focus();
});

async function keepPolling() {
  let isOpen = true;
  try {
    isOpen = await exchangeState();
  } catch {
    connected = false;
    show();
  }
  if (isOpen) setTimeout(keepPolling, POLL_MS);
}

connect();
keepPolling();
