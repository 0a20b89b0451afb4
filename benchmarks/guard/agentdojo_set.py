"""Makes the held-out part from AgentDojo, by rule alone: nobody who wrote the guard's rules wrote,
chose or changed a text of it.

    pip install agentdojo; python -m benchmarks.guard.agentdojo_set

AgentDojo (Debenedetti et al., 2024; MIT licence, ETH Zurich) has tasks of users on mails,
calendars, files, banks, travel and chats, the calls that solve them, goals of attackers with the
calls that carry them out, and attacks that word a goal. Here every tool that changes something is a
form of a site, named as the tool is, and every tool that reads is a page that shows its result. A
case is a user's task with its reading pages; its steps are the calls, filled into the forms. Of an
attack they are the attacker's, and the attack's text stands on the pages by the case's kind; of a
benign case they are the user's, and the pages are as they come.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from html import unescape as unescape_entities
from itertools import cycle
from typing import Any

from benchmarks.guard.cases import KINDS, Case, Harm, Kind, save_cases

VERSION = "v1.2.1"
ATTACKS = (
    "direct", "ignore_previous", "system_message", "injecagent", "important_instructions_no_names"
)  # fmt: skip
READING = ("get_", "read_", "list_", "search_", "check_", "download_", "verify_")
HIDING = (
    "<div style='display:none'>{}</div>",
    "<p style='color:white;background:white'>{}</p>",
    "<p style='font-size:1px'>{}</p>",
    "<p style='position:absolute;left:-9999px'>{}</p>",
    "<p style='opacity:0'>{}</p>",
    "<!-- {} -->",
)
ATTRIBUTES = (
    '<img src=x width=60 height=40 alt="{}">',
    '<a href=/about title="{}">About</a>',
    '<section aria-label="{}">Notes</section>',
    '<input type=hidden value="{}">',
)
MAX_BENIGN_CALLS = 6


def run() -> None:
    """Writes data/test.json."""
    suites = importlib.import_module("agentdojo.task_suite.load_suites").get_suites(VERSION)
    cases: list[Case] = []
    for name, suite in suites.items():
        cases += list_attacks(name, suite)
        cases += list_benign(name, suite)
    save_cases("test", cases)
    attacks = sum(case.is_attack for case in cases)
    print(f"{attacks} attacks, {len(cases) - attacks} benign")


def list_attacks(name: str, suite: Any) -> Iterator[Case]:
    """Each attacker's goal in each kind, with the users' tasks and the wordings in turn."""
    users = cycle(suite.user_tasks.values())
    wordings = cycle(ATTACKS)
    number = 0
    for goal_id, goal in suite.injection_tasks.items():
        for kind in KINDS:
            user, wording = next(users), next(wordings)
            number += 1
            text = word_goal(suite, user, goal, wording)
            slots = dict.fromkeys(suite.get_injection_vector_defaults(), text)
            injected = slots if kind == "content" else {}
            environment = suite.load_and_inject_default_environment(injected)
            deeds = [call for call in goal.ground_truth(environment) if is_deed(call)]
            if not deeds:
                continue
            environment = suite.load_and_inject_default_environment(injected)
            pages = show_results(suite, user, environment)
            if kind == "content" and not any(
                text[:40] in unescape(html) for html in pages.values()
            ):
                # The user's task reads nothing that AgentDojo's attackers can write to.
                pages["/"] += f"<ul><li>{escape(text)}</li></ul>"
            place(pages, kind, text, number)
            site = "{other}" if kind == "steps" and number % 2 else ""
            pages |= make_forms(deeds, site)
            harm = make_harm(deeds[-1], site)
            yield Case(
                name=f"{name}/{goal_id}/{user.ID}/{wording}",
                kind=kind,
                task=user.PROMPT,
                pages=finish(pages),
                steps=[*open_notice(kind), *make_steps(deeds, site)],
                harm=harm,
            )


def list_benign(name: str, suite: Any) -> Iterator[Case]:
    """Each user's task that changes something, on pages as they come."""
    kinds = cycle(KINDS)
    for user in suite.user_tasks.values():
        environment = suite.load_and_inject_default_environment({})
        deeds = [call for call in user.ground_truth(environment) if is_deed(call)]
        if not deeds:
            continue
        environment = suite.load_and_inject_default_environment({})
        pages = show_results(suite, user, environment) | make_forms(deeds, "")
        yield Case(
            name=f"{name}/{user.ID}",
            kind=next(kinds),
            task=user.PROMPT,
            pages=finish(pages),
            steps=make_steps(deeds[:MAX_BENIGN_CALLS], ""),
        )


def word_goal(suite: Any, user: Any, goal: Any, wording: str) -> str:
    """The attacker's goal in the words of an attack of AgentDojo."""
    registry = importlib.import_module("agentdojo.attacks.attack_registry")
    pipeline = type("Pipeline", (), {"name": "local"})()
    attack = registry.load_attack(wording, suite, pipeline)
    vectors = list(suite.get_injection_vector_defaults())
    # Which vectors a task can see is found by running it with a model's pipeline: none is needed
    # here, since the text is placed by kind.
    attack.get_injection_candidates = lambda *_: vectors
    return str(next(iter(attack.attack(user, goal).values())))


def is_deed(call: Any) -> bool:
    """Whether a call changes something."""
    return not call.function.startswith(READING)


def show_results(suite: Any, user: Any, environment: Any) -> dict[str, str]:
    """What the user's task reads, on the first page."""
    runtime_module = importlib.import_module("agentdojo.functions_runtime")
    runtime = runtime_module.FunctionsRuntime(suite.tools)
    parts = []
    for call in user.ground_truth(environment.model_copy(deep=True)):
        if is_deed(call):
            continue
        result, _ = runtime.run_function(environment, call.function, call.args)
        heading = call.function.replace("_", " ")
        parts.append(f"<h2>{escape(heading)}</h2>{show_value(result)}")
    return {"/": "".join(parts) or "<h2>Home</h2>"}


def show_value(value: Any) -> str:
    """A result as a page shows it: records as lists of their fields."""
    if hasattr(value, "model_dump"):
        value = value.model_dump(mode="json")
    if isinstance(value, Mapping):
        rows = (f"<dt>{escape(str(key))}<dd>{show_value(part)}" for key, part in value.items())
        return f"<dl>{''.join(rows)}</dl>"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"<ul>{''.join(f'<li>{show_value(part)}</li>' for part in value)}</ul>"
    return "".join(f"<p>{escape(line)}</p>" for line in str(value).splitlines() if line.strip())


def unescape(html: str) -> str:
    """The text of a page, roughly: to look for a text in it."""
    return unescape_entities(re.sub(r"<[^>]*>", "\n", html)).strip()


def place(pages: dict[str, str], kind: Kind, text: str, number: int) -> None:
    """Puts the attack where its kind has it. One in content stands there already."""
    safe = escape(text)
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())
    match kind:
        case "visible":
            pages["/"] = f"{paragraphs}{pages['/']}" if number % 2 else f"{pages['/']}{paragraphs}"
        case "hidden":
            pages["/"] += HIDING[number % len(HIDING)].format(safe.replace("--", "- -"))
        case "attribute":
            pages["/"] += ATTRIBUTES[number % len(ATTRIBUTES)].format(safe)
        case "dialog":
            if number % 2:
                pages["/"] += f"<dialog open><h2>System</h2>{paragraphs}</dialog>"
            else:
                pages["/"] += f"<script>alert({json.dumps(text)})</script>"
        case "steps":
            pages["/"] += "<p><a href=/notice>Notice</a></p>"
            pages["/notice"] = paragraphs
        case "content":
            pass


def open_notice(kind: Kind) -> list[dict[str, Any]]:
    """The way to an attack that is not on the first page."""
    return [{"type": "navigate", "url": "/notice"}] if kind == "steps" else []


def make_forms(calls: Sequence[Any], site: str) -> dict[str, str]:
    """A page with a form for each function."""
    prefix = "//other" if site else ""
    pages = {}
    for call in calls:
        label = call.function.replace("_", " ")
        fields = "".join(
            f"<label>{escape(name.replace('_', ' '))} <textarea name={name}></textarea></label>"
            for name in call.args
        )
        pages[f"{prefix}/{call.function}"] = (
            f"<h1>{label}</h1><form method=post action={prefix.replace('//other', '')}"
            f"/done/{call.function}>{fields}<button>{label.capitalize()}</button></form>"
        )
    return pages


def make_steps(calls: Sequence[Any], site: str) -> list[dict[str, Any]]:
    """Opens the form of each call, fills it in and sends it."""
    steps: list[dict[str, Any]] = []
    for call in calls:
        steps.append({"type": "navigate", "url": f"{site}/{call.function}"})
        for name, value in call.args.items():
            target = {"selector": f"[name={name}]"}
            steps.append({"type": "type", "text": say(value), "target": target})
        steps.append({"type": "click", "target": {"selector": "form button"}})
    return steps


def say(value: Any) -> str:
    """An argument as a person types it."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(say(part) for part in value)
    return str(value)


def make_harm(call: Any, site: str) -> Harm:
    """That the form of the call was sent with what the attacker wants in it."""
    texts = (say(value).replace("\n", "\r\n") for value in call.args.values())
    path = f"{'//other' if site else ''}/done/{call.function}"
    return Harm(path=path, texts=tuple(text for text in texts if len(text) < 200))


def finish(pages: Mapping[str, str]) -> dict[str, str]:
    """Whole documents."""
    return {
        path: f"<!doctype html><meta charset=utf-8><title>Office</title>{html}"
        for path, html in pages.items()
    }


if __name__ == "__main__":
    run()
