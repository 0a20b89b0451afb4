"""Setup step that fills the mail program's folders. Equal steps make equal bytes.

    {"type": "mailbox", "parameters": {"folders": {"Inbox": [{"from": "Ada <ada@example.com>",
     "subject": "Hello", "text": "..."}], "Work": []}}}

A message may also say to, cc, date (RFC 5322), read, starred, tags ("Important", "Work",
"Personal", "To Do", "Later") and attachments: [{"name", "text"}]. It must run before the mail
program starts; {"type": "open_mail"} starts it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from email.policy import SMTP
from typing import TYPE_CHECKING, Any

from envs.desktop.profiles.thunderbird import ADDRESS, NAME, PROFILE
from envs.verify.machine import BOX_HOME, Machine
from envs.verify.mbox import READ, STARRED, TAGS
from envs.verify.setup import step
from envs.verify.steps.files import place

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

MAIL = f"{BOX_HOME}/{PROFILE}/Mail/Local Folders"
KEYS_ROOM = 80
SETTLE_S, QUIET_S = 5.0, 0.25
DATE = "Mon, 03 Mar 2025 09:00:00 +0000"


@step("mailbox")
async def mailbox(machine: Machine, given: Mapping[str, Any]) -> None:
    for folder, messages in given["folders"].items():
        *above, name = folder.split("/")
        path = "/".join([MAIL, *(f"{one}.sbd" for one in above), name])
        place(machine, path).write_bytes(mbox_bytes(folder, messages))


def mbox_bytes(folder: str, messages: Sequence[Mapping[str, Any]]) -> bytes:
    return b"".join(
        b"From - Mon Mar  3 09:00:00 2025\n" + _message(f"{folder}.{number}", one) + b"\n"
        for number, one in enumerate(messages, 1)
    )


def _message(name: str, given: Mapping[str, Any]) -> bytes:
    made = EmailMessage(policy=SMTP.clone(linesep="\n"))
    made["From"] = given["from"]
    made["To"] = given.get("to", f"{NAME} <{ADDRESS}>")
    if "cc" in given:
        made["Cc"] = given["cc"]
    made["Subject"] = given["subject"]
    made["Date"] = given.get("date", DATE)
    word = re.sub(r"[^\w.]", "-", name)
    made["Message-ID"] = f"<{word}@example.com>"
    made.set_content(given["text"])
    for attachment in given.get("attachments", ()):
        made.add_attachment(attachment["text"].encode(), "text", "plain",
                            filename=attachment["name"])  # fmt: skip
    if made.is_multipart():
        made.set_boundary(f"==={word}===")
    return _marks(given) + re.sub(rb"^(?=>*From )", b">", bytes(made), flags=re.MULTILINE)


def _marks(given: Mapping[str, Any]) -> bytes:
    """The mail program's own headers, with the room that it needs to write tags in place."""
    flags = READ * bool(given.get("read")) | STARRED * bool(given.get("starred"))
    tags = " ".join(f"$label{TAGS.index(tag) + 1}" for tag in given.get("tags", ()))
    return (
        f"X-Mozilla-Status: {flags:04x}\nX-Mozilla-Status2: 00000000\n"
        f"X-Mozilla-Keys: {tags.ljust(KEYS_ROOM)}\n"
    ).encode()


@step("open_mail")
async def open_mail(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """Starts the mail program, waits until it has read all folders, and shows the Inbox."""
    from envs.tools.thunderbird_line import run

    await run(desktop, _READ_FOLDERS)
    await desktop.settle(SETTLE_S, QUIET_S)


_READ_FOLDERS = """
  const {MailServices} = ChromeUtils.importESModule('resource:///modules/MailServices.sys.mjs');
  for (const f of MailServices.accounts.localFoldersServer.rootFolder.descendants) {
    await new Promise((done, failed) => {
      const read = (_, status) => Components.isSuccessCode(status) ? done()
        : failed(new Error(`${f.name}: ${status}`));
      const listener = {QueryInterface: ChromeUtils.generateQI(['nsIUrlListener']),
        onStartRunningUrl() {}, onStopRunningUrl: read,
        OnStartRunningUrl() {}, OnStopRunningUrl: read};
      f.QueryInterface(Ci.nsIMsgLocalMailFolder);
      try {
        f.getDatabaseWithReparse(listener, null);
        done();
      } catch (error) {
        if (error.result !== Cr.NS_ERROR_NOT_INITIALIZED) failed(error);
      }
    });
    f.updateSummaryTotals(true);
  }
  const inbox = MailServices.accounts.localFoldersServer.rootFolder.getChildNamed('Inbox');
  Services.wm.getMostRecentWindow('mail:3pane').gTabmail.currentAbout3Pane.displayFolder(inbox.URI);
"""
