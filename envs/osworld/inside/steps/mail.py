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
from envs.osworld.format.getters import Parameters
from envs.osworld.format.mbox import READ, STARRED, TAGS
from envs.osworld.inside.machine import BOX_HOME, Machine
from envs.osworld.inside.steps.files import prepare_path

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

MAIL = f"{BOX_HOME}/{PROFILE}/Mail/Local Folders"
KEYS_ROOM = 80
SETTLE_S, QUIET_S = 5.0, 0.25
DATE = "Mon, 03 Mar 2025 09:00:00 +0000"


async def mailbox(machine: Machine, parameters: Parameters) -> None:
    """Writes a file of messages for each folder."""
    for folder, messages in parameters["folders"].items():
        *parents, name = folder.split("/")
        path = "/".join([MAIL, *(f"{parent}.sbd" for parent in parents), name])
        prepare_path(machine, path).write_bytes(mbox_bytes(folder, messages))


def mbox_bytes(folder: str, messages: Sequence[Mapping[str, Any]]) -> bytes:
    """The file of a folder's messages, in Thunderbird's mbox format."""
    return b"".join(
        b"From - Mon Mar  3 09:00:00 2025\n" + _message(f"{folder}.{number}", message) + b"\n"
        for number, message in enumerate(messages, 1)
    )


def _message(name: str, parameters: Parameters) -> bytes:
    message = EmailMessage(policy=SMTP.clone(linesep="\n"))
    message["From"] = parameters["from"]
    message["To"] = parameters.get("to", f"{NAME} <{ADDRESS}>")
    if "cc" in parameters:
        message["Cc"] = parameters["cc"]
    message["Subject"] = parameters["subject"]
    message["Date"] = parameters.get("date", DATE)
    word = re.sub(r"[^\w.]", "-", name)
    message["Message-ID"] = f"<{word}@example.com>"
    message.set_content(parameters["text"])
    for attachment in parameters.get("attachments", ()):
        message.add_attachment(
            attachment["text"].encode(), "text", "plain", filename=attachment["name"]
        )
    if message.is_multipart():
        message.set_boundary(f"==={word}===")
    return _marks(parameters) + re.sub(rb"^(?=>*From )", b">", bytes(message), flags=re.MULTILINE)


def _marks(parameters: Parameters) -> bytes:
    """The mail program's own headers, padded so that it can write tags in place."""
    flags = READ * bool(parameters.get("read")) | STARRED * bool(parameters.get("starred"))
    tags = " ".join(f"$label{TAGS.index(tag) + 1}" for tag in parameters.get("tags", ()))
    return (
        f"X-Mozilla-Status: {flags:04x}\nX-Mozilla-Status2: 00000000\n"
        f"X-Mozilla-Keys: {tags.ljust(KEYS_ROOM)}\n"
    ).encode()


async def open_mail(desktop: Desktop, parameters: Parameters) -> None:
    """Starts the mail program, waits until it has indexed all folders, and shows the Inbox."""
    from envs.apps.thunderbird.client import run

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
