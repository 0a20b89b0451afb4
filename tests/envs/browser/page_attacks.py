"""What a hostile page does to reach a server that is not its own, as JavaScript.

`at` is a URL of that server, `port` its port, `own` the origin of the page. Each body runs in an
async function of the page; what it returns or throws does not matter, only who hears of it.
"""

from __future__ import annotations

_ELEMENT = """
const add = (name, attributes, inner) => new Promise((done) => {
  const element = Object.assign(document.createElement(name), inner || {});
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.onload = element.onerror = done;
  document.body.append(element);
  setTimeout(done, 1500);
});
const send = (method, target) => {
  const form = document.createElement('form');
  Object.assign(form, {method, action: at, target});
  form.innerHTML = '<input name=mode value=abort>';
  document.body.append(form);
  form.submit();
};
const rtc = (urls) => new Promise((done) => {
  const server = {urls, username: 'a', credential: 'b'};
  const connection = new RTCPeerConnection({iceServers: [server]});
  connection.createDataChannel('x');
  connection.onicegatheringstatechange = () =>
    connection.iceGatheringState === 'complete' && done();
  connection.createOffer().then((offer) => connection.setLocalDescription(offer));
  setTimeout(done, 2000);
});
const post = (url) => fetch(url, {method: 'POST', mode: 'no-cors', body: '{}'});
"""

ATTACKS = {
    "form post": "send('POST', '_self')",
    "form post in a frame": "await add('iframe', {name: 'f'}); send('POST', 'f')",
    "form post in a new tab": "send('POST', '_blank')",
    "form get": "send('GET', '_self')",
    "fetch": "await fetch(at)",
    "fetch without cors": "await post(at)",
    "fetch that outlives the page": "post(at, {keepalive: true}); location = '/plain'",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('PUT', at); x.send('{}')",
    "image": "await add('img', {src: at})",
    "image set": "await add('img', {srcset: at + ' 1x'})",
    "script": "await add('script', {src: at})",
    "module": "await import(at)",
    "style sheet": "await add('link', {rel: 'stylesheet', href: at})",
    "style import": "await add('style', {}, {textContent: `@import '${at}';`})",
    "background": "document.body.style.background = `url(${at})`",
    "font": """const face = new FontFace('f', `url(${at})`); await face.load()""",
    "frame": "await add('iframe', {src: at})",
    "object": "await add('object', {data: at})",
    "embed": "await add('embed', {src: at})",
    "video": "await add('video', {src: at, preload: 'auto'})",
    "video poster": "await add('video', {poster: at})",
    "audio": "await add('audio', {src: at, preload: 'auto'})",
    "picture in SVG": """document.body.insertAdjacentHTML('beforeend',
        `<svg width=9 height=9><image href="${at}" width=9 height=9 /></svg>`)""",
    "websocket": "new WebSocket(at.replace('http', 'ws'))",
    "event source": "new EventSource(at)",
    "beacon": "navigator.sendBeacon(at, 'x')",
    "ping": """const a = Object.assign(document.createElement('a'), {href: '#x', ping: at});
        document.body.append(a); a.click()""",
    "prefetch": "await add('link', {rel: 'prefetch', href: at})",
    "preload": "await add('link', {rel: 'preload', as: 'image', href: at})",
    "module preload": "await add('link', {rel: 'modulepreload', href: at})",
    "speculation rules": """await add('script', {type: 'speculationrules'}, {textContent:
        JSON.stringify({prefetch: [{urls: [at], eagerness: 'immediate'}]})})""",
    "icon of a style": "document.body.style.cursor = `url(${at}), auto`; document.body.focus()",
    "list picture": """document.body.insertAdjacentHTML('beforeend',
        `<ul style="list-style-image: url(${at})"><li>x</ul>`)""",
    "worker": """const w = new Worker(URL.createObjectURL(new Blob(
        [`fetch('${at}', {mode: 'no-cors'})`])))""",
    "worker import": "new Worker(URL.createObjectURL(new Blob([`importScripts('${at}')`])))",
    "service worker": """await navigator.serviceWorker.register('/worker.js?at=' + at);
        await navigator.serviceWorker.ready""",
    "window": "open(at)",
    "navigation": "location = at",
    "refresh": """document.head.insertAdjacentHTML('beforeend',
        `<meta http-equiv=refresh content="0;url=${at}">`)""",
    "redirect": "location = '/redirect?to=' + at",
    "redirect of a fetch": "await fetch('/redirect?to=' + at, {mode: 'no-cors'})",
    "redirect of a picture": "await add('img', {src: '/redirect?to=' + at})",
    "redirect of a form": """at = own + '/redirect?to=' + at; send('POST', '_self')""",
    "WebRTC STUN": "await rtc(`stun:127.0.0.1:${port}`)",
    "WebRTC TURN over TCP": "await rtc(`turn:127.0.0.1:${port}?transport=tcp`)",
    "localhost": "await post(`http://localhost:${port}/pause`)",
    "name below localhost": "await post(`http://a.localhost:${port}/pause`)",
    "IPv6": "await post(`http://[::1]:${port}/pause`)",
    "IPv4 in IPv6": "await post(`http://[::ffff:127.0.0.1]:${port}/pause`)",
    "short address": "await post(`http://127.1:${port}/pause`)",
    "decimal address": "await post(`http://2130706433:${port}/pause`)",
    "hexadecimal address": "await post(`http://0x7f.0.0.1:${port}/pause`)",
    "any address": "await post(`http://0.0.0.0:${port}/pause`)",
    "https": "await post(`https://127.0.0.1:${port}/pause`)",
}  # fmt: skip


def script(attack: str, port: int) -> str:
    """An expression that carries out the attack on a port of 127.0.0.1."""
    return (
        f"(async () => {{ const port = {port}, own = location.origin;"
        f" let at = `http://127.0.0.1:${{port}}/pause?mode=abort`;\n{_ELEMENT}\n"
        f"try {{ {ATTACKS[attack]} }} catch (error) {{ return String(error); }} }})()"
    )
