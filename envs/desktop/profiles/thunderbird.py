"""Thunderbird's profile: one local mailbox of user@example.com, no wizard and nothing to update.

Guarantees: mail is kept in Local Folders as mbox files; Thunderbird neither fetches nor sends by
itself; its window is driven over Marionette on the box's loopback, like Chromium's over DevTools.
"""

from __future__ import annotations

import json
from pathlib import Path

from envs.desktop.wrappers import BIN

MARIONETTE_PORT = 2828
PROFILE = ".thunderbird/user.default"
ADDRESS, NAME = "user@example.com", "User"
_INSTALL = "FDC34C9F024745EB"
"""Thunderbird's own hash of /usr/lib/thunderbird: which profile belongs to that installation."""
_LOCAL = "mailbox://nobody@Local%20Folders"
_LOCAL_MAIL = "Mail/Local Folders"

_PREFERENCES: dict[str, str | int | bool] = {
    "mail.accountmanager.accounts": "account1,account2",
    "mail.accountmanager.defaultaccount": "account2",
    "mail.accountmanager.localfoldersserver": "server1",
    "mail.account.account1.server": "server1",
    "mail.account.account2.server": "server2",
    "mail.account.account2.identities": "id1",
    "mail.account.lastKey": 2,
    "mail.server.server1.type": "none",
    "mail.server.server1.hostname": "Local Folders",
    "mail.server.server1.name": "Local Folders",
    "mail.server.server1.userName": "nobody",
    "mail.server.server1.directory-rel": f"[ProfD]{_LOCAL_MAIL}",
    "mail.server.server1.storeContractID": "@mozilla.org/msgstore/berkeleystore;1",
    "mail.server.server2.type": "pop3",
    "mail.server.server2.hostname": "mail.example.com",
    "mail.server.server2.port": 110,
    "mail.server.server2.name": ADDRESS,
    "mail.server.server2.userName": "user",
    "mail.server.server2.directory-rel": "[ProfD]Mail/mail.example.com",
    "mail.server.server2.storeContractID": "@mozilla.org/msgstore/berkeleystore;1",
    "mail.server.server2.deferred_to_account": "account1",
    "mail.server.server2.check_new_mail": False,
    "mail.server.server2.login_at_startup": False,
    "mail.server.server2.download_on_biff": False,
    "mail.identity.id1.fullName": NAME,
    "mail.identity.id1.useremail": ADDRESS,
    "mail.identity.id1.valid": True,
    "mail.identity.id1.smtpServer": "smtp1",
    "mail.identity.id1.fcc_folder": f"{_LOCAL}/Sent",
    "mail.identity.id1.fcc_folder_picker_mode": "1",
    "mail.identity.id1.draft_folder": f"{_LOCAL}/Drafts",
    "mail.identity.id1.stationery_folder": f"{_LOCAL}/Templates",
    "mail.identity.id1.archive_folder": f"{_LOCAL}/Archives",
    "mail.smtpservers": "smtp1",
    "mail.smtp.defaultserver": "smtp1",
    "mail.smtpserver.smtp1.hostname": "mail.example.com",
    "mail.smtpserver.smtp1.port": 25,
    "mail.smtpserver.smtp1.username": "user",
    "mail.serverDefaultStoreContractID": "@mozilla.org/msgstore/berkeleystore;1",
    "mail.provider.suppress_dialog_on_startup": True,
    "mail.shell.checkDefaultClient": False,
    "mail.rights.version": 1,
    "mail.spam.version": 1,
    "mail.folder.views.version": 1,
    "mail.ui-rdf.version": 99,
    "mail.biff.play_sound": False,
    "mail.biff.show_alert": False,
    "mailnews.start_page.enabled": False,
    "mailnews.start_page_override.mstone": "ignore",
    "app.donation.eoy.version.viewed": 999,
    "app.update.auto": False,
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
    "extensions.update.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": False,
    "marionette.port": MARIONETTE_PORT,
    "toolkit.cosmeticAnimations.enabled": False,
    "ui.prefersReducedMotion": 1,
    "ui.caretBlinkTime": 0,
    "accessibility.force_disabled": -1,
}
_BOXES = ("Inbox", "Drafts", "Sent", "Trash", "Unsent Messages")
_WRAPPER = '#!/bin/sh\nexec /usr/bin/thunderbird --marionette --remote-allow-system-access "$@"\n'


def write(home: Path) -> None:
    """The profile, and Thunderbird's command with the switches that it needs."""
    profile = home / PROFILE
    mail = profile / _LOCAL_MAIL
    mail.mkdir(parents=True)
    for name in _BOXES:
        (mail / name).touch()
    lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in _PREFERENCES.items())
    (profile / "prefs.js").write_text("\n".join(lines) + "\n")
    # Folded up, the mailbox's folders would be the first thing that a user has to look for.
    (profile / "folderTree.json").write_text(json.dumps({"open": {"all": [_LOCAL]}}))
    root = home / ".thunderbird"
    (root / "profiles.ini").write_text(
        f"[Install{_INSTALL}]\nDefault={profile.name}\nLocked=1\n\n[Profile0]\nName=default\n"
        f"IsRelative=1\nPath={profile.name}\nDefault=1\n\n[General]\nStartWithLastProfile=1\n"
        "Version=2\n"
    )
    (root / "installs.ini").write_text(f"[{_INSTALL}]\nDefault={profile.name}\nLocked=1\n")
    script = home / BIN / "thunderbird"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(_WRAPPER)
    script.chmod(0o755)
