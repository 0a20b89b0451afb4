"""The rules of risky actions: what pays, sends, deletes, leaves the allowed set, or runs programs.

They go by what a control is called (in English, German, French, Spanish and Italian), by what its
form asks for and by where it is sent. A pure function; it errs towards asking, since asking costs a
person a look, and not asking may cost what cannot be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from agent_server.guard.effects import Effect
from envs.contract.approval import Rule
from envs.contract.domains import is_address, is_url_allowed
from envs.contract.page_facts import FormFacts, PageFacts

MAX_LABEL_WORDS = 8
MAX_LINK_WORDS = 3
"""Longer texts of links are headlines and sentences, not commands; names of buttons never are."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a person is asked."""

    rule: Rule
    why: str


_WORDS: dict[Rule, re.Pattern[str]] = {
    "pay": re.compile(
        r"\b(pay|buy|purchase|place (?:your |the |my )?order|order now|confirm (?:order|payment|"
        r"purchase)|donate|transfer|send money|make (?:a )?payment|withdraw|top up|place (?:a )?"
        r"bid|"
        r"bezahlen|zahlen|kaufen|zahlungspflichtig|bestellen|überweisen|spenden|payer|acheter|"
        r"commander|virement|pagar|comprar|realizar pedido|transferir|paga|acquista|ordina|"
        r"bonifico)\b",
        re.IGNORECASE,
    ),
    "send": re.compile(
        r"\b(send|post|publish|share|reply|tweet|forward|invite|upload|comment|"
        r"submit (?:comment|review|application|report|message|feedback)|senden|abschicken|"
        r"absenden|veröffentlichen|teilen|antworten|weiterleiten|einladen|hochladen|envoyer|"
        r"publier|partager|répondre|inviter|enviar|publicar|compartir|responder|invitar|invia|"
        r"pubblica|condividi|rispondi)\b",
        re.IGNORECASE,
    ),
    "delete": re.compile(
        r"\b(delete|remove|erase|wipe|purge|destroy|discard|deactivate|revoke|terminate|"
        r"empty (?:the )?(?:trash|bin)|close (?:the |my )?account|cancel (?:the |my )?"
        r"(?:order|subscription|booking|account|plan)|unsubscribe|löschen|entfernen|verwerfen|"
        r"kündigen|stornieren|supprimer|effacer|résilier|eliminar|borrar|quitar|elimina|"
        r"cancella)\b",
        re.IGNORECASE,
    ),
}
_OF_REPEATS: tuple[Rule, ...] = ("submit", "pay", "send", "delete")
"""What the form did, nobody can tell by the page that answered it: any of these rules asks."""
_SHELL = re.compile(r"(shell|terminal|command|execute|run_python|run_code|python|bash)", re.I)
_CARD = re.compile(r"cc-number|cc-csc|card number|kartennummer|cvv|cvc|iban", re.I)
_SPLIT = re.compile(r"[._/]|(?<=[a-z])(?=[A-Z])")


def find_risks(
    effects: Sequence[Effect], facts: PageFacts, allow: Sequence[str], rules: Sequence[Rule]
) -> list[Reason]:
    """The reasons by rules, each rule once. Not `agent` and `injection`, which know more."""
    reasons: dict[Rule, Reason] = {}
    for effect in effects:
        if effect.is_repeat and (held := [rule for rule in _OF_REPEATS if rule in rules]):
            why = f"it would send the form of this page a second time, to {site_of(effect.url)}"
            reasons.setdefault(held[0], Reason(held[0], why))
        for rule in rules:
            why = _find_why(rule, effect, facts, allow)
            if why:
                reasons.setdefault(rule, Reason(rule, why))
    return list(reasons.values())


def _find_why(rule: Rule, effect: Effect, facts: PageFacts, allow: Sequence[str]) -> str:
    """Why the rule wants a person for this effect; empty where it does not."""
    match rule:
        case "pay" | "send" | "delete":
            label = _command(effect)
            if label and _WORDS[rule].search(label):
                return f"it would {_verb(effect)} {label[:120]!r}"
            if rule == "pay" and effect.form is not None and _asks_for_card(effect.form):
                return "it would send a form with the number of a card or an account"
        case "submit":
            return _leaves_allowed_set(effect, facts, allow)
        case "shell":
            is_shell = effect.kind == "call" and _SHELL.search(effect.label)
            if effect.kind == "launch" or is_shell:
                return f"it would run {effect.label} {effect.text}"[:200]
        case _:
            pass
    return ""


def _command(effect: Effect) -> str:
    """The text that names what a press or a tool does; empty where it names nothing."""
    if effect.kind == "call":
        return " ".join(_SPLIT.split(effect.label)).replace("_", " ")
    if effect.kind != "press":
        return ""
    if effect.is_button:
        return effect.label
    # Of a dialog the whole question counts: its button says OK only.
    limit = MAX_LINK_WORDS if effect.is_link else MAX_LABEL_WORDS
    words = effect.label.split()
    is_question = effect.label.startswith(("confirm:", "prompt:"))
    return effect.label if len(words) <= limit or is_question else ""


def _verb(effect: Effect) -> str:
    return "call" if effect.kind == "call" else "press"


def _asks_for_card(form: FormFacts) -> bool:
    return any(_CARD.search(label) for label in form.labels)


def _leaves_allowed_set(effect: Effect, facts: PageFacts, allow: Sequence[str]) -> str:
    """A form that is sent to, or an address that names, a site of which the task says nothing."""
    url = effect.url
    if effect.kind not in ("press", "open") or not url or (effect.is_link and not allow):
        return ""
    if effect.kind == "press" and effect.form is None and not effect.is_link:
        return ""
    if not urlsplit(url).scheme.startswith("http"):
        return ""
    is_same = site_of(url) == site_of(facts.url)
    if allow and not is_address(url):
        return "" if is_url_allowed(url, allow) else f"{site_of(url)} is outside the allowed set"
    if is_same or effect.kind == "open":
        return ""
    return f"the form is sent to another site: {site_of(url)}"


def site_of(url: str) -> str:
    """The site of a URL: the last two labels of its host, an address with its port; empty for
    none."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return ""
    if not host:
        return ""
    if is_address(url):
        return f"{host}:{port}" if port else host
    labels = host.split(".")
    # Under co.uk and the like three labels are a site.
    is_short = len(labels) > 2 and len(labels[-2]) <= 3 and len(labels[-1]) == 2
    return ".".join(labels[-3:] if is_short else labels[-2:])
