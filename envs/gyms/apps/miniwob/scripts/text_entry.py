"""Scripts for tasks in which text is typed, copied or scrolled."""

from __future__ import annotations

import re
from datetime import datetime

from envs.contract.actions import Batch, Key
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script, act, press_keys
from envs.gyms.server.gym import OracleMove


def type_quoted_text(page: LivePage) -> Moves:
    """The query quotes the text; it goes into every box, in upper or lower case if so asked."""
    text = page.quoted_texts[0]
    if "lower case" in page.query:
        text = text.lower()
    elif "upper case" in page.query:
        text = text.upper()
    for index in range(len(page.all("box"))):
        yield page.write(page.box(index), text)
    yield page.submit()


def log_in(page: LivePage) -> Moves:
    """A user name and a password. A popup may come up before or after either is typed."""
    user, password = page.quoted_texts[:2]
    for index, text in enumerate((user, password)):
        if not page.find("Cancel"):
            yield page.write(page.box(index), text)
        if page.find("Cancel"):
            yield page.click(page.get("Cancel"), "A popup is in the way.")
            yield page.write(page.box(index), text)
    yield page.click(page.all("button")[-1])


def set_date(page: LivePage) -> Moves:
    """A native date field."""
    month, day, year = page.match_query(r"(\d+)/(\d+)/(\d+)")
    yield page.set(page.box(), f"{year}-{month}-{day}")
    yield page.submit()


def set_time(page: LivePage) -> Moves:
    """A native time field; the query gives the time with AM or PM."""
    time = page.match_query(r"Enter (\d+:\d+ [AP]M)")[0]
    hour, half = time.partition(":")[0], time[-2:]
    value = datetime.strptime(time, "%I:%M %p").strftime("%H:%M")
    yield page.set(page.box(), value, f"{hour} {half} is {value[:2]}.")
    yield page.submit()


def focus_box(page: LivePage) -> Moves:
    """One of several text boxes by its ordinal, or the only one."""
    ordinal = re.search(r"(\d)(st|nd|rd|th)", page.query)
    yield page.click(page.box(int(ordinal[1]) - 1 if ordinal else 0))


def type_shown_text(page: LivePage) -> Moves:
    """A text that is drawn rotated and spread."""
    yield page.write(page.box(), "".join(page.texts[0].split()))
    yield page.submit()


def nth_word(page: LivePage) -> Moves:
    """One word of a paragraph, without punctuation."""
    ordinal = int(page.match_query(r"the (\d+)(?:st|nd|rd|th) word")[0])
    word = re.sub(r"[^A-Za-z]", "", page.texts[0].split()[ordinal - 1])
    yield page.write(page.box(), word)
    yield page.submit()


def copy_and_paste(page: LivePage) -> Moves:
    """From one of the filled text areas into the empty box, by the clipboard."""
    boxes = page.all("box")
    ordinal = re.search(r"(\d)(st|nd|rd)", page.query)
    filled = [line for line in boxes if line.value]
    source = filled[int(ordinal[1]) - 1 if ordinal else 0]
    yield page.click(source, "I go to the text.")
    yield press_keys("ctrl", "a", thought="I select it.")
    yield press_keys("ctrl", "c", thought="I copy it.")
    yield page.click(next(line for line in page.all("box") if not line.value), "It goes in here.")
    yield press_keys("ctrl", "v", thought="I paste it.")
    yield page.submit()


def scroll_and_submit(page: LivePage) -> Moves:
    """A text area that has to be scrolled to its start or end."""
    yield page.scroll(page.box(), up="to the top" in page.query)
    yield page.submit()


def sign_agreement(page: LivePage) -> Moves:
    """The agreement has to be read to its end before it can be signed; it may be cancelled."""
    if "enter the name" in page.query:
        yield page.scroll(page.box())
        name, button = page.quoted_texts
        yield page.write(page.get("Name", "box"), name)
        yield page.click(page.get(button, "button"))
    else:
        yield page.click(page.get("Cancel", "button"))


def radio_and_box(page: LivePage) -> Moves:
    """A radio button and a text box, both by their place."""
    radio, text, box = page.match_query(r'the (\d)\w+ radio .* the number "(-?\d+)" into the (\d)')
    yield page.click(page.all("radio")[int(radio) - 1])
    yield page.write(page.box(int(box) - 1), text)
    yield page.submit()


def terminal(page: LivePage) -> Moves:
    """Deletes the one file with the extension of the query, or without an extension."""
    extension = re.search(r"extension \.([\w.]+)", page.query)
    yield _type_command("ls", "I list the files.")
    names = [word for text in page.texts[2:] for word in text.split()]
    if extension:
        files = [name for name in names if name.endswith(f".{extension[1]}")]
    else:
        after = names[names.index("ls") + 1 :] if "ls" in names else names
        files = [name for name in after if re.fullmatch(r"[a-z]+", name) and name != "user"]
    yield _type_command(f"rm {files[0]}", f"I delete {files[0]}.")


def _type_command(text: str, thought: str) -> OracleMove:
    keys = [Key(keys=("space" if letter == " " else letter,)) for letter in text]
    return act(thought, Batch(actions=(*keys, Key(keys=("enter",)))))


SCRIPTS: dict[str, Script] = {
    "enter-text": type_quoted_text,
    "enter-text-2": type_quoted_text,
    "enter-text-dynamic": type_quoted_text,
    "enter-password": type_quoted_text,
    "login-user": log_in,
    "login-user-popup": log_in,
    "enter-date": set_date,
    "enter-time": set_time,
    "focus-text": focus_box,
    "focus-text-2": focus_box,
    "text-transform": type_shown_text,
    "find-word": nth_word,
    "copy-paste": copy_and_paste,
    "copy-paste-2": copy_and_paste,
    "scroll-text-2": scroll_and_submit,
    "sign-agreement": sign_agreement,
    "form-sequence-2": radio_and_box,
    "terminal": terminal,
}
