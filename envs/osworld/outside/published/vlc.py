"""OSWorld's metrics of what VLC plays, and of its settings (vlcrc).

Guarantees: a commented line of vlcrc sets nothing; the last line that sets a name counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from lxml import etree

from envs.osworld.outside.metric_modules import Metric
from envs.osworld.outside.published.error_policy import Unreadable, unreadable_scores_0

SLIDER = "153;210;153;20;210;20;255;199;15;245;39;29"
BLACKISH = 100
"""Red, green and blue are all below."""
NAMES = ("filename", "title", "uri", "location", "name")
ADDRESSES = ("url", "URI", "location", "title", "filename")


@unreadable_scores_0
def is_vlc_playing(result: Path, expected: Mapping[str, str]) -> float:
    """1 when the status says that the file `file_name` plays, or a stream from `url`; of streams
    VLC may tell the name of the file alone. Raises ValueError for another `type`."""
    status = _status(result)
    if expected["type"] == "file_name":
        texts = _status_texts(status, NAMES)
        names = [PurePosixPath(unquote(name)).name for name in texts] + texts
        return float(_plays(status) and expected["file_name"] in names)
    if expected["type"] == "url":
        texts = _status_texts(status, ADDRESSES)
        return float(_plays(status) and any(_streams(text, expected["url"]) for text in texts))
    raise ValueError(f"type is {expected['type']!r}, not 'file_name' or 'url'")


def is_vlc_playing_compat(result: Path, expected: Mapping[str, str]) -> float:
    """Looks at the first thing that is said alone; a file whose name ends so will do. Raises
    AttributeError where no state is said, SyntaxError for what is no XML."""
    status = etree.fromstring(result.read_bytes(), _parser())
    state = status.find("state")
    if state is None:
        raise AttributeError("no state")
    if state.text != "playing" or expected["type"] not in ("file_name", "url"):
        return 0.0
    if expected["type"] == "file_name":
        return float(any(map(_ends_with(expected["file_name"]), _status_texts(status, NAMES)[:1])))
    texts = _status_texts(status, ADDRESSES) + _status_texts(
        status, ("Codec", "Type", "Language"), "Stream 0"
    )
    return float(any(_streams(text, expected["url"], within=True) for text in texts[:1]))


def is_vlc_fullscreen(
    result: Mapping[str, int] | None, expected: Mapping[str, int] | None
) -> float:
    """1 when window and screen are of one size; 0 when either is not known."""
    if result is None or expected is None:
        return 0.0
    return float(all(result[side] == expected[side] for side in ("width", "height")))


def is_vlc_recordings_folder(result: Path, expected: Mapping[str, str]) -> float:
    """1 when recordings go to this folder."""
    return float(_setting(result, "input-record-path", "") == expected["recording_file_path"])


def is_vlc_recordings_folder_compat(result: Path, expected: Mapping[str, str]) -> float:
    """The first line that has the name anywhere counts. Raises UnicodeDecodeError."""
    for line in _lines(result):
        if not line.startswith("#") and "input-record-path" in line:
            return float(line.split("=")[-1].strip() == expected["recording_file_path"])
    return 0.0


def check_qt_slider_colours(result: Path, expected: Mapping[str, str]) -> float:
    """1 when the slider's four colours are these ("match"), or all dark ("blackish"). Raises
    ValueError for another `type`."""
    colours = _setting(result, "qt-slider-colours", SLIDER)
    if expected["type"] == "match":
        return float(colours == expected["expected_qt_slider_colours"])
    if expected["type"] != "blackish":
        raise ValueError(f"type is {expected['type']!r}, not 'match' or 'blackish'")
    values = colours.split(";")
    return float(len(values) == 12 and all(_dark(value) for value in values))


def check_qt_slider_colours_compat(result: Path, expected: Mapping[str, str]) -> float:
    """An incomplete colour is left out: none at all is blackish. Raises UnicodeDecodeError."""
    colours = _last_mention(result, "qt-slider-colours", SLIDER)
    if expected["type"] == "match":
        return float(colours == expected["expected_qt_slider_colours"])
    try:
        values = [int(value) for value in colours.split(";")]
    except ValueError:
        return 0.0
    whole = values[: len(values) // 3 * 3]
    return float(expected["type"] == "blackish" and all(value < BLACKISH for value in whole))


def check_global_key_play_pause(result: Path, expected: Mapping[str, int | str]) -> float:
    """Whether a key plays and pauses from any program: "1" or "0"."""
    key = _setting(result, "global-key-play-pause", "")
    return float(str(int(key != "")) == str(expected["expected_global_key_play_pause"]))


def check_global_key_play_pause_compat(result: Path, expected: Mapping[str, int | str]) -> float:
    """A key in a commented line is set. Raises UnicodeDecodeError."""
    key = _last_mention(result, "global-key-play-pause=", "")
    return float(str(int(key != "")) == str(expected["expected_global_key_play_pause"]))


def _check_of(setting: str, default: str) -> Metric:
    """A metric of a setting: `expected_<setting>` is the value, `default` what VLC takes when the
    file says nothing."""
    name, key = setting.replace("_", "-"), f"expected_{setting}"

    def check(result: Path, expected: Mapping[str, int | str]) -> float:
        return float(_setting(result, name, default) == str(expected[key]))

    return check


def _compat_of(setting: str, default: str) -> Metric:
    """OSWorld's metric of a setting: a commented line is one too. Raises UnicodeDecodeError."""
    name, key = setting.replace("_", "-"), f"expected_{setting}"

    def check(result: Path, expected: Mapping[str, int | str]) -> float:
        return float(_last_mention(result, f"{name}=", default) == str(expected[key]))

    return check


check_qt_bgcone = _check_of("qt_bgcone", "1")
check_qt_bgcone_compat = _compat_of("qt_bgcone", "1")
check_qt_max_volume = _check_of("qt_max_volume", "125")
check_qt_max_volume_compat = _compat_of("qt_max_volume", "125")
check_qt_minimal_view = _check_of("qt_minimal_view", "0")
check_qt_minimal_view_compat = _compat_of("qt_minimal_view", "0")
check_one_instance_when_started_from_file = _check_of("one_instance_when_started_from_file", "1")
check_one_instance_when_started_from_file_compat = _compat_of(
    "one_instance_when_started_from_file", "1"
)
check_play_and_exit = _check_of("play_and_exit", "0")
check_play_and_exit_compat = _compat_of("play_and_exit", "0")


def _setting(vlcrc: Path, name: str, default: str) -> str:
    """What the file sets, without white space around it."""
    value = default
    for line in vlcrc.read_text(encoding="utf-8", errors="replace").splitlines():
        key, separator, rest = line.partition("=")
        if separator and key.strip() == name:
            value = rest.strip()
    return value


def _last_mention(vlcrc: Path, name: str, default: str) -> str:
    """What follows the last equals sign of the last line with this in it, commented or not."""
    for line in reversed(_lines(vlcrc)):
        if name in line:
            return line.split("=")[-1].strip()
    return default


def _lines(vlcrc: Path) -> list[str]:
    return vlcrc.read_bytes().decode("utf-8").split("\n")


def _dark(value: str) -> bool:
    return value.strip().isdecimal() and int(value) < BLACKISH


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True)


def _status(path: Path) -> etree._Element:
    try:
        return etree.fromstring(path.read_bytes(), _parser())
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(str(error)) from error


def _plays(status: etree._Element) -> bool:
    return bool(status.findtext("state") == "playing")


def _status_texts(
    status: etree._Element, names: tuple[str, ...], category: str = "meta"
) -> list[str]:
    paths = (f"information/category[@name='{category}']/info[@name='{name}']" for name in names)
    return [text for path in paths if (text := status.findtext(path))]


def _ends_with(name: str) -> Callable[[str], bool]:
    return lambda text: text.endswith(name)


def _streams(text: str, url: str, within: bool = False) -> bool:
    """Whether what VLC says is this address, or its last part. `within`: a path that holds this
    one's will do."""
    address = urlsplit(url)
    if url in text or text == PurePosixPath(address.path).name:
        return True
    stated = urlsplit(text) if "://" in text else None
    if stated is None or stated.netloc != address.netloc:
        return False
    return address.path in stated.path if within else stated.path == address.path
