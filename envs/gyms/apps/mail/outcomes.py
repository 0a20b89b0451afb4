"""Milestones of mail's tasks, and what success means in tasks of the same kind."""

from __future__ import annotations

from typing import Any

from envs.contract.actions import Tool
from envs.gyms.apps.mail import rules_messages, rules_writing
from envs.gyms.apps.mail.sampling import mail_part
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.template import Params, visited_page
from envs.gyms.server.gym import State

VISITED_LIST = ("list", visited_page("mail:list"))
VISITED_MESSAGE = ("message", visited_page("mail:message:{message}"))
VISITED_SOURCE = ("source", visited_page("mail:message:{source}"))
VISITED_ATTACHMENT = ("attachment", visited_page("mail:attachment:{source}"))
VISITED_FOLDER = ("folder", visited_page("mail:folder:{folder}"))
VISITED_RULES = ("rules", visited_page("mail:rules"))
VISITED_SETTINGS = ("settings", visited_page("mail:settings"))


def expect_action(verb: str, key: str = "message") -> Any:
    """Success: one of the actions was applied to a message, or to several.

    `key` is the param with their ids."""

    def apply(world: Company, p: Params, state: State) -> None:
        keys = [p[key]] if isinstance(p[key], str) else p[key]
        target = p["new_label"] if verb == "label" else p.get("folder", "")
        rules_messages.apply_action(mail_part(state), keys, verb, target)

    return apply


def expect_message(kind: str, text_param: str = "text") -> Any:
    """Success: a message was answered, forwarded or sent from a draft.

    `text_param` is the param with its text."""

    def apply(world: Company, p: Params, state: State) -> None:
        part = mail_part(state)
        origin = get_record(part, "messages", p["message"])
        fields = rules_writing.prefill(part, kind, origin) | {"text": p.get(text_param, "")}
        if kind in ("forward", "edit"):
            fields["to"] = p["to"] if kind == "edit" else p["email"]
        if kind == "edit":
            fields["text"] = origin["body"]
        rules_writing.send_message(world, part, fields, kind, origin)

    return apply


def make_reply_calls(text: str) -> Any:
    """Tool calls that reply with the text of a param."""
    return lambda p: [Tool(name="mail.reply", arguments={"message": p["message"], "text": p[text]})]
