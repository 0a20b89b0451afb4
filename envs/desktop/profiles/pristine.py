"""Makes the home folder that every task starts from.

    python -m envs.desktop.profiles.pristine FOLDER

Guarantees: programs start without wizards, tips, update checks, crash recovery or blinking cursors,
with accessibility on; LibreOffice has been started once, so that its profile exists. The folder is
written beside its place and renamed, so a half-made one is never used.
"""

from __future__ import annotations

import secrets
import shutil
import sys
from pathlib import Path

from envs.desktop import wrappers
from envs.desktop.profiles import gimp, thunderbird
from envs.desktop.profiles.first_start import start_once

FOLDERS = (
    "Desktop",
    "Documents",
    "Downloads",
    "Music",
    "Pictures",
    "Public",
    "Templates",
    "Videos",
)
OFFICE_FIRST_START_S = 90
OFFICE_PROFILE = ".config/libreoffice/4"
VLC_PASSWORD = "deskhand"
"""VLC's HTTP interface wants one; it listens inside the box only."""

_OFFICE_ITEMS = (
    ("Setup/Office", "ooSetupInstCompleted", "true"),
    ("Setup/Office", "LastCompatibilityCheckID", "deskhand"),
    # A version that is new to a profile draws for a second to test the graphics card.
    ("Setup/Product", "ooSetupLastVersion", "9999.0"),
    ("Office.Common/Misc", "FirstRun", "false"),
    ("Office.Common/Misc", "ShowTipOfTheDay", "false"),
    ("Office.Common/Misc", "CollectUsageInformation", "false"),
    ("Office.Common/Misc", "CrashReport", "false"),
    ("Office.Common/Misc", "UseOpenCL", "false"),
    ("Office.Common/Save/Document", "WarnAlienFormat", "false"),
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Recovery/RecoveryInfo", "Enabled", "false"),
    ("Office.Recovery/AutoSave", "Enabled", "false"),
    ("Office.Impress/Misc/Start", "AutoPilot", "false"),
    ("Office.Jobs/Jobs/org.openoffice.Office.Jobs:Job['UpdateCheck']/Arguments", "AutoCheckEnabled",
     "false"),
)  # fmt: skip

_OASIS = "application/vnd.oasis.opendocument"
_OOXML = "application/vnd.openxmlformats-officedocument"
_OFFICE_TYPES = (
    (f"{_OASIS}.text", "libreoffice-writer"),
    (f"{_OASIS}.spreadsheet", "libreoffice-calc"),
    (f"{_OASIS}.presentation", "libreoffice-impress"),
    (f"{_OOXML}.wordprocessingml.document", "libreoffice-writer"),
    (f"{_OOXML}.spreadsheetml.sheet", "libreoffice-calc"),
    (f"{_OOXML}.presentationml.presentation", "libreoffice-impress"),
    ("application/pdf", "chromium"),
)

_FILES: dict[str, str] = {
    ".config/glib-2.0/settings/keyfile": (
        "[org/gnome/desktop/interface]\ntoolkit-accessibility=true\ncursor-blink=false\n"
        "enable-animations=false\n"
    ),
    ".config/gtk-3.0/settings.ini": (
        "[Settings]\ngtk-cursor-blink=0\ngtk-enable-animations=0\ngtk-theme-name=Adwaita\n"
        "gtk-icon-theme-name=Adwaita\ngtk-font-name=DejaVu Sans 9\ngtk-recent-files-enabled=0\n"
    ),
    ".gtkrc-2.0": 'gtk-cursor-blink = 0\ngtk-font-name = "DejaVu Sans 9"\n',
    ".config/user-dirs.dirs": "".join(
        f'XDG_{variable}_DIR="$HOME/{name}"\n'
        for variable, name in (
            ("DESKTOP", "Desktop"), ("DOCUMENTS", "Documents"), ("DOWNLOAD", "Downloads"),
            ("MUSIC", "Music"), ("PICTURES", "Pictures"), ("PUBLICSHARE", "Public"),
            ("TEMPLATES", "Templates"), ("VIDEOS", "Videos"),
        )
    ),
    ".config/mimeapps.list": (
        "[Default Applications]\ntext/plain=org.xfce.mousepad.desktop\n"
        "text/html=chromium.desktop\nx-scheme-handler/http=chromium.desktop\n"
        "x-scheme-handler/https=chromium.desktop\nx-scheme-handler/mailto=thunderbird.desktop\n"
        "inode/directory=pcmanfm.desktop\nimage/png=gimp.desktop\nimage/jpeg=gimp.desktop\n"
        "video/mp4=vlc.desktop\naudio/mpeg=vlc.desktop\naudio/x-wav=vlc.desktop\n"
        "text/csv=libreoffice-calc.desktop\n"
        + "".join(f"{kind}={program}.desktop\n" for kind, program in _OFFICE_TYPES)
    ),
    ".config/openbox/rc.xml": """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
<focus><focusNew>yes</focusNew><followMouse>no</followMouse><raiseOnFocus>no</raiseOnFocus></focus>
<placement><policy>Smart</policy><center>yes</center></placement>
<theme><name>Clearlooks</name><titleLayout>LIMC</titleLayout><animateIconify>no</animateIconify></theme>
<desktops><number>1</number><popupTime>0</popupTime></desktops>
<keyboard>
<keybind key="A-F4"><action name="Close"/></keybind>
<keybind key="C-A-t"><action name="Execute"><command>lxterminal</command></action></keybind>
<keybind key="A-Tab"><action name="NextWindow"><finalactions><action name="Focus"/><action name="Raise"/><action name="Unshade"/></finalactions></action></keybind>
</keyboard>
<mouse>
<context name="Frame"><mousebind button="A-Left" action="Drag"><action name="Move"/></mousebind></context>
<context name="Titlebar"><mousebind button="Left" action="Drag"><action name="Move"/></mousebind><mousebind button="Left" action="DoubleClick"><action name="ToggleMaximize"/></mousebind><mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind></context>
<context name="Client"><mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind><mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind></context>
<context name="Close"><mousebind button="Left" action="Click"><action name="Close"/></mousebind></context>
<context name="Maximize"><mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind></context>
<context name="Iconify"><mousebind button="Left" action="Click"><action name="Iconify"/></mousebind></context>
<context name="Bottom Left"><mousebind button="Left" action="Drag"><action name="Resize"/></mousebind></context>
<context name="Bottom Right"><mousebind button="Left" action="Drag"><action name="Resize"/></mousebind></context>
</mouse>
<applications>
<application class="*" type="normal"><maximized>yes</maximized></application>
<application class="tint2"><maximized>no</maximized><layer>below</layer></application>
<application class="Lxterminal"><maximized>no</maximized></application>
</applications>
</openbox_config>
""",
    ".config/tint2/tint2rc": (
        "panel_items = LT\npanel_size = 100% 28\npanel_position = bottom center horizontal\n"
        "panel_background_id = 1\nwm_menu = 1\npanel_layer = bottom\nstrut_policy = follow_size\n"
        "rounded = 0\nborder_width = 0\nbackground_color = #2b303b 100\n"
        "rounded = 0\nborder_width = 0\nbackground_color = #4f5b66 100\n"
        "task_background_id = 0\ntask_active_background_id = 2\ntask_maximum_size = 220 28\n"
        "task_icon = 1\ntask_text = 1\ntask_font = DejaVu Sans 9\ntask_font_color = #ffffff 100\n"
        "taskbar_mode = single_desktop\nlauncher_icon_size = 22\nlauncher_padding = 4 2 4\n"
        "launcher_tooltip = 0\n"
        "launcher_item_app = /usr/share/applications/pcmanfm.desktop\n"
        "launcher_item_app = /usr/share/applications/chromium.desktop\n"
        "launcher_item_app = /usr/share/applications/lxterminal.desktop\n"
        "launcher_item_app = /usr/share/applications/libreoffice-calc.desktop\n"
        "launcher_item_app = /usr/share/applications/libreoffice-writer.desktop\n"
        "launcher_item_app = /usr/share/applications/libreoffice-impress.desktop\n"
        "launcher_item_app = /usr/share/applications/thunderbird.desktop\n"
        "launcher_item_app = /usr/share/applications/gimp.desktop\n"
        "launcher_item_app = /usr/share/applications/vlc.desktop\n"
        "launcher_item_app = /usr/share/applications/org.xfce.mousepad.desktop\n"
    ),
    ".config/lxterminal/lxterminal.conf": (
        "[general]\nfontname=DejaVu Sans Mono 10\ncursorblinks=false\nscrollback=1000\n"
        "hidescrollbar=false\ndisallowbold=false\n"
    ),
    ".config/pcmanfm/default/pcmanfm.conf": "[config]\nbm_open_method=0\n[ui]\nalways_show_tabs=0\n",
    ".config/libfm/libfm.conf": "[config]\nsingle_click=0\nconfirm_del=1\nuse_trash=1\n",
    ".asoundrc": "pcm.!default { type null }\nctl.!default { type null }\n",
    ".config/vlc/vlcrc": (
        f"[qt]\nqt-privacy-ask=0\nqt-updates-notif=0\n[core]\nextraintf=http\n"
        f"metadata-network-access=0\n[lua]\nhttp-password={VLC_PASSWORD}\nhttp-host=127.0.0.1\n"
    ),
    ".config/vlc/vlc-qt-interface.conf": "[MainWindow]\nstatus-bar-visible=false\n",
    ".config/GIMP/2.10/gimprc": (
        "(show-tips no)\n(check-updates no)\n(single-window-mode yes)\n"
        "(check-update-timestamp 4102444800)\n"
    ),
    ".config/chromium/Default/Preferences": (
        '{"browser":{"has_seen_welcome_page":true,"check_default_browser":false},'
        '"profile":{"exit_type":"Normal","exited_cleanly":true},'
        '"session":{"restore_on_startup":5},"credentials_enable_service":false}'
    ),
    ".config/chromium/First Run": "",
}  # fmt: skip


def write(folder: Path) -> None:
    """The whole folder. Raises OSError, or subprocess.SubprocessError when LibreOffice fails."""
    partial = folder.with_name(f"{folder.name}.partial-{secrets.token_hex(4)}")
    partial.mkdir(parents=True)
    try:
        for name in FOLDERS:
            (partial / name).mkdir()
        for path, content in _FILES.items():
            file = partial / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        # Task files call the browser, and its profile, by their names on OSWorld's machines.
        (partial / ".config/google-chrome").symlink_to("chromium")
        wrappers.write(partial)
        thunderbird.write(partial)
        gimp.write(partial)
        _write_office_profile(partial)
        try:
            partial.rename(folder)
        except OSError:
            if not folder.is_dir():  # another process may have made it meanwhile
                raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write_office_profile(home: Path) -> None:
    """Starts LibreOffice once, without a window, until its profile is there; then sets it up."""
    profile = home / OFFICE_PROFILE
    user = profile / "user"
    user.mkdir(parents=True)
    settings = user / "registrymodifications.xcu"
    settings.write_text(_office_settings())
    start_once(
        ["soffice", "--headless", "--norestore", "--nologo",
         f"-env:UserInstallation=file://{profile}", "--cat", str(settings)],
        {"HOME": str(home)}, OFFICE_FIRST_START_S,
    )  # fmt: skip
    (profile / ".lock").unlink(missing_ok=True)
    shutil.rmtree(home / ".cache", ignore_errors=True)


def _office_settings() -> str:
    items = "".join(
        f'<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{value}</value></prop></item>\n"
        for path, name, value in _OFFICE_ITEMS
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n' + items + "</oor:items>\n"
    )


def main() -> None:
    """Command line: writes a pristine home folder."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m envs.desktop.profiles.pristine FOLDER")
    folder = Path(sys.argv[1])
    if folder.exists():
        sys.exit(f"{folder} exists already")
    write(folder)


if __name__ == "__main__":
    main()
