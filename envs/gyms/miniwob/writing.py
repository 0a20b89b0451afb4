"""Oracles of the tasks in which something is read, worked out or written."""

from __future__ import annotations

import re
from datetime import datetime

from envs.actions import Batch, Key, Scroll
from envs.gyms.gym import OracleLost, OracleMove
from envs.gyms.miniwob.clicking import to_day
from envs.gyms.miniwob.reading import Moves, Script, Seen, does, press
from envs.observations import TreeLine

POSTS = ("Reply", "Retweet", "Like", "Share")
OWN_BUTTONS = {*POSTS, "More"}


def type_quoted(see: Seen) -> Moves:
    text = see.quoted[0]
    if "lower case" in see.query:
        text = text.lower()
    elif "upper case" in see.query:
        text = text.upper()
    for number in range(len(see.all("box"))):
        yield see.write(see.box(number), text)
    yield see.submit()


def log_in(see: Seen) -> Moves:
    user, password = see.quoted[:2]
    for number, text in enumerate((user, password)):
        if not see.has("Cancel"):
            yield see.write(see.box(number), text)
        if see.has("Cancel"):
            yield see.click(see.one("Cancel"), "A popup is in the way: I dismiss it.")
            yield see.write(see.box(number), text)
    yield see.click(see.all("button")[-1], "Both are filled in: I log in.")


def set_date(see: Seen) -> Moves:
    month, day, year = see.asked(r"(\d+)/(\d+)/(\d+)")
    yield see.set(see.box(), f"{year}-{month}-{day}")
    yield see.submit()


def set_time(see: Seen) -> Moves:
    said = see.asked(r"Enter (\d+:\d+ [AP]M)")[0]
    yield see.set(see.box(), datetime.strptime(said, "%I:%M %p").strftime("%H:%M"))
    yield see.submit()


def focus(see: Seen) -> Moves:
    number = re.search(r"(\d)(st|nd|rd|th)", see.query)
    yield see.click(see.box(int(number[1]) - 1 if number else 0), "I click into this box.")


def transformed(see: Seen) -> Moves:
    yield see.write(see.box(), "".join(see.texts[0].split()))
    yield see.submit()


def nth_word(see: Seen) -> Moves:
    number = int(see.asked(r"the (\d+)(?:st|nd|rd|th) word")[0])
    word = re.sub(r"[^A-Za-z]", "", see.texts[0].split()[number - 1])
    yield see.write(see.box(), word)
    yield see.submit()


def copy_paste(see: Seen) -> Moves:
    boxes = see.all("box")
    number = re.search(r"(\d)(st|nd|rd)", see.query)
    filled = [line for line in boxes if line.value]
    source = filled[int(number[1]) - 1 if number else 0]
    yield see.click(source, "I go to the text.")
    yield press("ctrl", "a", why="I select it.")
    yield press("ctrl", "c", why="I copy it.")
    yield see.click(next(line for line in see.all("box") if not line.value), "It goes in here.")
    yield press("ctrl", "v", why="I paste it.")
    yield see.submit()


def arithmetic(see: Seen) -> Moves:
    left, sign, right = see.texts[0].split()
    a, b = int(left), int(right)
    yield see.write(see.box(), str({"+": a + b, "-": a - b}.get(sign, a * b)))
    yield see.submit()


def algebra(see: Seen) -> Moves:
    """The tree drops the equals sign."""
    left, sign, right, result = see.texts[0].replace("=", " ").split()
    value = int(result)
    if sign == "+":
        found = value - int(right if left == "x" else left)
    else:
        found = value + int(right) if left == "x" else int(left) - value
    yield see.write(see.box(), str(found))
    yield see.submit()


def guess(see: Seen) -> Moves:
    low, high = 0, 9
    while low <= high:
        number = (low + high) // 2
        yield see.write(see.box(), str(number))
        yield see.submit()
        said = " ".join(see.texts)
        if "higher than" in said:
            low = number + 1
        else:
            high = number - 1


def table(see: Seen) -> Moves:
    texts = see.texts
    if "value of" in see.query:
        names = [see.asked(r"value of (.*?) into")[0]]
    else:
        names = [line.name.strip(":") for line in see.lines[1:] if line.name.endswith(":")]
    for number, name in enumerate(names):
        yield see.write(see.box(number), texts[texts.index(name) + 1])
    yield see.submit()


def movie(see: Seen) -> Moves:
    genre, director, year = see.asked(r"for (.*) movies directed by (.*) from year (\d+)")
    wanted = {"genre": genre, "direct": director, "year": year, "date": year}
    lines = [line for line in see.lines[1:] if line.role == "box" or _field(line.name, wanted)]
    if lines[0].role == "box":
        lines.reverse()
    fields = [_field(line.name, wanted) for line in lines if line.role != "box"]
    boxes = [line.ref for line in lines if line.role == "box"]
    for key, ref in zip(fields, boxes, strict=True):
        line = next(line for line in see.all("box") if line.ref == ref)
        yield see.write(line, wanted[key or ""])
    buttons = [name for name in ("Submit", "Search", "Go!") if see.has(name)]
    yield see.click(see.one(buttons[0]), "All is filled in: I search.")


def _field(label: str, keys: dict[str, str]) -> str | None:
    return next((key for key in keys if key in label.lower()), None)


def search(see: Seen) -> Moves:
    nth = int(see.asked(r"click the (\d+)")[0])
    yield see.write(see.box(), see.quoted[0])
    yield see.click(see.one("Search", "button"))
    page, place = divmod(nth - 1, 3)
    if page:
        yield see.click(see.one(str(page + 1), "link"), f"It is on page {page + 1}.")
    yield see.click(see.all("link")[place], f"This is result {nth}.")


def completed(see: Seen) -> Moves:
    start, *rest = see.quoted
    end = rest[0] if rest else ""
    yield see.write(see.box(), start)
    fitting = (
        line
        for line in see.all("option", "menu")
        if line.name.startswith(start) and line.name.endswith(end)
    )
    yield see.click(next(fitting), "This suggestion fits.")
    yield see.submit()


def agreement(see: Seen) -> Moves:
    if "enter the name" in see.query:
        yield see.scroll(see.box())
        name, button = see.quoted
        yield see.write(see.one("Name", "box"), name)
        yield see.click(see.one(button, "button"))
    else:
        yield see.click(see.one("Cancel", "button"))


def order(see: Seen) -> Moves:
    items = dict(_menu(see))
    named = re.search(r"each item: (.*)", see.query)
    if named:
        chosen = {name.strip() for name in named[1].split(", ")}
        for name in [item for item in items if item in chosen]:
            yield see.click(_add(see, name), f"One {name}.")
    else:
        count, kind = see.asked(r"Order (\d+) items that are (.*)")
        name = next(item for item, kinds in items.items() if kind in kinds)
        for _ in range(int(count)):
            yield see.click(_add(see, name), f"{name} is {kind}: one more.")
    if not see.has("Order!"):
        last = see.target(see.all("button")[-1])
        yield does("The order button must be further down.", Scroll(target=last, dy=10_000))
    yield see.click(see.one("Order!", "button"))


def _menu(see: Seen) -> list[tuple[str, list[str]]]:
    """Name and kinds of each dish, in order."""
    items: list[tuple[str, list[str]]] = []
    for line in see.lines[1:]:
        if line.role == "text":
            items.append((line.name, []))
        elif line.role == "img" and items:
            items[-1][1].append(line.name)
    return items


def _add(see: Seen, name: str) -> TreeLine:
    number = next(n for n, line in enumerate(see.lines) if n and line.name == name)
    return next(line for line in see.lines[number:] if line.name == "Add one")


def contact(see: Seen) -> Moves:
    name, kind = see.asked(r"Find (.+) in the contact book .* their (\w+)")
    for _ in range(6):
        if any(line.role == "heading" and line.name == name for line in see.lines):
            yield see.click(see.after(kind, "link"))
            return
        yield see.click(see.one(">", "link"), f"This is not {name}: I turn the page.")


def post_button(see: Seen) -> Moves:
    user = see.asked(r"user (@\w+)")[0]
    action = see.quoted[0]
    if action not in OWN_BUTTONS:
        yield see.click(_of_post(see, user, "More"), f"{action} is in the menu of {user}.")
        yield see.click(next(m for m in see.all("menu") if m.name.startswith(action)))
    else:
        yield see.click(_of_post(see, user, action))


def _of(see: Seen, user: str) -> list[TreeLine]:
    """The controls of a user's posts."""
    by, found = None, []
    for line in see.lines[1:]:
        author = re.search(r"(@\S+)", line.name) if line.role == "text" else None
        by = author[1] if author else by
        if by == user and line.ref is not None:
            found.append(line)
    return found


def _of_post(see: Seen, user: str, action: str) -> TreeLine:
    found = next((line for line in _of(see, user) if line.name == action), None)
    if found is None:
        raise OracleLost(f"{user} has no {action}")
    return found


def posts(see: Seen) -> Moves:
    """From top to bottom: what was pressed may have moved out of sight above."""
    action, user = see.quoted[0], see.asked(r"by (@\S+)")[0]
    count = re.search(r"on (\d+) posts?", see.query)
    for _ in range(int(count[1]) if count else 99):
        free = [line for line in _of(see, user) if line.name == action and not line.states]
        if not free:
            break
        yield see.click(free[0], f"{action} for {user}.")
    yield see.submit()


def radio_and_text(see: Seen) -> Moves:
    nth, text, box = see.asked(r'the (\d)\w+ radio .* the number "(-?\d+)" into the (\d)')
    yield see.click(see.all("radio")[int(nth) - 1])
    yield see.write(see.box(int(box) - 1), text)
    yield see.submit()


def email(see: Seen) -> Moves:
    patterns = (r"\b(?:by|from) ([\w-]+)", r"([\w-]+) (?:sent|wants his)", r"Get ([\w-]+) email")
    tries = [re.search(pattern, see.query) for pattern in patterns]
    name = next((found[1] for found in tries if found), "")
    number = next(
        (
            n for n, line in enumerate(see.lines)
            if line.role == "link" and line.name.split()[0] == name
        ), None,
    )  # fmt: skip
    if number is None:
        raise OracleLost(f"no mail by {name or 'a name'} for: {see.query}")
    for word, button in (("trash", "Trash"), ("star icon", "Star")):
        if word in see.query:
            below = see.lines[number:]
            yield see.click(next(line for line in below if line.name == button))
            return
    yield see.click(see.lines[number], f"I open the mail by {name}.")
    if "reply" in see.query:
        yield see.click(see.one("Reply", "button"))
        yield see.write(see.one("Message", "box"), see.quoted[0])
    else:
        names = [word for word in re.findall(r"[A-Z][\w-]+", see.query) if word not in VERBS]
        others = [word for word in names if word != name]
        yield see.click(see.one("Forward", "button"))
        yield see.write(see.one("To", "box"), others[0] if others else name)
    yield see.click(see.one("Send", "button"))


VERBS = (
    "Find", "Locate", "Look", "Forward", "Send", "Go", "Please", "The", "Give", "Navigate",
    "Search", "Get",
)  # fmt: skip


def flight(see: Seen) -> Moves:
    best, start, goal, month, day, year = see.asked(
        r"Book the (\w+) one-way flight from: (.*) to: (.*) on (\d+)/(\d+)/(\d+)"
    )
    for label, place in (("From:", start), ("To:", goal)):
        yield see.write(see.one(label, "box"), place)
        yield see.click(
            next(o for o in see.all("option", "menu") if _is_at(o.name, place)),
            "This suggestion fits.",
        )
    yield see.click(see.box(2), "I open the calendar.")
    yield from to_day(see, int(year), int(month), int(day))
    yield see.click(see.one("Search", "button"))
    buttons = [line for line in see.all("button") if "$" in line.name]
    lasting = [_minutes(text) for text in see.texts if re.search(r"\d+h", text)]
    prices = [int(re.sub(r"\D", "", line.name)) for line in buttons]
    values = prices if best == "cheapest" else lasting
    yield see.click(buttons[values.index(min(values))], f"This one is the {best}.")


def _is_at(airport: str, place: str) -> bool:
    """Whether "City, ST (CODE)" is the place that was asked for by its name or its code."""
    code = re.fullmatch(r"[A-Z]{3}", place) is not None
    return f"({place})" in airport if code else airport.lower().startswith(place.lower())


def _minutes(text: str) -> int:
    hours, minutes = re.search(r"(\d+)h", text), re.search(r"(\d+)m", text)
    return 60 * int(hours[1] if hours else 0) + int(minutes[1] if minutes else 0)


def terminal(see: Seen) -> Moves:
    asked = re.search(r"extension \.([\w.]+)", see.query)
    yield _line("ls", "I list the files.")
    names = [word for text in see.texts[2:] for word in text.split()]
    if asked:
        fits = [name for name in names if name.endswith(f".{asked[1]}")]
    else:
        after = names[names.index("ls") + 1 :] if "ls" in names else names
        fits = [name for name in after if re.fullmatch(r"[a-z]+", name) and name != "user"]
    yield _line(f"rm {fits[0]}", f"I delete {fits[0]}.")


def _line(text: str, why: str) -> OracleMove:
    keys = [Key(keys=("space" if letter == " " else letter,)) for letter in text]
    return does(why, Batch(actions=(*keys, Key(keys=("enter",)))))


WRITING: dict[str, Script] = {
    "enter-text": type_quoted, "enter-text-2": type_quoted, "enter-text-dynamic": type_quoted,
    "enter-password": type_quoted, "login-user": log_in, "login-user-popup": log_in,
    "enter-date": set_date, "enter-time": set_time, "focus-text": focus, "focus-text-2": focus,
    "text-transform": transformed, "find-word": nth_word, "copy-paste": copy_paste,
    "copy-paste-2": copy_paste, "simple-arithmetic": arithmetic, "simple-algebra": algebra,
    "guess-number": guess, "read-table": table, "read-table-2": table, "multi-layouts": movie,
    "multi-orderings": movie, "search-engine": search, "use-autocomplete": completed,
    "use-autocomplete-nodelay": completed, "sign-agreement": agreement, "order-food": order,
    "phone-book": contact, "social-media": post_button, "social-media-all": posts,
    "social-media-some": posts, "form-sequence-2": radio_and_text, "email-inbox": email,
    "email-inbox-delete": email, "email-inbox-forward": email, "email-inbox-important": email,
    "email-inbox-noscroll": email, "email-inbox-reply": email, "email-inbox-star-reply": email,
    "email-inbox-forward-nl": email, "book-flight": flight, "book-flight-nodelay": flight,
    "terminal": terminal,
}  # fmt: skip
