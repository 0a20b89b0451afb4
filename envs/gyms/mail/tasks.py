"""Mail's task templates, and what success means in each."""

from __future__ import annotations

from typing import Any

from envs.actions import Tool
from envs.gyms.gym import State
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import one
from envs.gyms.kit.template import FINISHED, Params, Template, saw
from envs.gyms.mail import draws, rules, scripts
from envs.gyms.mail.data import MOVE
from envs.gyms.mail.draws import mine

LIST = ("list", saw("mail:list"))
MESSAGE = ("message", saw("mail:message:{message}"))
SOURCE = ("source", saw("mail:message:{source}"))
FILE = ("attachment", saw("mail:attachment:{source}"))
FOLDER = ("folder", saw("mail:folder:{folder}"))
RULES = ("rules", saw("mail:rules"))
SETTINGS = ("settings", saw("mail:settings"))


def _act(verb: str, key: str = "message") -> Any:
    """What success means when one of the verbs is used on a message, or on several."""

    def expected(world: Company, p: Params, state: State) -> None:
        keys = [p[key]] if isinstance(p[key], str) else p[key]
        target = p["new_label"] if verb == "label" else p.get("folder", "")
        rules.act(mine(state), keys, verb, target)

    return expected


def _wrote(how: str, text: str = "text") -> Any:
    """What success means when a message is answered or forwarded."""

    def expected(world: Company, p: Params, state: State) -> None:
        part = mine(state)
        origin = one(part, "messages", p["message"])
        written = rules.letter(part, how, origin) | {"text": p.get(text, "")}
        if how in ("forward", "edit"):
            written["to"] = p["to"] if how == "edit" else p["email"]
        if how == "edit":
            written["text"] = origin["body"]
        rules.compose(world, part, written, how, origin)

    return expected


def _reply_calls(text: str) -> Any:
    return lambda p: [Tool(name="mail.reply", arguments={"message": p["message"], "text": p[text]})]


def _letter(p: Params) -> dict[str, str]:
    return {key: p[key] for key in ("to", "cc", "subject", "text")}


def _largest_number(world: Company, p: Params, before: State) -> str:
    bills = [one(mine(before), "messages", key)["file"] for key in p["bills"]]
    return str(max(bills, key=lambda file: file["total"])["number"])


def _oldest_sender(world: Company, p: Params, before: State) -> str:
    unread = [m for m in mine(before)["messages"] if m["folder"] == p["folder"] and m["unread"]]
    return str(min(unread, key=lambda m: m["at"])["name"])


def _expect_thread(world: Company, p: Params, state: State) -> None:
    made = rules.create_folder(mine(state), p["name"])
    rules.act(mine(state), p["messages"], "move", made["id"])


def _rule(p: Params, does: str = MOVE) -> dict[str, str]:
    return {"field": p.get("field", "Sender"), "text": p["text"], "does": does,
            "folder": p["folder"], "label": ""}  # fmt: skip


def _expect_new_rule(world: Company, p: Params, state: State) -> None:
    made = rules.save_rule(mine(state), _rule(p))
    rules.run_rule(mine(state), made["id"])


def _mark_calls(how: str) -> Any:
    return lambda p: [Tool(name="mail.mark", arguments={"messages": [p["message"]], "how": how})]


TEMPLATES = (
    Template(
        "star", ("search",), 6,
        ("Star the message “{subject}” from {sender}.",
         "Put a star on {sender}'s message “{subject}”.",
         "I want to find “{subject}” by {sender} again: star it."),
        draws.draw_plain, scripts.press("Star"), (LIST, MESSAGE, FINISHED), _act("star"),
        calls=_mark_calls("star"),
    ),
    Template(
        "mark_unread", ("search", "menu"), 7,
        ("Mark the message “{subject}” from {sender} as unread.",
         "Make “{subject}” by {sender} unread again."),
        draws.draw_read, scripts.press("Mark as unread", "More"), (LIST, MESSAGE, FINISHED),
        _act("unread"), calls=_mark_calls("unread"),
    ),
    Template(
        "delete", ("search",), 6,
        ("Delete the message “{subject}” from {sender}; it may stay in Trash.",
         "Move “{subject}” by {sender} to Trash."),
        draws.draw_plain, scripts.press("Delete"), (LIST, MESSAGE, FINISHED), _act("trash"),
    ),
    Template(
        "move", ("search", "menu", "form"), 9,
        ("Move the message “{subject}” from {sender} to the folder {folder_name}.",
         "“{subject}” by {sender} belongs in {folder_name}. Put it there.",
         "File {sender}'s “{subject}” under {folder_name}."),
        draws.draw_move, scripts.move, (LIST, MESSAGE, FINISHED), _act("move"),
        calls=lambda p: [Tool(name="mail.move", arguments={
            "messages": [p["message"]], "folder": p["folder_name"]})],
    ),
    Template(
        "label", ("search", "menu", "form"), 9,
        ("Set the label {new_label} on the message “{subject}” from {sender}.",
         "Label “{subject}” by {sender} as {new_label}."),
        draws.draw_label, scripts.label, (LIST, MESSAGE, FINISHED), _act("label"),
    ),
    Template(
        "reply", ("search", "form"), 8,
        ("Reply to the message “{subject}” from {sender} alone: {text}",
         "Answer {sender}'s “{subject}” (nobody else) with this text: {text}"),
        draws.draw_reply, scripts.reply, (LIST, MESSAGE, FINISHED), _wrote("reply"),
        calls=_reply_calls("text"),
    ),
    Template(
        "reply_all", ("search", "form"), 8,
        ("Reply to all who got “{subject}” from {sender}: {text}",
         "Answer everybody on {sender}'s message “{subject}” with this text: {text}"),
        draws.draw_reply_all, scripts.reply_all, (LIST, MESSAGE, FINISHED), _wrote("reply-all"),
    ),
    Template(
        "new_message", ("form",), 8,
        ("Write to {to}, with a copy to {cc}. Subject: {subject}. Text: {text}",
         "Send a new message to {to}, cc {cc}, subject “{subject}”, with this text: {text}"),
        draws.draw_new, scripts.new, (("new", saw("mail:new")), FINISHED),
        lambda world, p, state: rules.compose(world, mine(state), _letter(p)),
        calls=lambda p: [Tool(name="mail.send", arguments=_letter(p))],
    ),
    Template(
        "forward", ("search", "recall", "form", "multi-step"), 12,
        ("Forward the message “{subject}” from {sender} to {person}, without a text of your own. "
         "{person}'s address stands on messages from there.",
         "{person} needs “{subject}” of {sender}: forward it, adding no text. Look the address up "
         "in {person}'s messages."),
        draws.draw_file, scripts.forward, (MESSAGE, FINISHED),
        _wrote("forward"),
    ),
    Template(
        "forward_nothing", ("search", "refuse"), 5,
        ("Forward the attachment of “{subject}” from {sender} to {email}. If it has none, say that "
         "it cannot be done.",
         "Send the file attached to {sender}'s “{subject}” on to {email}, if there is one."),
        draws.draw_no_file, scripts.forward_file, (LIST, MESSAGE, FINISHED), infeasible=True,
        must_see=("mail:message:{message}",),
    ),
    Template(
        "send_draft", ("form", "multi-step"), 6,
        ("Send the draft “{subject}” to {to}, with its text as it is.",
         "The draft “{subject}” lacks an address only: {to}. Complete and send it."),
        draws.draw_draft, scripts.send_draft, (MESSAGE, FINISHED), _wrote("edit"),
    ),
    Template(
        "tell_phone", ("search", "recall", "form", "multi-step"), 12,
        ("Reply to “{subject}” from {sender} with {person}'s phone number, which stands below "
         "messages from {person}. The text is the number alone, as it is written there.",
         "{sender} asks in “{subject}” for the phone number of {person}. Reply with just the "
         "number, as a message signed by {person} shows it."),
        draws.draw_phone, scripts.tell_phone, (SOURCE, MESSAGE, FINISHED), _wrote("reply", "phone"),
        calls=_reply_calls("phone"),
    ),
    Template(
        "tell_total", ("search", "recall", "compare", "form", "multi-step"), 13,
        ("Reply to “{subject}” from {sender} with the total of the invoice attached to the newest "
         "message from the firm {firm}. The text is the amount alone, as it is written there.",
         "{sender} wants to know, in “{subject}”, the total of the invoice that came with the "
         "newest message of {firm}. Reply with just the amount as the attachment shows it."),
        draws.draw_total, scripts.tell_total, (FILE, MESSAGE, FINISHED), _wrote("reply", "total"),
    ),
    Template(
        "invoice_due", ("search", "answer"), 6,
        ("When is the invoice {number} due? It came by mail.",
         "On which day must invoice {number}, which {sender} sent, be paid?"),
        draws.draw_file, scripts.due, (MESSAGE, FINISHED),
        answer=lambda world, p, before: str(p["due"]), answer_kind="date",
    ),
    Template(
        "largest_invoice", ("search", "compare", "recall", "answer", "multi-step"), 16,
        ("Which of the invoices that the firm {firm} sent by mail has the largest total? Answer "
         "with its number.",
         "Give the number of the invoice with the highest total of all that {firm} mailed."),
        draws.draw_bills, scripts.largest, (LIST, FINISHED), answer=_largest_number,
    ),
    Template(
        "tell_largest", ("search", "compare", "recall", "form", "multi-step"), 23,
        ("Of the invoices that the firm {firm} sent by mail, find the one with the largest total, "
         "and reply to “{subject}” from {sender} with its number. The text is the number alone.",
         "{sender} wants to know, in “{subject}”, which invoice mailed by {firm} has the highest "
         "total. Reply with just the number of that invoice."),
        draws.draw_tell_largest, scripts.tell_largest, (LIST, MESSAGE, FINISHED),
        _wrote("reply", "number"), calls=_reply_calls("number"),
    ),
    Template(
        "oldest_unread", ("filter", "sort", "answer"), 7,
        ("Who sent the oldest unread message in the folder {name}? Answer as the list names them.",
         "Give the sender, as the list shows it, of the unread message in {name} with the earliest "
         "date."),
        draws.draw_folder, scripts.unread, (FOLDER, FINISHED), answer=_oldest_sender,
    ),
    Template(
        "archive_newsletter", ("search", "multi-step"), 9,
        ("Archive all messages in Inbox from {sender}, and no others.",
         "All that {sender} sent to Inbox belongs in Archive. Move it there."),
        draws.draw_newsletter, scripts.archive_all, (LIST, FINISHED),
        _act("archive", "messages"),
        calls=lambda p: [Tool(name="mail.move", arguments={
            "messages": p["messages"], "folder": "Archive"})],
    ),
    Template(
        "spam", ("search", "menu", "multi-step"), 11,
        ("Mark all messages in Inbox from {sender} as spam.",
         "{sender} is a nuisance: all its messages in Inbox are spam. Mark them so."),
        draws.draw_strangers, scripts.spam_all, (LIST, FINISHED), _act("spam", "messages"),
        prepare=draws.make_strangers,
    ),
    Template(
        "label_files", ("filter", "form", "multi-step"), 13,
        ("Label all unread messages with an attachment in {name} as {new_label}.",
         "In {name}, every unread message that carries an attachment gets the label {new_label}."),
        draws.draw_files, scripts.label_files, (LIST, FINISHED), _act("label", "messages"),
    ),
    Template(
        "file_thread", ("search", "form", "multi-step"), 13,
        ("Create a folder {name} and move all messages with “{subject}” in their subject from "
         "{from_name} to it.",
         "The messages about “{subject}” that are in {from_name} get a new folder, {name}. Create "
         "it and move them there."),
        draws.draw_thread, scripts.file_thread, (LIST, FINISHED), _expect_thread,
    ),
    Template(
        "empty_trash", ("dialog",), 4,
        ("Empty Trash.", "Delete all that is in Trash for good.", "Clear out Trash completely."),
        draws.draw_nothing, scripts.empty_trash, (LIST, FINISHED),
        lambda world, p, state: rules.empty_trash(mine(state)), prepare=draws.make_trash,
    ),
    Template(
        "delete_for_good", ("dialog", "multi-step"), 6,
        ("Delete the message “{subject}” from {sender}, which is in Trash, for good.",
         "“{subject}” by {sender} must not stay in Trash: delete it for good, and only that."),
        draws.draw_trash, scripts.delete_for_good, (LIST, MESSAGE, FINISHED),
        lambda world, p, state: rules.destroy(mine(state), [p["message"]]),
        prepare=draws.make_trash,
    ),
    Template(
        "delete_folder", ("menu", "dialog"), 5,
        ("Delete the folder {name}; its messages may go to Archive.",
         "The folder {name} is not needed any more. Delete it."),
        draws.draw_unused, scripts.delete_folder, (FOLDER, FINISHED),
        lambda world, p, state: rules.delete_folder(mine(state), p["folder"]),
    ),
    Template(
        "delete_used_folder", ("refuse",), 2,
        ("Delete the folder {name}. If mail does not allow it, change nothing and say that it "
         "cannot be done.",
         "Delete the folder {name}, provided that no rule stands in the way; else leave it all."),
        draws.draw_used, scripts.delete_folder, (FOLDER, FINISHED), infeasible=True,
        must_see=("mail:folder:{folder}",),
    ),
    Template(
        "edit_rule", ("search", "form"), 7,
        ("The rule “{name}” should move to {folder_name}. Change it.",
         "Messages that the rule “{name}” moves shall go to {folder_name} from now on."),
        draws.draw_rule, scripts.edit_rule, (RULES, FINISHED),
        lambda world, p, state: rules.save_rule(mine(state), _rule(p), p["rule"]),
    ),
    Template(
        "delete_rule", ("search", "menu", "dialog"), 8,
        ("Delete the rule “{name}”.", "The rule “{name}” is not wanted any more: delete it."),
        draws.draw_rule, scripts.delete_rule, (RULES, FINISHED),
        lambda world, p, state: rules.delete_rule(mine(state), p["rule"]),
    ),
    Template(
        "new_rule", ("form", "dialog", "search", "multi-step"), 12,
        ("Make a rule that moves messages whose sender contains {text} to {folder_name}, and run "
         "it on Inbox.",
         "Mail from {text} shall go to {folder_name}: make a rule that looks at the sender for "
         "this address, then run it on Inbox once."),
        draws.draw_new_rule, scripts.new_rule, (RULES, FINISHED), _expect_new_rule,
    ),
    Template(
        "vacation", ("form", "date"), 9,
        ("Turn on the vacation responder from {first_day} to {last_day} with this text: {text}",
         "I am away from {first_day} to {last_day}. Have mail answer with: {text}"),
        draws.draw_away, scripts.vacation, (SETTINGS, FINISHED),
        lambda world, p, state: rules.set_vacation(
            mine(state), True, p["first"], p["last"], p["text"], world.today
        ),
    ),
    Template(
        "signature", ("form",), 6,
        ("Set my signature to: {text}", "Below my messages shall stand: {text}"),
        draws.draw_signature, scripts.signature, (SETTINGS, FINISHED),
        lambda world, p, state: rules.set_signature(mine(state), p["text"]),
    ),
)  # fmt: skip
