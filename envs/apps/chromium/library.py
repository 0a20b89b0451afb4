"""Tools for what Chromium remembers: bookmarks, history, downloads, cookies, extensions.

Guarantees: each works through Chromium's own pages while it runs, so that its windows show the
same; what is removed is named in the answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envs.apps.chromium.connection import ProtocolError, address, chromium
from envs.apps.chromium.tabs import front, open_page
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


BOOKMARKS, HISTORY = "chrome://bookmarks", "chrome://history"
PANEL = "chrome://bookmarks-side-panel.top-chrome"
"""Offers the bookmarks and, unlike chrome://bookmarks, can be hidden."""
DOWNLOADS, EXTENSIONS = "chrome://downloads", "chrome://extensions"
MAX_ROWS = 200

_FOLDER = """const walk = (node, path, nodes) => {
    for (const child of node.children ?? []) {
      const place = [...path, child.title];
      nodes.push({...child, path: place.join('/'), folder: path.join('/')});
      walk(child, place, nodes);
    }
    return nodes;
  };
  const all = walk((await chrome.bookmarks.getTree())[0], [], []);
  const bar = all[0].title;
  const folderAt = (path) => all.find((n) => !n.url
    && (n.path === path || n.path === `${bar}/${path}`)) ?? (path === '' ? all[0] : undefined);
"""
_LIST = (
    "async () => {"
    + _FOLDER
    + """
  return all.map((n) => ({title: n.title, url: n.url ?? null, folder: n.folder}));
}"""
)
_ADD = (
    "async (title, url, path) => {"
    + _FOLDER
    + """
  let parent = folderAt('');
  const names = path.split('/').filter((n) => n);
  const whole = folderAt(path);
  if (whole) parent = whole;
  else for (const name of names) {
    const known = (await chrome.bookmarks.getChildren(parent.id))
      .find((c) => !c.url && c.title === name);
    parent = known ?? await chrome.bookmarks.create({parentId: parent.id, title: name});
  }
  if (url === null) return parent.title;
  const made = await chrome.bookmarks.create({parentId: parent.id, title, url});
  return `${made.title} in ${parent.title}`;
}"""
)
_REMOVE = (
    "async (title, url, path) => {"
    + _FOLDER
    + """
  const chosen = all.filter((n) => n.folder !== '' && (title === null || n.title === title)
    && (url === null || n.url === url)
    && (path === null || n.folder === path || n.folder === `${bar}/${path}`));
  for (const n of chosen) await chrome.bookmarks[n.url ? 'remove' : 'removeTree'](n.id);
  return chosen.map((n) => n.path);
}"""
)
_SEARCH = """async (text, limit) => {
  const {BrowserProxyImpl} = await import('chrome://history/history.js');
  const {handler} = BrowserProxyImpl.getInstance();
  const history = (await handler.queryHistory(text, limit, null, true, true)).results;
  return history.value.map((v) => ({title: v.title, url: v.url, time_s: Math.round(v.time / 1000),
    times: Object.values(v.allTimestamps).flat().filter((t) => typeof t === 'number')}));
}"""
_FORGET = """async (visits) => {
  const {BrowserProxyImpl} = await import('chrome://history/history.js');
  const {handler} = BrowserProxyImpl.getInstance();
  await handler.removeVisits(visits.map((v) => ({url: v.url, timestamps: v.times})));
}"""
_FILES = """() => (document.querySelector('downloads-manager').items_ ?? []).map((d) => ({
  file: d.filePath?.path ?? d.filePath, name: d.fileName, url: d.url?.url ?? d.url,
  removed: d.fileExternallyRemoved, percent: d.percent, state: d.state}))"""
_EXTENSIONS = """async () => (await chrome.developerPrivate.getExtensionsInfo(
  {includeDisabled: true, includeTerminated: true})).map((e) => ({id: e.id, name: e.name,
  version: e.version, enabled: e.state === 'ENABLED', path: e.path ?? null}))"""
_ENABLE = "(id, on) => chrome.management.setEnabled(id, on)"
_UNINSTALL = """async (id) => {
  await chrome.developerPrivate.removeMultipleExtensions([id]);
}"""


@TOOLS.tool("chromium.bookmarks", timeout_s=30)
async def bookmarks(desktop: Desktop) -> list[dict[str, Any]]:
    """Lists bookmarks and their folders (url null) with the path of the folder they are in."""
    browser = await chromium(desktop)
    bookmark_list: list[dict[str, Any]] = await browser.run(await browser.internal(PANEL), _LIST)
    return bookmark_list[:MAX_ROWS]


async def _add(desktop: Desktop, title: str, url: str | None, folder: str) -> str:
    browser = await chromium(desktop)
    try:
        return str(await browser.run(await browser.internal(PANEL), _ADD, title, url, folder))
    except ProtocolError as error:
        raise ToolError(ActionError.BAD_VALUE, str(error)) from error


@TOOLS.tool("chromium.add_bookmark", timeout_s=30)
async def add_bookmark(desktop: Desktop, title: str, url: str, folder: str = "") -> str:
    """Adds a bookmark. `folder`: path such as "Work/Reports" below the bookmarks bar, made when it
    is not there, or "Other bookmarks"; empty: the bar itself."""
    return f"added {await _add(desktop, title, address(url, desktop.home), folder)}"


@TOOLS.tool("chromium.add_bookmark_folder", timeout_s=30)
async def add_bookmark_folder(desktop: Desktop, folder: str) -> str:
    """Makes a folder on the bookmarks bar; "Work/Reports" makes both."""
    if not folder.strip("/ "):
        raise ToolError(ActionError.BAD_VALUE, "a folder needs a name")
    return f"the folder {await _add(desktop, '', None, folder)} is there"


@TOOLS.tool("chromium.bookmark_page", timeout_s=30)
async def bookmark_page(desktop: Desktop, folder: str = "", title: str | None = None) -> str:
    """Bookmarks the page in front, under its own title if none is given."""
    page = await front(await chromium(desktop))
    return f"added {await _add(desktop, title or page['title'], page['url'], folder)}"


@TOOLS.tool("chromium.remove_bookmarks", timeout_s=30)
async def remove_bookmarks(
    desktop: Desktop, title: str | None = None, url: str | None = None, folder: str | None = None
) -> list[str]:
    """Removes the bookmarks and folders that match all that is given; answers with their paths."""
    if title is None and url is None:
        raise ToolError(ActionError.BAD_VALUE, "name the bookmark by title, url or both")
    browser = await chromium(desktop)
    page = await browser.internal(PANEL)
    removed: list[str] = await browser.run(page, _REMOVE, title, url, folder)
    if not removed:
        raise ToolError(ActionError.NOT_FOUND, "no bookmark matches")
    return removed


@TOOLS.tool("chromium.open_bookmarks", timeout_s=35)
async def open_bookmarks(desktop: Desktop) -> dict[str, Any]:
    """Opens the bookmark manager."""
    return await open_page(desktop, f"{BOOKMARKS}/")


@TOOLS.tool("chromium.history", timeout_s=30)
async def history(desktop: Desktop, text: str = "", limit: int = 50) -> list[dict[str, Any]]:
    """Visited pages, latest first, that contain a text: title, url, time_s (Unix seconds)."""
    browser = await chromium(desktop)
    page = await browser.internal(HISTORY)
    entries = await browser.run(page, _SEARCH, text, max(1, min(limit, MAX_ROWS)))
    return [{key: row[key] for key in ("title", "url", "time_s")} for row in entries]


@TOOLS.tool("chromium.delete_history", timeout_s=30)
async def delete_history(desktop: Desktop, text: str) -> list[str]:
    """Forgets the visited pages that contain a text; answers with their addresses. To forget all,
    use chromium.delete_browsing_data."""
    if not text.strip():
        raise ToolError(ActionError.BAD_VALUE, "name a text that the pages contain")
    browser = await chromium(desktop)
    page = await browser.internal(HISTORY)
    entries = await browser.run(page, _SEARCH, text, MAX_ROWS)
    if not entries:
        raise ToolError(ActionError.NOT_FOUND, f"no visited page contains {text[:60]!r}")
    await browser.run(page, _FORGET, entries)
    return sorted({row["url"] for row in entries})


@TOOLS.tool("chromium.downloads", timeout_s=30)
async def downloads(desktop: Desktop) -> list[dict[str, Any]]:
    """Files that Chromium downloaded, latest first."""
    browser = await chromium(desktop)
    files: list[dict[str, Any]] = await browser.run(await browser.internal(DOWNLOADS), _FILES)
    return files[:MAX_ROWS]


@TOOLS.tool("chromium.cookies", timeout_s=30)
async def cookies(desktop: Desktop, domain: str = "") -> list[dict[str, Any]]:
    """Cookies of domains that contain a text: name, domain, path, expires (Unix seconds, -1 with
    the session)."""
    browser = await chromium(desktop)
    reply = await browser.send("Storage.getCookies")
    return [
        {key: cookie[key] for key in ("name", "value", "domain", "path", "expires")}
        for cookie in reply["cookies"]
        if domain.lower() in cookie["domain"].lower()
    ][:MAX_ROWS]


@TOOLS.tool("chromium.delete_cookies", timeout_s=30)
async def delete_cookies(
    desktop: Desktop, domain: str, cookie_name: str | None = None
) -> list[str]:
    """Deletes the cookies of a domain and its subdomains, or only those with one name."""
    browser = await chromium(desktop)
    host = domain.lower().lstrip(".")
    if not host:
        raise ToolError(ActionError.BAD_VALUE, "name a domain")
    matching = [
        cookie
        for cookie in await cookies(desktop)
        if f".{cookie['domain'].lower().lstrip('.')}".endswith(f".{host}")
        and cookie_name in (None, cookie["name"])
    ]
    if not matching:
        raise ToolError(ActionError.NOT_FOUND, f"there are no such cookies of {host[:80]}")
    target = (await front(browser))["id"]
    for cookie in matching:
        which = {key: cookie[key] for key in ("name", "domain", "path")}
        await browser.send("Network.deleteCookies", target, **which)
    return [f"{cookie['domain']} {cookie['name']}" for cookie in matching]


@TOOLS.tool("chromium.extensions", timeout_s=30)
async def extensions(desktop: Desktop) -> list[dict[str, Any]]:
    """Installed extensions: id, name, version, enabled, path of unpacked ones."""
    browser = await chromium(desktop)
    page = await browser.internal(EXTENSIONS)
    installed: list[dict[str, Any]] = await browser.run(page, _EXTENSIONS)
    return installed


@TOOLS.tool("chromium.load_extension", timeout_s=30)
async def load_extension(desktop: Desktop, folder: str) -> dict[str, Any]:
    """Installs an unpacked extension from a folder that holds its manifest.json."""
    path = desktop.home / Path(folder).expanduser()
    if not (path / "manifest.json").is_file():
        raise ToolError(ActionError.NOT_FOUND, f"{path} holds no manifest.json")
    browser = await chromium(desktop)
    try:
        made = await browser.send("Extensions.loadUnpacked", path=str(path))
    except ProtocolError as error:
        raise ToolError(ActionError.BAD_VALUE, str(error)) from error
    return await _extension(desktop, made["id"])


@TOOLS.tool("chromium.enable_extension", timeout_s=30)
async def enable_extension(
    desktop: Desktop, extension: str, enabled: bool = True
) -> dict[str, Any]:
    """Switches an extension, by its id or name, on or off."""
    known_extension = await _extension(desktop, extension)
    browser = await chromium(desktop)
    await browser.run(await browser.internal(EXTENSIONS), _ENABLE, known_extension["id"], enabled)
    return await _extension(desktop, known_extension["id"])


@TOOLS.tool("chromium.open_extensions", timeout_s=35)
async def open_extensions(desktop: Desktop) -> dict[str, Any]:
    """Opens the page of extensions."""
    return await open_page(desktop, f"{EXTENSIONS}/")


async def _extension(desktop: Desktop, named: str) -> dict[str, Any]:
    known: list[dict[str, Any]] = await extensions(desktop)
    for candidate in known:
        if named in (candidate["id"], candidate["name"]):
            return candidate
    names = ", ".join(candidate["name"] for candidate in known) or "none"
    raise ToolError(ActionError.NOT_FOUND, f"no extension {named[:60]!r}; there are: {names}")
