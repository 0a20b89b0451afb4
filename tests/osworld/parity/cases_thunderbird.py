"""Cases of upstream's module thunderbird: settings, filters, folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.osworld.parity.case import Case

PREFS = """// Mozilla User Preferences
user_pref("mail.biff", true);
user_pref("mail.count", 3);
user_pref("mail.text", "A \\"B\\"\\nC");
"""
FILTER = """version="9"
logging="no"
name="{name}"
enabled="yes"
type="17"
action="Move to folder"
actionValue="mailbox://nobody@Local%20Folders/Promotions"
{more}condition="{condition}"
"""
ONE = "From - Mon Mar  3 09:00:00 2025\nX-Mozilla-Status: 0001\nSubject: One\n\nHello\n\n"
TWO = "From - Tue Mar  4 09:00:00 2025\nX-Mozilla-Status: 0000\nSubject: Two\n\nYou\n\n"


def cases(folder: Path) -> Iterator[Case]:
    yield from _prefs(folder)
    yield from _filters(folder)
    yield from _folders(folder)


def _file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _prefs(folder: Path) -> Iterator[Case]:
    def case(name: str, content: str | bytes, differs: str = "", **rules: Any) -> Case:
        return Case(
            name=name, metric="check_thunderbird_prefs", module="thunderbird", differs=differs,
            result=_file(folder, f"{name}.js", content), expected=rules,
        )  # fmt: skip

    on, three = {"method": "eq", "ref": True}, {"method": "ge", "ref": 3}
    lines = {"method": "re.S", "ref": 'A "B".C'}
    yield case("all", PREFS, expect={"mail.biff": on, "mail.count": three, "mail.text": lines})
    yield case("wrong", PREFS, expect={"mail.count": {"method": "eq", "ref": 4}})
    yield case("not there", PREFS, expect={"mail.sound": on})
    yield case("unwanted", PREFS, unexpect={"mail.biff": on})
    yield case("unwanted, not there", PREFS, unexpect={"mail.sound": on})
    yield case("another kind", PREFS, "value-kind", expect={"mail.count": lines})
    odd = PREFS + 'user_pref("odd", "\t");\n'
    yield case("odd line", odd, "prefs-odd-line", expect={"mail.biff": on})
    both = {"mail.biff": on}
    yield case("both", PREFS, "prefs-both", expect=both, unexpect=both)
    yield case("no text", b"\xff\xfe\x00", "malformed", expect={"mail.biff": on})


def _filters(folder: Path) -> Iterator[Case]:
    def case(name: str, content: str | bytes, differs: str = "", **rules: Any) -> Case:
        expected = {
            "enabled": "yes", "action": "Move to folder",
            "actionValue": "mailbox://nobody@Local%20Folders/Promotions",
            "condition": ["AND (subject,contains,discount)"],
        }  # fmt: skip
        return Case(
            name=name, metric="check_thunderbird_filter", module="thunderbird", differs=differs,
            result=_file(folder, f"{name}.dat", content), expected=rules or {"expect": [expected]},
        )  # fmt: skip

    def filtered(condition: str, more: str = "") -> str:
        return FILTER.format(name="F", condition=condition, more=more)

    yield case("as asked", filtered("AND (subject,contains,discount)"))
    yield case("another word", filtered("AND (subject,contains,discounts)"))
    yield case("any of one", filtered("OR (subject,contains,discount)"), "filter-one-term")
    flag = 'action="Delete"\n'
    yield case("one more action first", filtered("ALL").replace("action=", f"{flag}action=", 1),
               "filter-actions", expect=[{"action": "Move to folder"}])  # fmt: skip
    yield case("one more action", filtered("ALL", flag), expect=[{"action": "Move to folder"}])
    two = ["AND (subject,contains,a)", "AND (from,is,b)"]
    yield case("two", filtered(" ".join(two)), expect=[{"condition": two}])
    yield case("turned", filtered(" ".join(two[::-1])), "filter-order", expect=[{"condition": two}])
    yield case("all", filtered("ALL"), expect=[{"condition": ["ALL"]}])
    yield case("unwanted", filtered("ALL"), unexpect=[{"name": "F"}])
    quoted = 'AND (subject,contains,\\"a, b\\")'
    yield case(
        "quoted", filtered(quoted), expect=[{"condition": ['AND (subject,contains,"a, b")']}]
    )
    yield case("no filter", "version=9\n")
    yield case("no text", b"\xff\xfe", "malformed")


def _folders(folder: Path) -> Iterator[Case]:
    def case(name: str, result: Any, expected: Any, differs: str = "", **options: bool) -> Case:
        paths = [
            [_file(folder, f"{name}-{kind}{n}", text) for n, text in enumerate(side)]
            if isinstance(side, list) else _file(folder, f"{name}-{kind}", side)
            for kind, side in (("r", result), ("e", expected))
        ]  # fmt: skip
        return Case(
            name=name, metric="check_thunderbird_folder", module="thunderbird", differs=differs,
            result=paths[0], expected=paths[1], options=options,
        )  # fmt: skip

    yield case("same", ONE + TWO, ONE + TWO)
    yield case("other order", [TWO + ONE, ONE], [ONE + TWO, ONE])
    yield case("one less", ONE, ONE + TWO, "folder-unread")
    yield case("another", ONE, TWO, "folder-unread")
    yield case("empty", "", ONE)
    yield case("both empty", "", "")
    deleted = ONE.replace("0001", "0009")
    yield case("deleted", deleted + TWO, TWO)
    yield case("kept deleted", deleted + TWO, TWO, "folder-unread", remove_deleted=False)
    yield case("twice", ONE + ONE, ONE)
    yield case("kept twice", ONE + ONE, ONE, "folder-unread", remove_duplicate=False)
    yield case("read", ONE, ONE.replace("0001", "0000"))
    yield case(
        "read counts", ONE, ONE.replace("0001", "0000"), "folder-unread", ignore_status=False
    )
    yield case("a folder less", [ONE], [ONE, TWO], "folder-unread")
    mail = "Subject: One\r\n\r\nHello\r\n"
    yield case("eml", mail, mail.replace("\r", ""))
    yield case("latin", ONE.encode() + b"\xe9", ONE.encode() + b"\xe9", "folder-encoding")
