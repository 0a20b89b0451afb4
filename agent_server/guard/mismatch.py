"""Whether an action is of the kind that the user's task asks for: the least that the task needs.

These rules read no page, so no wording, hiding place or language of an attack gets past them:

- *look-only*: the task only asks for information, and the action sends a form that changes
  something;
- *another deed*: the action pays, sends, deletes or grants, and nothing in the task does;
- *new recipient*: what is entered says who gets something (an address, an account, a member), and
  the task does not name them, each one of a list;
- *new quantity*: how many is none of the numbers that the task says, where it says any (sums are
  worked out: an additional tenth, each one's share);
- *new credential*: a password or another way in is set to what the task does not say.

A pure function of the task and an effect. It errs where the user's words are vaguer than the deed
("deal with my inbox").
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_server.guard.effects import Effect
from agent_server.guard.provenance import (
    NUMBERS,
    content_words,
    data_of,
    is_of_user,
    stands_literally,
)

_LEAD = (
    r"(?:^|[.!?;:,(\n]\s*|\b(?:please|and|then|also|to|or|can you|could you|would you|must|"
    r"should|you|i want|need|help me|just|now|after that|next|first|finally|if so)"
    r"\s+(?:also\s+|please\s+)?)"
)
_DEEDS: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "pay": (
        re.compile(
            r"\b(pay|buy|purchase|place (?:\w+ )?order|order now|checkout|donate|transfer|"
            r"send money|withdraw|top up|bid|subscribe|wire|refund)\b",
            re.IGNORECASE,
        ),
        re.compile(
            r"\b(pay|paying|buy|buying|purchase|(?<!my )(?<!the )(?<!an )"
            r"(?<!this )order(?! number)|book|reserve|rent|check ?out|transfer|wire|"
            r"donate|refund|renew|upgrade|subscribe|tip|bid|top up|invest|deposit|withdraw|"
            r"send|get me|sponsor|settle|split)\b",
            re.IGNORECASE,
        ),
    ),
    "send": (
        re.compile(
            r"\b(send|post|publish|share|reply|tweet|forward|invite|upload|comment)\b",
            re.IGNORECASE,
        ),
        re.compile(
            r"\b(send|write|e-?mail|mail|message|reply|respond|answer|forward|tell|notify|inform|"
            r"contact|post|publish|share|comment|tweet|invite|submit|apply|register|sign up|fill|"
            r"complete|request|report|review|rate|upload|ask|schedule|create|add|rsvp|join|say|"
            r"thank|remind|let \w+ know|set up|organi[sz]e|announce|leave|enter|order|book|"
            r"subscribe)\w*\b",
            re.IGNORECASE,
        ),
    ),
    "delete": (
        re.compile(
            r"\b(delete|remove|erase|wipe|purge|destroy|discard|deactivate|terminate|revoke|"
            r"close (?:\w+ )?account|cancel (?:\w+ )?\w+|unsubscribe|"
            r"empty (?:\w+ )?(?:trash|bin))\b",
            re.IGNORECASE,
        ),
        re.compile(
            r"\b(delet|remov|cancel|clear|clean|empty|eras|discard|unsubscrib|clos|deactivat|"
            r"archiv|drop|undo|reject|declin|terminat|wip|get rid|revok|kick|tidy|replac|mov)\w*",
            re.IGNORECASE,
        ),
    ),
    "grant": (
        re.compile(
            r"\b(grant|authori[sz]e|approve|allow|give access|add (?:\w+ )?(?:user|member|admin|"
            r"guest)|make (?:\w+ )?admin|unlock|share access|trust)\b",
            re.IGNORECASE,
        ),
        re.compile(
            r"\b(grant|give|shar|invit|add|approv|allow|authori[sz]|accept|enabl|unlock|permi|"
            r"access|let|connect|install|trust|mak)\w*",
            re.IGNORECASE,
        ),
    ),
    "change": (
        re.compile(
            r"\b(update|change|reset|edit|modify|rename|replace|set new|adjust|override|"
            r"reschedule|move)\b",
            re.IGNORECASE,
        ),
        re.compile(
            r"\b(updat|chang|reset|edit|modif|renam|replac|set|adjust|correct|fix|increas|decreas|"
            r"reschedul|mov|shift|postpon|put|mak|add|append|turn|switch|adapt|extend|new|instead)"
            r"\w*",
            re.IGNORECASE,
        ),
    ),
    "create": (
        re.compile(
            r"\b(create|add|new|schedule|book|reserve|register|sign up|join|enrol+|subscribe|"
            r"append|insert|install|connect)\b",
            re.IGNORECASE,
        ),
        re.compile(
            r"\b(creat|add|new|schedul|book|reserv|regist|sign|join|enrol|subscrib|append|insert|"
            r"writ|put|set up|plan|organi[sz]|mak|arrang|invit|install|connect|save|not(?:e|ing)\b|"
            r"includ|cop)\w*",
            re.IGNORECASE,
        ),
    ),
}
"""For each deed: what a control is called that does it, and what a task says that needs it."""
_LOOK = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+|i (?:want|need|would like) to\s+(?:know|see)\s*|"
    r"help me\s+)?(who|what|when|where|which|why|how|is|are|was|were|does|do|did|has|have|will|"
    r"find|tell|list|show|compare|read|summari[sz]e|look|check|count|search|give me|get|see|"
    r"report|explain|describe|name|calculate|determine|identify|extract|retrieve)\b",
    re.IGNORECASE,
)
_DOING = re.compile(
    _LEAD + r"(send|write|e-?mail|mail|message|reply|respond|forward|notify|inform|contact|post|"
    r"publish|share|comment|invite|submit|apply|register|sign|fill|complete|request|review|rate|"
    r"upload|schedule|create|add|join|set|change|update|edit|rename|save|buy|purchase|order|book|"
    r"reserve|pay|transfer|donate|refund|renew|subscribe|delete|remove|cancel|clear|empty|move|"
    r"archive|put|place|select|choose|pick|click|press|type|enter|log|download|install|enable|"
    r"disable|turn|switch|accept|approve|grant|allow|assign|make|do|use|try|play|start|stop|"
    r"close|reschedule|append|mark|tag|label|confirm|follow|vote|like|reset|adjust|increase|"
    r"decrease|correct|fix|process|handle|deal|take care|go through|settle)\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(search|find|filter|sort|go|next|previous|show|apply filter|accept|agree|reject|cookies?|"
    r"consent|ok|close|dismiss|continue|log ?in|sign ?in|language|country|currency|page|more|"
    r"refresh|suchen|anmelden|weiter|akzeptieren)\b",
    re.IGNORECASE,
)
_RECIPIENT = re.compile(
    r"(^|\b)(to|cc|bcc|recipients?|e-?mails?|mail address|payee|beneficiary|iban|account"
    r"(?: number| id)?|member|users?(?: ?name| ?id)?|invitees?|participants?|guests?(?: ids?)?|"
    r"attendees?|share with|phone(?: number)?|wallet|url|website|webhook|"
    r"forwarding address|recovery (?:mail|e-?mail|address))\b",
    re.IGNORECASE,
)
_CREDENTIAL = re.compile(
    r"\b(pass(?:word|phrase|code)|pin|secret|security (?:question|answer)|api key|two[- ]factor|"
    r"2fa|recovery (?:phone|code))\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"\b(quantity|qty|how many|number of|count)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w./-])\d+(?:[.,]\d+)?(?![\w/-]|[.:]\w)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SEVERAL = re.compile(r"\s*[,;\n]\s*")
_MONEY = re.compile(r"\bsend (?:\w+ )?money\b", re.IGNORECASE)
"""A payment, and no message."""

_PLAIN_THINGS = content_words("message mail email form order reply request selected item comment")
"""What a deed is done to wherever it is done."""


@lru_cache(maxsize=256)
def is_look_only(task: str) -> bool:
    """Whether the task asks for information and for nothing to be done."""
    return bool(_LOOK.search(task)) and not _DOING.search(task)


def is_of_kind(label: str, task: str) -> bool:
    """Whether the label's deeds are all deeds of the task, done to nothing else than the task
    names; False where it has none."""
    deeds = [deed for deed, (control, _) in _DEEDS.items() if control.search(label)]
    objects = label
    for deed in deeds:
        objects = _DEEDS[deed][0].sub(" ", objects)
    things = content_words(objects) - _PLAIN_THINGS - content_words(task)
    return bool(deeds) and not things and all(_DEEDS[deed][1].search(task) for deed in deeds)


def find_mismatch(effect: Effect, task: str) -> str:
    """Why the task does not cover the effect; empty where it seems to."""
    if effect.kind in ("press", "call") and not effect.is_link:
        label = effect.label.replace("_", " ").replace(".", " ")
        for deed, (control, needed) in _DEEDS.items():
            named = _MONEY.sub(" ", label) if deed == "send" else label
            if control.search(named) and len(label.split()) <= 12 and not needed.search(task):
                return f"the task asks for nothing that would {deed}, and {label[:80]!r} may"
        sends = effect.form is not None and effect.form.method == "post"
        if sends and is_look_only(task) and not _HARMLESS.search(label):
            return f"the task only asks to look, and {label[:80]!r} sends a form"
    if effect.kind == "type":
        return _find_foreign(effect.label, effect.text, task)
    if effect.kind == "press" and effect.form is not None:
        for label, value in zip(effect.form.labels, effect.form.values, strict=False):
            if why := _find_foreign(label, value, task):
                return why
    return ""


def _find_foreign(label: str, value: str, task: str) -> str:
    """Why what a field of consequence gets is not of the task; empty where it is."""
    if _CREDENTIAL.search(label) and value.strip() and not stands_literally(value, task):
        return f"the task does not say what {label[:40]!r} is set to"
    if _QUANTITY.search(label) and _is_foreign_quantity(value, task):
        return f"the task says another number than {value[:20]!r} for {label[:40]!r}"
    if not _RECIPIENT.search(label) or is_of_user(value, task):
        return ""
    # One whom the task names vouches for nobody who stands beside them.
    strangers = [part for part in _SEVERAL.split(value) if not _is_named(part, task)]
    if not strangers:
        return ""
    return f"{strangers[0][:80]!r} in {label[:40]!r} is nobody whom the task names"


def _is_foreign_quantity(value: str, task: str) -> bool:
    """Whether a number is none of the task's. Years, dates and numbers in names are no such."""
    number = _NUMBER.fullmatch(value.strip(" $€£"))
    numbers = [each for each in _NUMBER.findall(task) if not _YEAR.fullmatch(each)]
    numbers += [str(n) for n, word in enumerate(NUMBERS) if re.search(rf"\b{word}\b", task, re.I)]
    if number is None or not numbers:
        return False
    return _as_number(number[0]) not in {_as_number(each) for each in numbers}


def _as_number(digits: str) -> float:
    return float(digits.replace(",", "."))


def _is_named(recipient: str, task: str) -> bool:
    """Whether the task names whom an address or a name stands for."""
    if is_of_user(recipient, task):
        return True
    # "Write to Ann" names ann.lee@example.com well enough.
    name = recipient.split("@")[0]
    names = content_words(name.replace(".", " ").replace("_", " "))
    return bool(names & content_words(task)) and not data_of(name.replace("_", " "))
