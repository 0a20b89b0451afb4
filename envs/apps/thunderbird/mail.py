"""Tools for Thunderbird's mail: folders, messages, drafts, the Outbox.

Guarantees: each works in the running Thunderbird, so that its window shows the result; a message is
named by its folder and its number there; nothing is sent.
"""

from __future__ import annotations

import asyncio
import base64
import email
import email.policy
import mimetypes
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Any, Literal

from envs.apps.thunderbird.client import run
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop.desktop import Desktop
from envs.desktop.profiles.thunderbird import ADDRESS, NAME

TOOLS = Toolset("desktop")


MAX_ROWS, MAX_TEXT = 200, 8000
MAX_FILE = 20 * 1024 * 1024
CALL_S = 60
"""Seconds a call may take when Thunderbird has to be started first."""

FOLDERS = """
  const {MailServices} = ChromeUtils.importESModule('resource:///modules/MailServices.sys.mjs');
  const root = MailServices.accounts.localFoldersServer.rootFolder;
  const pathOf = (f) => f.URI.split('/').slice(3).map(decodeURIComponent).join('/');
  const nameOf = (f) => {
    const names = [];
    for (let n = f; n !== root; n = n.parent) names.unshift(n.name);
    return names.join('/');
  };
  const all = root.descendants;
  const find = (path) => {
    const folder = all.find((f) => nameOf(f) === path || pathOf(f) === path
      || (path === 'Outbox' && f.getFlag(Ci.nsMsgFolderFlags.Queue)));
    if (!folder) throw `there is no folder ${JSON.stringify(path)}; there are: `
      + all.map(nameOf).join(', ');
    return folder;
  };
  const messages = (f) => [...f.messages];
  const pick = (f, keys) => keys.map((k) => {
    const message = messages(f).find((m) => m.messageKey === k);
    if (!message) throw `there is no message ${k} in ${nameOf(f)}`;
    return message;
  });
  const row = (m) => ({message: m.messageKey, folder: nameOf(m.folder),
    subject: m.mime2DecodedSubject, from: m.mime2DecodedAuthor, to: m.mime2DecodedRecipients,
    date: new Date(m.date / 1000).toISOString().slice(0, 19) + 'Z', read: m.isRead,
    starred: m.isFlagged, tags: (m.getStringProperty('keywords') || '').split(' ').filter((k) =>
      MailServices.tags.isValidKey(k)).map((k) => MailServices.tags.getTagForKey(k))});
  const listened = (start) => new Promise((done, failed) => start({
    QueryInterface: ChromeUtils.generateQI(['nsIMsgCopyServiceListener']),
    onStartCopy() {}, onProgress() {}, setMessageKey() {}, getMessageId() { return null },
    onStopCopy(status) {
      if (Components.isSuccessCode(status)) done(); else failed(new Error('code ' + status));
    }}));
"""
_LIST = (
    FOLDERS
    + """
  return all.map((f) => ({folder: nameOf(f), messages: f.getTotalMessages(false),
    unread: f.getNumUnread(false)}));
"""
)
_CREATE = (
    FOLDERS
    + """
  const [path] = v;
  let parent = root;
  for (const name of path.split('/')) {
    let next = parent.subFolders.find((f) => f.name === name);
    if (!next) {
      parent.createSubfolder(name, null);
      next = parent.getChildNamed(name);
    }
    parent = next;
  }
  return nameOf(parent);
"""
)
_RENAME = FOLDERS + "const f = find(v[0]); f.rename(v[1], null);"
_DROP = (
    FOLDERS
    + """
  const f = find(v[0]);
  if (f.flags & Ci.nsMsgFolderFlags.SpecialUse) throw `${v[0]} belongs to Thunderbird itself`;
  f.parent.propagateDelete(f, true);
"""
)
_MESSAGES = (
    FOLDERS
    + """
  const [path, limit] = v;
  const f = find(path);
  return messages(f).sort((a, b) => b.date - a.date).slice(0, limit).map(row);
"""
)
_SEARCH = (
    FOLDERS
    + """
  const [text, path, limit] = v;
  const words = text.toLowerCase();
  const hits = [];
  for (const f of path === null ? all : [find(path)]) for (const m of messages(f)) {
    const head = [m.mime2DecodedSubject, m.mime2DecodedAuthor, m.mime2DecodedRecipients].join(' ');
    if (head.toLowerCase().includes(words)) hits.push(m);
  }
  return hits.sort((a, b) => b.date - a.date).slice(0, limit).map(row);
"""
)
_READ = (
    FOLDERS
    + """
  const [path, key, limit] = v;
  const f = find(path);
  const [m] = pick(f, [key]);
  const stream = f.getLocalMsgStream ? f.getLocalMsgStream(m) : f.getMsgInputStream(m, {});
  const bytes = Cc['@mozilla.org/binaryinputstream;1'].createInstance(Ci.nsIBinaryInputStream);
  bytes.setInputStream(stream);
  const parts = [];
  let left = Math.min(m.messageSize, limit);
  while (left > 0) {
    const n = Math.min(left, 65536, bytes.available());
    if (n === 0) break;
    parts.push(bytes.readBytes(n));
    left -= n;
  }
  stream.close();
  return {row: row(m), source: btoa(parts.join(''))};
"""
)
_MOVE = (
    FOLDERS
    + """
  const [path, keys, to, isMove] = v;
  const from = find(path), target = find(to);
  if (from === target) throw 'the messages are there already';
  const mails = pick(from, keys);
  const {copy} = MailServices;
  await listened((l) => copy.copyMessages(from, mails, target, isMove, l, null, false));
  return mails.length;
"""
)
_DELETE = (
    FOLDERS
    + """
  const [path, keys] = v;
  const f = find(path);
  const mails = pick(f, keys);
  const trash = all.find((x) => x.getFlag(Ci.nsMsgFolderFlags.Trash));
  if (f === trash) await listened((l) => f.deleteMessages(mails, null, true, false, l, false));
  else await listened((l) => MailServices.copy.copyMessages(f, mails, trash, true, l, null, false));
  return mails.length;
"""
)
_MARK = (
    FOLDERS
    + """
  const [path, keys, read, starred, add, remove] = v;
  const f = find(path);
  const mails = pick(f, keys);
  const tagKey = (name) => {
    const known = MailServices.tags.getAllTags();
    const tag = known.find((t) => t.tag.toLowerCase() === name.toLowerCase());
    if (!tag) throw `there is no tag ${JSON.stringify(name)}; there are: `
      + known.map((t) => t.tag).join(', ');
    return tag.key;
  };
  const plus = add.map(tagKey).join(' '), minus = remove.map(tagKey).join(' ');
  if (read !== null) f.markMessagesRead(mails, read);
  if (starred !== null) f.markMessagesFlagged(mails, starred);
  if (plus) f.addKeywordsToMessages(mails, plus);
  if (minus) f.removeKeywordsFromMessages(mails, minus);
  return mails.map(row);
"""
)
_IMPORT = (
    FOLDERS
    + """
  const [path, file, isDraft, read] = v;
  const f = find(path);
  const source = Cc['@mozilla.org/file/local;1'].createInstance(Ci.nsIFile);
  source.initWithPath(file);
  const before = new Set(messages(f).map((m) => m.messageKey));
  await listened((l) => MailServices.copy.copyFileMessage(source, f, null, isDraft,
    read ? Ci.nsMsgMessageFlags.Read : 0, '', l, null));
  return messages(f).filter((m) => !before.has(m.messageKey)).map(row)[0];
"""
)
_QUEUE = (
    FOLDERS
    + """
  if (!all.some((f) => f.getFlag(Ci.nsMsgFolderFlags.Queue))) {
    root.createSubfolder('Unsent Messages', null);
    root.getChildNamed('Unsent Messages').setFlag(Ci.nsMsgFolderFlags.Queue);
  }
"""
)


@TOOLS.tool("thunderbird.folders", timeout_s=CALL_S)
async def folders(desktop: Desktop) -> list[dict[str, Any]]:
    """Lists the mail folders with how many messages, and how many unread, each holds."""
    rows: list[dict[str, Any]] = await run(desktop, _LIST)
    return rows


@TOOLS.tool("thunderbird.create_folder", timeout_s=CALL_S)
async def create_folder(desktop: Desktop, folder: str) -> str:
    """Makes a mail folder; "Work/Reports" makes Reports within Work."""
    names = [name.strip() for name in folder.split("/")]
    if not all(names):
        raise ToolError(ActionError.BAD_VALUE, "every part of a folder's path needs a name")
    return f"the folder {await run(desktop, _CREATE, '/'.join(names))} is there"


@TOOLS.tool("thunderbird.rename_folder", timeout_s=CALL_S)
async def rename_folder(desktop: Desktop, folder: str, new_name: str) -> str:
    """Gives a mail folder another name."""
    await run(desktop, _RENAME, folder, new_name)
    return f"{folder} is called {new_name} now"


@TOOLS.tool("thunderbird.delete_folder", timeout_s=CALL_S)
async def delete_folder(desktop: Desktop, folder: str) -> str:
    """Deletes a mail folder of the user's with all that is in it."""
    await run(desktop, _DROP, folder)
    return f"deleted {folder}"


@TOOLS.tool("thunderbird.messages", timeout_s=CALL_S)
async def messages(
    desktop: Desktop, folder: str = "Inbox", limit: int = 50
) -> list[dict[str, Any]]:
    """Messages of a folder, latest first: message (its number in the folder), subject, from, to,
    date, read, starred, tags."""
    count = max(1, min(limit, MAX_ROWS))
    rows: list[dict[str, Any]] = await run(desktop, _MESSAGES, folder, count)
    return rows


@TOOLS.tool("thunderbird.search_messages", timeout_s=CALL_S)
async def search_messages(
    desktop: Desktop, text: str, folder: str | None = None
) -> list[dict[str, Any]]:
    """Messages whose subject, sender or recipients contain a text; in all folders unless one is
    named."""
    rows: list[dict[str, Any]] = await run(desktop, _SEARCH, text, folder, MAX_ROWS)
    return rows


@TOOLS.tool("thunderbird.read_message", timeout_s=CALL_S)
async def read_message(desktop: Desktop, folder: str, message: int) -> dict[str, Any]:
    """A message with its text and the names of its attachments."""
    parsed, row = await _read_message(desktop, folder, message)
    body = parsed.get_body(preferencelist=("plain", "html"))
    text = body.get_content() if body is not None else ""
    names = [part.get_filename() or part.get_content_type() for part in parsed.iter_attachments()]
    return {**row, "cc": str(parsed["cc"] or ""), "text": text[:MAX_TEXT], "attachments": names}


@TOOLS.tool("thunderbird.save_attachment", timeout_s=CALL_S)
async def save_attachment(
    desktop: Desktop, folder: str, message: int, attachment: str, path: str
) -> str:
    """Saves an attachment of a message as a file."""
    parsed, _ = await _read_message(desktop, folder, message)
    parts = {part.get_filename(): part for part in parsed.iter_attachments()}
    if attachment not in parts:
        names = ", ".join(str(name) for name in parts) or "none"
        raise ToolError(ActionError.NOT_FOUND, f"no attachment {attachment!r}; there are: {names}")
    data = parts[attachment].get_payload(decode=True)
    file = desktop.home / Path(path).expanduser()
    if file.is_dir():
        file = file / Path(attachment).name
    if not file.parent.is_dir():
        raise ToolError(ActionError.NOT_FOUND, f"there is no folder {file.parent}")
    await asyncio.to_thread(file.write_bytes, data if isinstance(data, bytes) else b"")
    return f"wrote {file}"


async def _read_message(desktop: Desktop, folder: str, message: int) -> tuple[EmailMessage, Any]:
    reply = await run(desktop, _READ, folder, message, MAX_FILE)
    source = base64.b64decode(reply["source"])
    return email.message_from_bytes(source, policy=email.policy.default), reply["row"]


@TOOLS.tool("thunderbird.move_messages", timeout_s=CALL_S)
async def move_messages(
    desktop: Desktop, folder: str, messages: list[int], to: str, keep: bool = False
) -> str:
    """Moves messages of a folder to another one; with `keep` copies them."""
    count = await run(desktop, _MOVE, folder, messages, to, not keep)
    return f"{count} messages {'copied' if keep else 'moved'} to {to}"


@TOOLS.tool("thunderbird.delete_messages", timeout_s=CALL_S)
async def delete_messages(desktop: Desktop, folder: str, messages: list[int]) -> str:
    """Moves messages to the Trash; those in the Trash go for good."""
    return f"{await run(desktop, _DELETE, folder, messages)} messages deleted"


@TOOLS.tool("thunderbird.mark_messages", timeout_s=CALL_S)
async def mark_messages(
    desktop: Desktop,
    folder: str,
    messages: list[int],
    read: bool | None = None,
    starred: bool | None = None,
    add_tags: list[str] | None = None,
    remove_tags: list[str] | None = None,
) -> list[dict[str, Any]]:
    """Marks messages read or unread, starred or not, with tags such as Important or Work."""
    reply: list[dict[str, Any]] = await run(
        desktop, _MARK, folder, messages, read, starred, add_tags or [], remove_tags or []
    )
    return reply


@TOOLS.tool("thunderbird.import_message", timeout_s=CALL_S)
async def import_message(desktop: Desktop, path: str, folder: str = "Inbox") -> dict[str, Any]:
    """Puts the message of an .eml file into a folder, unread."""
    file = desktop.home / Path(path).expanduser()
    if not file.is_file():
        raise ToolError(ActionError.NOT_FOUND, f"there is no file {file}")
    reply: dict[str, Any] = await run(desktop, _IMPORT, folder, str(file), False, False)
    return reply


@TOOLS.tool("thunderbird.compose", timeout_s=CALL_S)
async def compose(
    desktop: Desktop,
    to: list[str],
    subject: str,
    text: str,
    cc: list[str] | None = None,
    bcc: list[str] | None = None,
    attachments: list[str] | None = None,
    save_in: Literal["Drafts", "Outbox", "Templates"] = "Drafts",
) -> dict[str, Any]:
    """Writes a message and keeps it as a draft, or in the Outbox for "Send Unsent Messages".
    Attachments are paths of files."""
    made = _write_message(desktop.home, to, cc or [], bcc or [], subject, text, attachments or [])
    if save_in == "Outbox":
        await run(desktop, _QUEUE)
    elif save_in == "Templates":
        await run(desktop, _CREATE, "Templates")
    file = desktop.runtime / f"compose-{made['Message-ID'].strip('<>').split('@')[0]}.eml"
    file.write_bytes(made.as_bytes(policy=email.policy.SMTP))
    try:
        kept = save_in != "Outbox"
        reply: dict[str, Any] = await run(desktop, _IMPORT, save_in, str(file), kept, True)
    finally:
        file.unlink()
    return reply


def _write_message(
    home: Path,
    to: list[str],
    cc: list[str],
    bcc: list[str],
    subject: str,
    text: str,
    attachments: list[str],
) -> EmailMessage:
    """Raises ToolError for an address or a file that is none."""
    made = EmailMessage()
    try:
        made["From"] = f"{NAME} <{ADDRESS}>"
        for header, addresses in (("To", to), ("Cc", cc), ("Bcc", bcc)):
            if addresses:
                made[header] = ", ".join(addresses)
                if any("@" not in address for address in addresses):
                    raise ValueError(f"{header} wants addresses such as ann@example.com")
        made["Subject"] = subject
    except ValueError as error:
        raise ToolError(ActionError.BAD_VALUE, str(error)) from error
    made["Date"] = formatdate(localtime=True)
    made["Message-ID"] = make_msgid(domain="example.com")
    made["X-Mozilla-Draft-Info"] = "internal/draft; vcard=0; receipt=0; DSN=0; uuencode=0"
    made["X-Identity-Key"] = "id1"
    made.set_content(text)
    for name in attachments:
        file = home / Path(name).expanduser()
        if not file.is_file() or file.stat().st_size > MAX_FILE:
            raise ToolError(ActionError.NOT_FOUND, f"there is no file {file} of at most 20 MiB")
        kind = (mimetypes.guess_type(file.name)[0] or "application/octet-stream").split("/", 1)
        made.add_attachment(file.read_bytes(), *kind, filename=file.name)
    return made
