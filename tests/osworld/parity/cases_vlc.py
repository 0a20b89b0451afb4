"""Cases of upstream's module vlc: what plays, vlcrc, pictures, sounds, films."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageOps

from tests.osworld.media import film, sound
from tests.osworld.parity.case import Case, cases_in
from tests.osworld.pictures import scene

_case = cases_in("vlc")

STATUS = """<?xml version="1.0" encoding="utf-8"?>
<root><state>{state}</state><information>
<category name="meta">{meta}</category>
<category name="Stream 0"><info name="Codec">H264</info></category>
</information></root>"""
STREAM = "https://video.example.org/examples/adv/master.m3u8"


def cases(folder: Path) -> Iterator[Case]:
    yield from _playing(folder)
    yield from _windows()
    yield from _settings(folder)
    yield from _recordings(folder)
    yield from _colours(folder)
    yield from _pictures(folder)
    yield from _sounds(folder)
    yield from _films(folder)


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def _playing(folder: Path) -> Iterator[Case]:
    file = {"type": "file_name", "file_name": "Song (Video).mp4"}
    url = {"type": "url", "url": STREAM}
    for name, rule, state, meta, differs in (
        ("file", file, "playing", {"filename": "Song (Video).mp4"}, ""),
        ("file, paused", file, "paused", {"filename": "Song (Video).mp4"}, ""),
        ("file, another", file, "playing", {"filename": "Song.mp4"}, ""),
        ("file, its address", file, "playing", {"uri": "file:///home/Song (Video).mp4"}, ""),
        ("file, nothing said", file, "playing", {}, ""),
        ("file, longer", file, "playing", {"filename": "My Song (Video).mp4"}, "playing-suffix"),
        ("file, quoted", file, "playing", {"uri": "file:///Song%20%28Video%29.mp4"},
         "playing-quoted"),
        ("url", url, "playing", {"url": STREAM}, ""),
        ("url, its file", url, "playing", {"filename": "master.m3u8"}, ""),
        ("url, another", url, "playing", {"filename": "other.m3u8"}, ""),
        ("url, with a query", url, "playing", {"url": STREAM + "?a=1"}, ""),
        ("url, stopped", url, "stopped", {"url": STREAM}, ""),
        ("url, titled", url, "playing", {"title": "Advert", "filename": "master.m3u8"},
         "playing-first-info"),
        ("url, nothing said", url, "playing", {}, ""),
    ):  # fmt: skip
        info_tags = "".join(f'<info name="{key}">{text}</info>' for key, text in meta.items())
        path = _written(folder / f"{name}.xml", STATUS.format(state=state, meta=info_tags))
        yield _case("is_vlc_playing", name, path, rule, differs)
    path = _written(folder / "broken.xml", "<root>")
    yield _case("is_vlc_playing", "broken", path, file, "malformed-xml")


def _windows() -> Iterator[Case]:
    size, other = {"width": 1920, "height": 1080}, {"width": 1920, "height": 1053}
    yield _case("is_vlc_fullscreen", "same", size, dict(size))
    yield _case("is_vlc_fullscreen", "lower", size, other)
    yield _case("is_vlc_fullscreen", "no window", size, None)


def _settings(folder: Path) -> Iterator[Case]:
    for setting, default, value in (
        ("qt_bgcone", "1", 0), ("qt_max_volume", "125", 200), ("qt_minimal_view", "0", 1),
        ("one_instance_when_started_from_file", "1", 0), ("global_key_play_pause", "", 1),
    ):  # fmt: skip
        key = setting.replace("_", "-")
        shown = "Ctrl+P" if setting.startswith("global") else value
        for name, text, differs in (
            ("set", f"[qt]\n# Text (integer)\n{key}={shown}\n", ""),
            ("default", f"[qt]\n# Text (integer)\n#{key}={default}\n", ""),
            ("empty", "", ""),
            ("set to another", f"{key}={default}\n", ""),
            ("in a comment", f"#{key}={shown}\n", "vlcrc-comments"),
        ):
            path = _written(folder / f"{key} {name}", text)
            yield _case(f"check_{setting}", name, path, {f"expected_{setting}": value}, differs)


def _recordings(folder: Path) -> Iterator[Case]:
    rule = {"recording_file_path": "/home/user/Desktop"}
    for name, text, differs in (
        ("set", "# Record\ninput-record-path=/home/user/Desktop\n", ""),
        ("another", "input-record-path=/home/user/Videos\n", ""),
        ("default", "#input-record-path=\n", ""),
        ("empty", "", ""),
        (
            "set twice",
            "input-record-path=/tmp\ninput-record-path=/home/user/Desktop",
            "vlcrc-first",
        ),
    ):
        path = _written(folder / f"record {name}", text)
        yield _case("is_vlc_recordings_folder", name, path, rule, differs)


def _colours(folder: Path) -> Iterator[Case]:
    dark = ";".join(["20"] * 12)
    same = {"type": "match", "expected_qt_slider_colours": dark}
    for name, text, differs in (
        ("dark", f"qt-slider-colours={dark}\n", ""),
        ("bright", "qt-slider-colours=" + ";".join(["20"] * 11 + ["200"]), ""),
        ("default", "#qt-slider-colours=153;210;153;20;210;20;255;199;15;245;39;29", ""),
        ("nonsense", "qt-slider-colours=black", ""),
    ):
        path = _written(folder / f"colours {name}", text)
        yield _case("check_qt_slider_colours", name, path, {"type": "blackish"}, differs)
        yield _case("check_qt_slider_colours", f"{name}, match", path, same, differs)
    path = _written(folder / "colours two", "qt-slider-colours=20;20")
    yield _case("check_qt_slider_colours", "two", path, {"type": "blackish"}, "slider-incomplete")


def _pictures(folder: Path) -> Iterator[Case]:
    frames = {
        "scene": scene(), "another": scene(5), "large": scene().resize((240, 160)),
        "grey": scene().convert("L"), "negative": ImageOps.invert(scene()),
        "tiny": scene().resize((5, 5)),
    }  # fmt: skip
    files = {name: folder / f"{name}.png" for name in frames}
    for name, image in frames.items():
        image.save(files[name])
    gold = files["scene"]
    for name in ("scene", "another", "large", "grey"):
        yield _case("compare_images", name, files[name], gold)
        yield _case("compare_images", f"{name}, base", files[name], gold, reference_base_result=0.5)
    yield _case("compare_images", "negative", files["negative"], gold, "images-negative")
    yield _case("compare_images", "tiny", files["tiny"], gold, "malformed-image")
    broken = _written(folder / "broken.png", "no picture")
    yield _case("compare_images", "broken", broken, gold, "malformed-image")
    animations = [folder / f"{name}.gif" for name in ("same", "frozen")]
    first, *rest = [scene(seed).quantize(64) for seed in range(10)]
    for path, others in zip(animations, (rest, [first] * 9 + [rest[0]]), strict=True):
        first.save(path, save_all=True, append_images=others, duration=100)
    same, frozen = animations
    yield _case("compare_images", "animation", same, same)
    yield _case("compare_images", "another animation", frozen, same, "gif-first-frame")
    Image.open(same).save(folder / "still.gif")
    yield _case("compare_images", "still", folder / "still.gif", same, "gif-first-frame")


def _sounds(folder: Path) -> Iterator[Case]:
    gold = sound(folder / "gold.wav", [440, 550, 660])
    for name, path in (
        ("same", gold),
        ("another rate", sound(folder / "rate.wav", [440, 550, 660], rate=44100)),
        ("stereo", sound(folder / "stereo.wav", [440, 550, 660], channels=2)),
        ("softer", sound(folder / "softer.wav", [440, 550, 660], volume=0.2)),
        ("another", sound(folder / "another.wav", [2000, 3000, 200])),
        ("shorter", sound(folder / "shorter.wav", [440, 550])),
        ("compressed", sound(folder / "gold.ogg", [440, 550, 660])),
        ("mp3", sound(folder / "gold.mp3", [440, 550, 660])),
        ("broken", _written(folder / "broken.mp3", "no sound")),
    ):
        yield _case("compare_audios", name, path, gold)
    broken = folder / "broken.mp3"
    yield _case("compare_audios", "both broken", broken, broken, "audio-both-broken")


def _films(folder: Path) -> Iterator[Case]:
    frames = [scene(seed // 5) for seed in range(40)]
    gold = film(folder / "gold.mp4", frames)
    broken = _written(folder / "broken.mp4", "no film")
    for name, path in (
        ("same", gold),
        ("encoded again", film(folder / "again.mp4", frames, crf=30)),
        ("upside down", film(folder / "flipped.mp4", [ImageOps.flip(frame) for frame in frames])),
        ("another", film(folder / "another.mp4", [scene(99)] * 40)),
        ("shorter", film(folder / "shorter.mp4", frames[:30])),
        ("four frames differ", film(folder / "four.mp4", [scene(99)] * 4 + frames[4:])),
        ("broken", broken),
    ):
        yield _case("compare_videos", name, path, gold)
    shorter = folder / "shorter.mp4"
    yield _case("compare_videos", "thirty frames", shorter, gold, max_frames_to_check=30)
    yield _case("compare_videos", "both broken", broken, broken, "video-both-broken")
