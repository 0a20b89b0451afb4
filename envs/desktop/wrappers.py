"""Programs under their own names, with the switches that a desktop here needs.

They lie in the home folder's .local/bin, first on PATH, so that panels, file managers and agents
start programs alike: LibreOffice with its UNO pipe, Chromium with accessibility and DevTools inside
the box. A conversion by a LibreOffice that is busy with a document is asked for again.
"""

from __future__ import annotations

from pathlib import Path

from envs.desktop.office_bridge import PIPE, PROGRAM

BIN = ".local/bin"
CHROMIUM_PORT = 9222
VLC_PORT = 8080

CONVERT_S = 30
"""A conversion is asked for again until then; a verdict's collection ends after 60 s."""
_OFFICE = (
    "exec env -u PYTHONHOME -u PYTHONPATH PYTHONNOUSERSITE=1 PYTHONSAFEPATH=1 /usr/bin/soffice "
    f'--accept="pipe,name={PIPE};urp" --norestore --nologo "$@"'
)
"""The office tools run in LibreOffice's own Python, which takes no modules from the home folder.
Nor does it take any from where a program that starts LibreOffice has its own."""
_BOUND_OFFICE = _OFFICE.replace("exec", "timeout $left", 1)
_CONVERTING_OFFICE = f"""kind= folder=. word_before=
for word; do
  case $word_before in
  --convert-to) kind=${{word%%:*}} ;;
  --outdir) folder=$word ;;
  *) case $word in -*) ;; *) [ -f "$word" ] || {_OFFICE} ;; esac ;;
  esac
  word_before=$word
done
[ -n "$kind" ] && pgrep -x {PROGRAM} >/dev/null || {_OFFICE}

is_complete() {{
  word_before=
  for word; do
    case $word_before:$word in
    --convert-to:* | --outdir:* | *:-*) ;;
    *)
      stem=${{word##*/}}
      stem=${{stem%.*}}
      find "$folder/$stem.$kind" "$folder/$stem"-*."$kind" -newer "$start" 2>/dev/null |
        grep -q . || return 1
      ;;
    esac
    word_before=$word
  done
}}

start=$(mktemp)
trap 'rm -f "$start"' EXIT
deadline=$(($(date +%s) + {CONVERT_S}))
while left=$((deadline - $(date +%s))) && [ $left -gt 0 ]; do
  {_BOUND_OFFICE}
  is_complete "$@" && exit
  sleep 1
done
echo "LibreOffice wrote no $kind file: it is busy, shows a dialog, or cannot convert this" >&2
exit 1"""
"""LibreOffice hands its words to the one that runs, which drops a request to convert that comes
while it saves a document; both end with status 0. So the wrapper looks for each file's result (of
a workbook there may be one for each sheet, name-Sheet1.csv)."""
_CHROMIUM = (
    f"exec /usr/bin/chromium --no-sandbox --disable-gpu --disable-dev-shm-usage "
    "--force-renderer-accessibility "
    "--disable-background-networking --disable-component-update --disable-sync --no-first-run "
    "--no-default-browser-check --password-store=basic --disable-features=Translate,MediaRouter "
    "--test-type "
    f'"$@" --remote-debugging-port={CHROMIUM_PORT}'
)
"""The port comes last, so that it holds whatever port a task file starts Chromium with."""
_PROGRAMS = {
    "soffice": _CONVERTING_OFFICE,
    "libreoffice": _CONVERTING_OFFICE,
    "localc": _OFFICE.replace('"$@"', '--calc "$@"'),
    "lowriter": _OFFICE.replace('"$@"', '--writer "$@"'),
    "loimpress": _OFFICE.replace('"$@"', '--impress "$@"'),
    "chromium": _CHROMIUM,
    "google-chrome": _CHROMIUM,
    "vlc": f'exec /usr/bin/vlc --extraintf http --http-port {VLC_PORT} "$@"',
    "gnome-terminal": 'exec /usr/bin/lxterminal "$@"',
    "gedit": 'exec /usr/bin/mousepad "$@"',
    "nautilus": 'exec /usr/bin/pcmanfm "$@"',
    "python": 'exec "$DESKHAND_PYTHON" "$@"',
}

APPLICATIONS: dict[str, tuple[str, ...]] = {
    "calc": ("localc",),
    "writer": ("lowriter",),
    "impress": ("loimpress",),
    "chromium": ("chromium",),
    "files": ("pcmanfm",),
    "terminal": ("lxterminal",),
    "editor": ("mousepad",),
    "mail": ("thunderbird",),
    "gimp": ("gimp",),
    "vlc": ("vlc",),
}
"""Names of the `launch` action, and what they start."""
OTHER_NAMES = {
    "libreoffice calc": "calc", "libreoffice writer": "writer", "libreoffice impress": "impress",
    "chrome": "chromium", "browser": "chromium", "google chrome": "chromium", "thunderbird": "mail",
    "text editor": "editor", "gedit": "editor", "mousepad": "editor", "file manager": "files",
    "nautilus": "files", "pcmanfm": "files", "xterm": "terminal", "lxterminal": "terminal",
    "vs code": "code",
}  # fmt: skip


def write(home: Path) -> None:
    """Writes the wrapper scripts into a folder."""
    folder = home / BIN
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in _PROGRAMS.items():
        script = folder / name
        script.write_text(f"#!/bin/sh\n{command}\n")
        script.chmod(0o755)
