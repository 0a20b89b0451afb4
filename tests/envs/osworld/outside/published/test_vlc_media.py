"""Metrics of pictures, sounds and films."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageOps

from envs.osworld.outside.published import vlc_media as media
from tests.osworld.media import film, sound
from tests.osworld.pictures import scene

CHORD = [440, 550, 660]


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    (tmp_path / "broken").write_bytes(b"nothing of the kind")
    return tmp_path / "broken"


def _saved(path: Path, image: Image.Image) -> Path:
    image.save(path)
    return path


def _animation(path: Path, frames: list[Image.Image]) -> Path:
    first, *rest = [frame.quantize(64) for frame in frames]
    first.save(path, save_all=True, append_images=rest, duration=100)
    return path


def test_pictures_are_alike_by_structure(tmp_path: Path, broken: Path) -> None:
    gold = _saved(tmp_path / "gold.png", scene())
    assert media.compare_images(gold, gold) == pytest.approx(1)
    assert media.compare_images(_saved(tmp_path / "5.png", scene(5)), gold) < 0.6
    assert media.compare_images(broken, gold) == 0
    assert media.compare_images(_saved(tmp_path / "s.png", scene().resize((5, 5))), gold) == 0


def test_what_is_worse_than_nothing_scores_nothing(tmp_path: Path) -> None:
    gold = _saved(tmp_path / "gold.png", scene())
    negative = _saved(tmp_path / "negative.png", ImageOps.invert(scene()))
    assert media.compare_images(negative, gold) == 0
    assert media.compare_images_compat(negative, gold) < 0


def test_a_wrong_picture_is_the_base(tmp_path: Path) -> None:
    gold, other = (_saved(tmp_path / f"{seed}.png", scene(seed)) for seed in (0, 5))
    base = media.compare_images(other, gold)
    assert media.compare_images(other, gold, reference_base_result=base) == 0
    assert media.compare_images(gold, gold, reference_base_result=base) == pytest.approx(1)


def test_an_animation_is_more_than_its_first_picture(tmp_path: Path) -> None:
    scenes = [scene(seed) for seed in range(10)]
    gold = _animation(tmp_path / "gold.gif", scenes)
    frozen = _animation(tmp_path / "frozen.gif", [*scenes[:1] * 9, scenes[1]])
    still = _saved(tmp_path / "still.gif", scenes[0].quantize(64))
    assert media.compare_images(gold, gold) == pytest.approx(1)
    assert media.compare_images(frozen, gold) < 0.7
    assert media.compare_images(still, gold) == 0
    assert media.compare_images_compat(frozen, gold) == pytest.approx(1)


def test_a_sound_is_like_itself_in_another_format(tmp_path: Path) -> None:
    gold = sound(tmp_path / "gold.wav", CHORD)
    assert media.compare_audios(gold, gold) == pytest.approx(1)
    assert media.compare_audios(sound(tmp_path / "a.ogg", CHORD), gold) > 0.9
    assert media.compare_audios(sound(tmp_path / "a.wav", CHORD, rate=44_100), gold) > 0.9
    assert media.compare_audios(sound(tmp_path / "b.wav", [3000, 90, 5000]), gold) < 0.8


def test_a_film_has_a_sound(tmp_path: Path) -> None:
    import av

    gold, made = sound(tmp_path / "gold.wav", CHORD, rate=44_100), tmp_path / "film.m4a"
    with av.open(str(gold)) as source, av.open(str(made), "w") as target:
        stream = target.add_stream("aac", rate=44_100)
        for frame in source.decode(audio=0):
            target.mux(stream.encode(frame))
        target.mux(stream.encode())
    assert media.compare_audios(made, gold) > 0.8


def test_broken_sounds_and_films_score_nothing(tmp_path: Path, broken: Path) -> None:
    tone, shown = sound(tmp_path / "a.wav", [440]), film(tmp_path / "a.mp4", [scene()] * 5)
    assert [media.compare_audios(*pair) for pair in ((broken, tone), (tone, broken))] == [0, 0]
    assert [media.compare_videos(*pair) for pair in ((broken, shown), (shown, broken))] == [0, 0]
    assert (media.compare_audios(broken, broken), media.compare_videos(broken, broken)) == (0, 0)
    assert media.compare_audios_compat(broken, broken) == 1
    assert media.compare_videos_compat(broken, broken) == 1


def test_films_are_alike_by_their_frames(tmp_path: Path) -> None:
    frames = [scene(seed // 5) for seed in range(40)]
    gold = film(tmp_path / "gold.mp4", frames)
    assert media.compare_videos(gold, gold) == 1
    assert media.compare_videos(film(tmp_path / "again.mp4", frames, crf=30), gold) == 1
    flipped = film(tmp_path / "flipped.mp4", [ImageOps.flip(frame) for frame in frames])
    assert media.compare_videos(flipped, gold) == 0
    shorter = film(tmp_path / "shorter.mp4", frames[:30])
    assert media.compare_videos(shorter, gold) == 0
    assert media.compare_videos(shorter, gold, max_frames_to_check=30) == 1


def test_a_few_frames_may_differ(tmp_path: Path) -> None:
    frames = [scene()] * 20
    gold = film(tmp_path / "gold.mp4", frames)
    five = film(tmp_path / "five.mp4", [scene(99)] * 5 + frames[5:])
    six = film(tmp_path / "six.mp4", [scene(99)] * 6 + frames[6:])
    assert (media.compare_videos(five, gold), media.compare_videos(six, gold)) == (1, 0)
