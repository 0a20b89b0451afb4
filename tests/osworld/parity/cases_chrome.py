"""Cases of upstream's module chrome: tabs, the profile, archives, pages."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.osworld.parity.case import Case, cases_in

_case = cases_in("chrome")

PAGE = "<html><body><table>{cells}</table></body></html>"
CELL = '<tr><td sdval="1" sdnum="{sdnum}"><b>one</b> two</td></tr>'


def cases(folder: Path) -> Iterator[Case]:
    yield from _tabs()
    yield from _patterns()
    yield from _all_tabs()
    yield from _bookmarks()
    yield from _profile()
    yield from _archives(folder)
    yield from _pages(folder)


def _tabs() -> Iterator[Case]:
    for name, shown, expected, differs in (
        ("same", "https://www.drugs.com/npc/", "https://www.drugs.com/npc/", ""),
        ("without www", "https://drugs.com/npc/", "https://www.drugs.com/npc/", ""),
        ("another ending", "https://www.airbnb.co.uk", "https://www.airbnb.com", ""),
        ("another site below", "https://m.drugs.com/npc/", "https://www.drugs.com/npc/", ""),
        ("another path", "https://www.drugs.com/npp/", "https://www.drugs.com/npc/", ""),
        ("without its last slash", "https://drugs.com/npc", "https://drugs.com/npc/", ""),
        ("an empty path", "https://drugs.com/", "https://drugs.com", ""),
        ("another scheme", "http://drugs.com/", "https://drugs.com", ""),
        ("a query", "https://drugs.com/?a=1", "https://drugs.com", ""),
        ("a fragment", "https://drugs.com/#a", "https://drugs.com", ""),
        ("of Chrome's own", "chrome://settings/", "chrome://settings", ""),
        ("a file", "file:///home/a.html", "file:///home/b.html", ""),
        ("another port", "http://localhost:8000/", "http://localhost:9000/", "url-port"),
        ("nonsense", "http://[", "https://drugs.com", "url-unparsed"),
    ):
        rule = {"type": "url", "url": expected}
        yield _case("is_expected_active_tab", name, shown, rule, differs)
        yield _case("is_expected_active_tab", f"{name}, object", {"url": shown}, rule, differs)
        approximate = "" if differs == "url-port" else differs
        yield _case("is_expected_active_tab_approximate", name, {"url": shown}, rule, approximate)
    rule = {"type": "url", "url": "https://drugs.com"}
    for metric in ("is_expected_active_tab", "is_expected_active_tab_approximate"):
        yield _case(metric, "no tab", None, rule)
        yield _case(metric, "no address", {"title": "x"}, rule)


def _patterns() -> Iterator[Case]:
    url = "https://scholar.google.com/citations?hl=en&user=qRAQ5BsAAAAJ"
    both = {"expected": ["^https://scholar", "user=qRAQ"]}
    for name, shown, rule, differs in (
        ("both", url, both, ""),
        ("object", {"url": url, "title": "x"}, both, ""),
        ("one of two", "https://scholar.google.com/", both, ""),
        ("none", "https://example.org", both, ""),
        ("no tab", None, both, ""),
        ("empty", "", both, ""),
        ("object without an address", {"title": "x"}, both, ""),
        ("address is null", {"url": None}, both, "url-null"),
    ):
        yield _case("is_expected_url_pattern_match", name, shown, rule, differs)
    rule = {"expect": {"pattern": "(?i)google\\.com/search\\?q=nereida(?:&|$)"}}
    for name, shown in (
        ("searched", "https://www.google.com/search?q=Nereida&hl=en"),
        ("another word", "https://www.google.com/search?q=other"),
    ):
        yield _case("is_expected_search_query", name, {"url": shown}, rule)
    yield _case("is_expected_search_query", "no tab", None, rule)
    yield _case("is_expected_search_query", "no address", {"title": "x"}, rule, "url-null")


def _all_tabs() -> Iterator[Case]:
    expected = ["https://github.com", "https://docs.python.org/3/"]
    rule = {"type": "url", "urls": expected}
    for name, shown in (
        ("same", expected),
        ("other order", expected[::-1]),
        ("one more", [*expected, "chrome://newtab/"]),
        ("one less", expected[:1]),
        ("one twice", [expected[0]] * 2),
        ("none", []),
    ):
        yield _case("is_expected_tabs", name, [{"url": url, "title": ""} for url in shown], rule)
    twice = {"type": "url", "urls": [expected[0]] * 2}
    tabs = [{"url": url} for url in expected]
    yield _case("is_expected_tabs", "wanted twice", tabs, twice, "tabs-counted")
    yield _case("is_expected_installed_extensions", "more", ["a", "b"], {"expected": ["b"]})
    yield _case("is_expected_installed_extensions", "less", ["a"], {"expected": ["a", "b"]})
    yield _case("is_expected_installed_extensions", "none", [], {"expected": ["b"]})
    for name, shown in (("all", "A cart: Dota 2, Portal"), ("one", "Portal"), ("none", "")):
        rule = {"items": ["Portal", "Dota 2"]}
        yield _case("is_added_to_steam_cart", name, {"content": shown}, rule)


def _bookmarks() -> Iterator[Case]:
    def page(url: str) -> dict[str, Any]:
        return {"type": "url", "name": url, "url": url}

    def book(name: str, *children: Mapping[str, Any]) -> dict[str, Any]:
        return {"type": "folder", "name": name, "children": list(children)}

    def bar(*children: Mapping[str, Any]) -> dict[str, Any]:
        return {"bookmark_bar": book("Bookmarks bar", *children), "other": book("Other")}

    metric, first, other = "is_expected_bookmarks", page("https://a.org/"), page("https://b.org/")
    folders = {"type": "bookmark_bar_folders_names", "names": ["Favorites"]}
    pages = {"type": "bookmark_bar_websites_urls", "urls": ["https://a.org/"]}
    liked = {"type": "liked_authors_websites_urls", "names": ["Liked Authors"],
             "urls": [["https://a.org/", "https://b.org/"], "https://c.org/"]}  # fmt: skip
    for name, marks, rule in (
        ("folder", bar(book("Favorites"), first), folders),
        ("another folder", bar(book("Favourites")), folders),
        ("one folder more", bar(book("Favorites"), book("x")), folders),
        ("no folder", bar(), folders),
        ("page", bar(first, book("x")), pages),
        ("two pages", bar(first, other), pages),
        ("no file", {}, pages),
        (
            "liked",
            bar(book("Liked Authors", page("https://b.org/"), page("https://c.org/"))),
            liked,
        ),
        ("liked, one", bar(book("Liked Authors", page("https://b.org/"))), liked),
        ("liked elsewhere", bar(other, page("https://c.org/")), liked),
        ("liked, both of one", bar(book("Liked Authors", first, other)), liked),
    ):
        yield _case(metric, name, marks, rule)


def _profile() -> Iterator[Case]:
    rule = {"type": "domains", "domains": [".amazon.com"]}
    for name, hosts, differs in (
        ("none", [], ""), ("others", [".example.org", "www.google.com"], ""),
        ("kept", [".amazon.com"], ""), ("with www", ["www.amazon.com"], ""),
        ("another ending", [".amazon.co.uk"], ""), ("alike", ["amazonia.org"], ""),
        ("a host below", ["ads.amazon.com"], "cookie-below"),
    ):  # fmt: skip
        cookies = [[1, host, "name", "value"] for host in hosts]
        yield _case("is_cookie_deleted", name, cookies, rule, differs)
    rule = {"type": "keywords", "keywords": ["youtube"]}
    for name, url in (("kept", "https://www.youtube.com/a"), ("gone", "https://example.org")):
        yield _case("check_history_deleted", name, [[url, "Title", 0]], rule)
    yield _case("check_history_deleted", "empty", [], rule)
    metric, text = "is_shortcut_on_desktop", "[Desktop Entry]\n{}={}\nType=Application\n"
    named, run = {"type": "name", "name": "Play 2048"}, {"type": "exec", "exec": "play 2048"}
    for name, content, rule, differs in (
        ("name", text.format("Name", "Play 2048"), named, ""),
        ("another name", text.format("Name", "Play 2048 now"), named, ""),
        ("exec", text.format("Exec", "play 2048"), run, ""),
        ("name for exec", text.format("Name", "play 2048"), run, ""),
        ("generic name", text.format("GenericName", "Play 2048"), named, "shortcut-line"),
        ("no last line end", "Name=Play 2048", named, "shortcut-line"),
    ):
        yield _case(metric, name, {"/home/a.desktop": content}, rule, differs)
    yield _case(metric, "no file", {}, named)
    metric, rule = "check_enabled_experiments", {"type": "names", "names": ["a", "b"]}
    for name, listed, differs in (
        ("same", ["a@1", "b@2"], ""), ("one", ["a@1"], ""), ("none", [], ""),
        ("other order", ["b@1", "a@1"], "experiments-order"),
    ):  # fmt: skip
        yield _case(metric, name, listed, rule, differs)
    for size in (16, 17, 24):
        sizes = {"default_font_size": size}
        yield _case(
            "check_font_size", f"{size} in a range", sizes, {"type": "range", "min": 16, "max": 99}
        )
        yield _case("check_font_size", f"{size}", sizes, {"type": "value", "value": 17})
    wide = {"default_font_size": "wide"}
    yield _case(
        "check_font_size", "a word", wide, {"type": "range", "min": 1, "max": 9}, "font-type"
    )


def _archives(folder: Path) -> Iterator[Case]:
    files = {"a.txt": "one", "b.txt": "two"}
    gold = _zip(folder / "gold.zip", files)
    for name, content, differs in (
        ("same", files, ""),
        ("one differs", {**files, "b.txt": "three"}, ""),
        ("one less", {"a.txt": "one"}, ""),
        ("one more", {**files, "c.txt": ""}, ""),
    ):
        yield _case("compare_archive", name, _zip(folder / f"{name}.zip", content), gold, differs)
    path = _zip(folder / "case.zip", {**files, "b.txt": "TWO"})
    yield _case("compare_archive", "its options", path, gold, ignore_case=True)
    inner = {f"in/{name}": text for name, text in files.items()}
    below = _zip(folder / "below.zip", inner)
    yield _case("compare_archive", "below", below, _zip(folder / "g.zip", inner), file_path="in")
    yield _case("compare_archive", "not below", gold, below, "archive-folder", file_path="in")
    yield _case("compare_archive", "folders", below, below, "archive-folder")
    tar = _tar(folder / "same.tar.gz", files)
    yield _case("compare_archive", "tar", tar, gold)
    empty = _zip(folder / "empty.zip", {})
    yield _case("compare_archive", "both empty", empty, empty, "archive-empty")
    broken = folder / "broken.zip"
    broken.write_text("nothing")
    yield _case("compare_archive", "broken", broken, gold, "malformed-archive")


def _zip(path: Path, files: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def _tar(path: Path, files: Mapping[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return path


def _pages(folder: Path) -> Iterator[Case]:
    row = CELL.format(sdnum="1033;")
    gold = _page(folder / "gold.html", row * 2)
    for name, cells, differs, options in (
        ("same", row * 2, "", {}),
        ("another format", row + CELL.format(sdnum="2057;"), "", {}),
        ("another format, ignored", row + CELL.format(sdnum="2057;"), "", {"ignore_sdnum": True}),
        ("another value", row + row.replace('sdval="1"', 'sdval="2"'), "", {"ignore_sdnum": True}),
        ("another text", row + row.replace("one", "two"), "", {}),
        ("another element", row + row.replace("b>", "i>"), "", {}),
        ("a row more", row * 3, "", {}),
        ("a picture more", row * 2 + "<img/>", "html-truncated", {}),
    ):
        yield _case(
            "compare_htmls", name, _page(folder / f"{name}.html", cells), gold, differs, **options
        )
    empty = folder / "empty.html"
    empty.write_text("")
    yield _case("compare_htmls", "empty", empty, gold, "html-truncated")
    binary = folder / "binary.html"
    binary.write_bytes(b"\xff\xfe")
    yield _case("compare_htmls", "binary", binary, gold, "text-encoding")


def _page(path: Path, cells: str) -> Path:
    path.write_text(PAGE.format(cells=cells))
    return path
