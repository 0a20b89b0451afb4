"""Tasks on events: answers, invitations, what is created, moved and cancelled."""

from __future__ import annotations

import random

from envs.actions import Drag, Tool
from envs.gyms.calendar import rules
from envs.gyms.calendar.app import IN_CELL, in_cell
from envs.gyms.calendar.data import (
    ANSWERS,
    DECLINED,
    INVITED,
    MONTHLY,
    ROOMS,
    WEEKLY,
    Item,
    clashes,
    event,
    next_number,
    occurrences,
    slot,
    title_of,
    work_day,
)
from envs.gyms.calendar.drawing import (
    AGENDA,
    EVENT,
    an_event,
    count_shown,
    creates,
    day_params,
    days_with_meetings,
    event_params,
    expect_created,
    free_slot,
    meetings,
    mine,
    own,
    some_people,
    to_day,
    to_event,
    to_month,
)
from envs.gyms.calendar.tasks_places import PLACE_TEMPLATES
from envs.gyms.gym import OracleMove, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import one
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page

COMMENTS = ("I am on a trip that day", "See you there", "I may be late", "Happy to join by phone",
            "I have to check with my team first", "Thank you for asking me")  # fmt: skip
NEW_TITLES = ("Press briefing", "Team dinner", "Security drill", "Bake sale", "Archive clean-up",
              "Fire drill", "Photo session", "Summer party planning")  # fmt: skip
MAX_DRAGS = 4
NEW = ("new event", saw("calendar:new"))
INVITATIONS = ("invitations", saw("calendar:invitations"))


# Looking.


def _draw_count(world: Company, rng: random.Random, state: State) -> Params:
    return day_params(world, "day", rng.choice(days_with_meetings(world, state, 2)))


def _count(page: Page, p: Params) -> Script:
    page = yield from to_day(page, p, "day")
    return str(count_shown(page, p["day_date"]))


def _draw_busier(world: Company, rng: random.Random, state: State) -> Params:
    days = days_with_meetings(world, state, 1)
    one, other = rng.sample(days, 2)
    if meetings(world, state, one) == meetings(world, state, other):
        raise Redraw("all days have as many meetings")
    return day_params(world, "one", one) | day_params(world, "other", other)


def _busier(world: Company, p: Params, before: State) -> str:
    return str(max((p["one"], p["other"]), key=lambda day: meetings(world, before, day)))


def _find_busier(page: Page, p: Params) -> Script:
    page = yield from to_day(page, p, "one")
    first = count_shown(page, p["one_date"])
    page = yield from ways.go(page, "Month")
    page = yield from to_day(page, p, "other")
    second = count_shown(page, p["other_date"])
    return str(p["one_date"] if first > second else p["other_date"])


def _seats(world: Company, p: Params, before: State) -> str:
    found = one(mine(before), "events", p["event"])
    return str(one(mine(before), "rooms", found["room"])["capacity"])


def _read_seats(page: Page, p: Params) -> Script:
    page = yield from to_event(page, p)
    room = next(line for line in page.of("link") if line.name in p["rooms"])
    page = yield page.click_on("to its room", room)
    return ways.value_of(page, "Seats")


def _draw_seats(world: Company, rng: random.Random, state: State) -> Params:
    found = an_event(world, rng, state, lambda e: bool(e["room"]))
    return event_params(world, found) | {"rooms": list(ROOMS)}


# Invitations.


def _draw_answer(world: Company, rng: random.Random, state: State) -> Params:
    invited = an_event(world, rng, state, lambda e: bool(e["status"] == INVITED))
    return event_params(world, invited) | {
        "answer": rng.choice(tuple(ANSWERS)), "comment": rng.choice(COMMENTS)
    }  # fmt: skip


def _answer_one(page: Page, title: str, label: str, said: str, comment: str) -> ways.Way:
    page = yield from ways.go(page, "Invitations")
    page = yield from ways.search(page, title)
    page = yield from ways.open_item(page, label)
    page = yield from ways.open_link(page, "answer it", "Answer invitation")
    page = yield from ways.fill(page, {"Answer": said, "Comment": comment})
    return (yield from ways.press(page, "send it", "Send answer"))


def _answer(page: Page, p: Params) -> Script:
    yield from _answer_one(page, p["title"], p["label"], p["answer"], p["comment"])
    return None


def _answer_calls(p: Params) -> list[Tool]:
    said = {"event": p["event"], "answer": p["answer"], "comment": p["comment"]}
    return [Tool(name="calendar.find_events", arguments={"text": p["title"], "day": p["day"]}),
            Tool(name="calendar.answer_invitation", arguments=said)]  # fmt: skip


def _sick_day(world: Company) -> str:
    return work_day(world, world.rng("calendar sick"), 4, 30)


def _prepare_sick(world: Company, rng: random.Random, state: State) -> None:
    """Two invitations of one day, and no days out of office then."""
    part, day = mine(state), _sick_day(world)
    part["away"] = [a for a in part["away"] if not a["first"] <= day <= a["last"]]
    for found in part["events"]:
        if found["date"] == day and found["status"] == INVITED:
            found["status"] = DECLINED
    taken = {e["title"] for e in part["events"]}
    others = [person.id for person in world.people if person.id != world.user.id]
    while sum(e["date"] == day and e["status"] == INVITED for e in part["events"]) < 2:
        title, (start, end) = title_of(world, rng), slot(rng)
        if title in taken or " with " not in title:
            continue
        taken.add(title)
        made = event(next_number(part["events"]), title, day, start, end, rng.choice(others))
        part["events"].append(made | {"people": [world.user.id], "status": INVITED})


def _draw_sick(world: Company, rng: random.Random, state: State) -> Params:
    day = _sick_day(world)
    invited = [e for e in mine(state)["events"] if e["date"] == day and e["status"] == INVITED]
    first, second = (event_params(world, found) for found in invited)
    return {
        "first": first, "second": second, "title_1": first["title"], "title_2": second["title"],
        "event_1": first["event"], "event_2": second["event"], "day": day, "date": first["date"],
        "comment": rng.choice((*COMMENTS[:1], "I am ill, sorry", "I cannot make it")),
        "reason": rng.choice(("Sick leave", "Business trip")),
    }  # fmt: skip


def _expect_sick(world: Company, p: Params, state: State) -> None:
    for key in (p["event_1"], p["event_2"]):
        rules.answer(world, mine(state), key, "Decline", p["comment"])
    rules.set_away(world, mine(state), None, p["day"], p["day"], p["reason"])


def _report_sick(page: Page, p: Params) -> Script:
    for part in (p["first"], p["second"]):
        page = yield from _answer_one(page, part["title"], part["label"], "Decline", p["comment"])
    page = yield from ways.go(page, "Out of office")
    page = yield from ways.open_link(page, "a new entry", "Enter days")
    fields = {"First day": p["date"], "Last day": p["date"], "Reason": p["reason"]}
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save days")
    return None


# New events.


def _draw_new(world: Company, rng: random.Random, state: State) -> Params:
    title = {"new_title": rng.choice(NEW_TITLES)}
    return title | some_people(world, rng, 2) | free_slot(world, rng, state, 3)


def _draw_series(world: Company, rng: random.Random, state: State) -> Params:
    repeat, times = rng.choice((WEEKLY, MONTHLY)), rng.choice((2, 3, 5, 6))
    params = _draw_new(world, rng, state) | {"room": "", "room_name": ""}
    return params | some_people(world, rng, 1) | {
        "repeat": repeat, "times": times, "every": repeat.lower()
    }  # fmt: skip


def _create(page: Page, p: Params) -> Script:
    page = yield from ways.open_link(page, "a new one", "New event")
    fields = {"Title": p["new_title"], "Date": p["to_date"], "Start": p["start"], "End": p["end"],
              "Room": p["room_name"] or "No room", "Attendees": p["names"]}  # fmt: skip
    if "repeat" in p:
        fields |= {"Repeat": p["repeat"], "Times": str(p["times"])}
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "create it", "Create event")
    return None


def _draw_follow_up(world: Company, rng: random.Random, state: State) -> Params:
    mine_too = own(world)
    found = an_event(world, rng, state, lambda e: bool(mine_too(e) and e["room"]))
    day = occurrences(found["date"], WEEKLY, 2)[1]
    if clashes(mine(state)["events"], found["room"], day, found["start"], found["end"]):
        raise Redraw("the room is booked a week later")
    return event_params(world, found) | {
        "new_title": f"Follow-up {found['title']}", "to_day": day,
        "to_date": world.look.date(day), "start": found["start"], "end": found["end"],
        "room": found["room"], "people": found["people"], "rooms": list(ROOMS),
    }  # fmt: skip


def _follow_up(page: Page, p: Params) -> Script:
    page = yield from to_event(page, p)
    start, _, end = ways.value_of(page, "Time").partition(" to ")
    names = ways.value_of(page, "Attendees")
    room = next(line.name for line in page.of("link") if line.name in p["rooms"])
    page = yield from ways.go(page, "Agenda")
    page = yield from ways.open_link(page, "the follow-up", "New event")
    fields = {"Title": p["new_title"], "Date": p["to_date"], "Start": start, "End": end,
              "Room": room, "Attendees": names}  # fmt: skip
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "create it", "Create event")
    return None


# Events that are there.


def _draw_drag(world: Company, rng: random.Random, state: State) -> Params:
    mine_too, part = own(world), mine(state)
    shown = [e for e in rules.mine(world, part) if e["status"] != DECLINED]

    def in_grid(found: Item) -> bool:
        same_day = [e["id"] for e in shown if e["date"] == found["date"]]
        return mine_too(found) and found["id"] in same_day[:IN_CELL]

    found = an_event(world, rng, state, in_grid)
    day = f"{found['date'][:8]}{rng.randint(1, 28):02d}"
    if day <= world.today or day == found["date"]:
        raise Redraw("the month is over")
    if found["room"] and clashes(part["events"], found["room"], day, found["start"], found["end"]):
        raise Redraw("the room is booked that day")
    return event_params(world, found) | day_params(world, "to", day) | {"cell": in_cell(found)}


def _drag(page: Page, p: Params) -> Script:
    for _ in range(MAX_DRAGS):
        page = yield from to_month(page, p["to_month"])
        page, card = yield from ways.seek(page, "link", p["cell"])
        day = page.need("link", p["to_number"])
        path = (page.target(card), page.target(day))
        page = yield OracleMove(f"drag it to {p['to_date']}", Drag(path=path))
        if page.says("✓ ") is not None:
            break
        page = yield from ways.go(page, "Month", "it did not move, once more")
    return None


def _draw_reschedule(world: Company, rng: random.Random, state: State) -> Params:
    found = an_event(world, rng, state, own(world))
    free = free_slot(world, rng, state, len(found["people"]) + 1)
    if free["to_day"] == found["date"] or free["room"] == found["room"]:
        raise Redraw("all other times are taken")
    return event_params(world, found) | free


def _expect_rescheduled(world: Company, p: Params, state: State) -> None:
    found = one(mine(state), "events", p["event"])
    rules.edit(
        world, mine(state), p["event"], found["title"], p["to_day"], p["start"], p["end"],
        p["room"], found["people"], found["notes"],
    )  # fmt: skip


def _reschedule(page: Page, p: Params) -> Script:
    page = yield from to_event(page, p)
    page = yield from ways.open_link(page, "change it", "Edit event")
    page = yield from ways.fill(
        page, {"Date": p["to_date"], "Start": p["start"], "End": p["end"], "Room": p["room_name"]}
    )
    yield from ways.press(page, "save it", "Save event")
    return None


def _draw_single(world: Company, rng: random.Random, state: State) -> Params:
    mine_too = own(world)
    found = an_event(world, rng, state, lambda e: mine_too(e) and e["series"] is None)
    return event_params(world, found)


def _draw_of_series(world: Company, rng: random.Random, state: State) -> Params:
    mine_too = own(world)
    series = [e["series"] for e in mine(state)["events"] if e["date"] > world.today]
    found = an_event(
        world, rng, state, lambda e: bool(mine_too(e) and e["series"] and
                                          series.count(e["series"]) > 1)
    )  # fmt: skip
    return event_params(world, found) | {"every": found["repeat"].lower()}


def _cancel(page: Page, p: Params, text: str) -> Script:
    page = yield from to_event(page, p)
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, text)
    return None


def _cancel_calls(p: Params) -> list[Tool]:
    return [Tool(name="calendar.cancel_event", arguments={"event": p["event"]})]


def _draw_swap(world: Company, rng: random.Random, state: State) -> Params:
    mine_too = own(world)
    found = an_event(world, rng, state, lambda e: mine_too(e) and len(e["people"]) > 1)
    leaves = rng.choice(found["people"])
    others = [p for p in world.people if p.id not in found["people"] and p.id != world.user.id]
    comes = rng.choice(others)
    return event_params(world, found) | {
        "leaves": leaves, "out": world.person(leaves).name, "comes": comes.id, "in": comes.name,
    }  # fmt: skip


def _expect_swap(world: Company, p: Params, state: State) -> None:
    rules.set_people(world, mine(state), p["event"], p["leaves"], False)
    rules.set_people(world, mine(state), p["event"], p["comes"], True)


def _swap(page: Page, p: Params) -> Script:
    page = yield from to_event(page, p)
    page = yield from ways.press(page, "not this one any more", f"Remove {p['out']}")
    page = yield from ways.fill(page, {"Person": p["in"]})
    yield from ways.press(page, "instead", "Add person")
    return None


TEMPLATES = (
    Template(
        "count_day", ("date", "answer"), 4,
        ("How many meetings do I have on {day_date}? Those that I declined do not count.",
         "Count my meetings of {day_date}, without the declined ones. Answer with the number.",
         "{day_date}: how many meetings are in my calendar, leaving out declined ones?"),
        _draw_count, _count, (("day", saw("calendar:day:{day}")), FINISHED),
        answer=lambda world, p, before: str(meetings(world, before, p["day"])),
        answer_kind="number",
    ),
    Template(
        "busier_day", ("compare", "date", "answer"), 7,
        ("On which day do I have more meetings, {one_date} or {other_date}? Declined ones do not "
         "count. Answer with the date.",
         "Which is my busier day by the number of meetings that I have not declined: {one_date} or "
         "{other_date}?",
         "Compare {one_date} with {other_date}. Which date has more meetings, declined ones left "
         "out?"),
        _draw_busier, _find_busier,
        (("one", saw("calendar:day:{one}")), ("other", saw("calendar:day:{other}")), FINISHED),
        answer=_busier, answer_kind="date",
    ),
    Template(
        "room_seats", ("search", "multi-step", "answer"), 7,
        ("How many people fit into the room of {title} on {date}?",
         "What is the number of seats of the room in which {title} takes place on {date}?",
         "Look up the room of my event {title} on {date}: how many seats has it?"),
        _draw_seats, _read_seats, (AGENDA, EVENT, FINISHED), answer=_seats, answer_kind="number",
    ),
    Template(
        "answer_invitation", ("search", "form"), 9,
        ('Answer the invitation {title} on {date}: {answer}, with the comment "{comment}".',
         'I was invited to {title} on {date}. My answer is {answer}; my comment: "{comment}".',
         'Send the answer {answer} and the comment "{comment}" to the invitation {title} of '
         "{date}."),
        _draw_answer, _answer, (INVITATIONS, EVENT, FINISHED),
        lambda world, p, state: rules.answer(
            world, mine(state), p["event"], p["answer"], p["comment"]
        ),
        calls=_answer_calls,
    ),
    Template(
        "sick_day", ("search", "form", "date", "multi-step", "recall"), 24,
        ('I am away on {date}. Decline the invitations {title_1} and {title_2} of that day, each '
         'with the comment "{comment}", and enter that day as out of office ({reason}).',
         'Out of office on {date} for the reason {reason}: enter it. Also decline {title_1} and '
         '{title_2}, both on that day, saying "{comment}".',
         'For {date}: 1. decline {title_1}, 2. decline {title_2}, both with the comment '
         '"{comment}", 3. enter the day as out of office, reason {reason}.'),
        _draw_sick, _report_sick,
        (("first", saw("calendar:event:{event_1}")), ("second", saw("calendar:event:{event_2}")),
         ("away", saw("calendar:away")), FINISHED),
        _expect_sick, _prepare_sick,
    ),
    Template(
        "create_event", ("form", "date"), 9,
        ("Create the event {new_title} on {to_date} from {start} to {end} in room {room_name} "
         "with {names}.",
         "Put {new_title} into my calendar: {to_date}, {start} to {end}, room {room_name}, "
         "attendees {names}.",
         "Invite {names} to {new_title} on {to_date}, {start} to {end}. Book the room "
         "{room_name}."),
        _draw_new, _create, (NEW, FINISHED),
        expect_created, calls=creates,
    ),
    Template(
        "create_series", ("form", "date"), 10,
        ("Create {new_title}, {every}, {times} times, first on {to_date}, {start} to {end}, "
         "without a room, with {names}.",
         "Set up a {every} event {new_title} with {names}: {times} times from {to_date} on, "
         "{start} to {end}, no room.",
         "{new_title} is to take place {every}, {times} times in all, beginning on {to_date}, "
         "from {start} to {end}. Invite {names}; no room is needed."),
        _draw_series, _create, (NEW, FINISHED), expect_created, calls=creates,
    ),
    Template(
        "follow_up", ("search", "recall", "multi-step", "form", "date"), 16,
        ('Create "{new_title}" on {to_date}, at the same time, in the same room and with the same '
         "attendees as {title} on {date}.",
         '{title} on {date} needs a follow-up on {to_date}: the same time, room and people. Call '
         'it "{new_title}".',
         'Look up {title} of {date} and make a new event "{new_title}" for {to_date} that has its '
         "time, its room and its attendees."),
        _draw_follow_up, _follow_up, (EVENT, FINISHED), expect_created,
    ),
    Template(
        "drag_event", ("drag", "date"), 4,
        ("Move my event {title} from {date} to {to_date}. Time and room stay.",
         "Drag {title} of {date} to {to_date} in the month view.",
         "{title} on {date} takes place on {to_date} instead, at the same time. Move it."),
        _draw_drag, _drag, (FINISHED,),
        lambda world, p, state: rules.move(world, mine(state), p["event"], p["to"]),
    ),
    Template(
        "reschedule", ("search", "form", "date"), 12,
        ("Move {title} of {date} to {to_date}, {start} to {end}, room {room_name}.",
         "My event {title} on {date} is now on {to_date} from {start} to {end} in {room_name}. "
         "Change it.",
         "Change date, time and room of {title} ({date}): {to_date}, {start} to {end}, "
         "{room_name}."),
        _draw_reschedule, _reschedule, (AGENDA, EVENT, FINISHED), _expect_rescheduled,
    ),
    Template(
        "cancel_event", ("search", "menu", "dialog"), 9,
        ("Cancel my event {title} on {date}.", "{title} on {date} does not take place. Cancel it.",
         "Call off {title}, planned for {date}."),
        _draw_single, lambda page, p: _cancel(page, p, "Cancel event"), (AGENDA, EVENT, FINISHED),
        lambda world, p, state: rules.cancel(world, mine(state), p["event"]), calls=_cancel_calls,
    ),
    Template(
        "cancel_occurrence", ("search", "menu", "dialog"), 9,
        ("Cancel {title} on {date}, but keep the other dates of the series.",
         "The {every} event {title} does not take place on {date}. Cancel that date only.",
         "Call off just the {date} occurrence of my {every} {title}."),
        _draw_of_series, lambda page, p: _cancel(page, p, "Cancel this occurrence"),
        (AGENDA, EVENT, FINISHED),
        lambda world, p, state: rules.cancel(world, mine(state), p["event"]), calls=_cancel_calls,
    ),
    Template(
        "cancel_series", ("search", "menu", "dialog"), 9,
        ("Cancel the whole {every} series of {title} that has a date on {date}.",
         "My {every} {title} (one date is {date}) is over for good: cancel all of its dates.",
         "Call off every coming date of the {every} event {title} to which {date} belongs."),
        _draw_of_series, lambda page, p: _cancel(page, p, "Cancel whole series"),
        (AGENDA, EVENT, FINISHED),
        lambda world, p, state: rules.cancel(world, mine(state), p["event"], whole=True),
    ),
    Template(
        "swap_attendee", ("search", "form", "multi-step"), 9,
        ("In my event {title} on {date}, replace {out} by {in}.",
         "{out} cannot come to {title} on {date}; {in} comes instead. Change the attendees.",
         "Remove {out} from {title} of {date} and add {in}."),
        _draw_swap, _swap, (AGENDA, EVENT, FINISHED), _expect_swap,
    ),
    *PLACE_TEMPLATES,
)  # fmt: skip
