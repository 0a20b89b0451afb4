"""Scripts for tasks with a mail client and with posts of a social network."""

from __future__ import annotations

import re

from envs.contract.observations import TreeLine
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script
from envs.gyms.server.gym import OracleLost

_POST_BUTTONS = ("Reply", "Retweet", "Like", "Share", "More")
_MAX_POSTS = 99
_SENDER_PATTERNS = (
    r"\b(?:by|from) ([\w-]+)",
    r"([\w-]+) (?:sent|wants his)",
    r"Get ([\w-]+) email",
)
_CAPITALIZED_VERBS = {
    "Find",
    "Locate",
    "Look",
    "Forward",
    "Send",
    "Go",
    "Please",
    "The",
    "Give",
    "Navigate",
    "Search",
    "Get",
}
"""Words that a query may begin with: capitalized, and no names of people."""


def post_action(page: LivePage) -> Moves:
    """One action on a user's post: a button, or an entry of its menu."""
    user = page.match_query(r"user (@\w+)")[0]
    action = page.quoted_texts[0]
    if action not in _POST_BUTTONS:
        yield page.click(_post_control(page, user, "More"), f"{action} is in the menu of {user}.")
        yield page.click(next(m for m in page.all("menu") if m.name.startswith(action)))
    else:
        yield page.click(_post_control(page, user, action))


def post_actions(page: LivePage) -> Moves:
    """The same action on all or some posts of a user.

    From top to bottom: what was pressed may have moved out of sight above."""
    action, user = page.quoted_texts[0], page.match_query(r"by (@\S+)")[0]
    count = re.search(r"on (\d+) posts?", page.query)
    for _ in range(int(count[1]) if count else _MAX_POSTS):
        controls = _post_controls(page, user)
        unused = [line for line in controls if line.name == action and not line.states]
        if not unused:
            break
        yield page.click(unused[0], f"{action} for {user}.")
    yield page.submit()


def _post_controls(page: LivePage, user: str) -> list[TreeLine]:
    """The controls of all posts by a user."""
    author, controls = None, []
    for line in page.lines[1:]:
        match = re.search(r"(@\S+)", line.name) if line.role == "text" else None
        author = match[1] if match else author
        if author == user and line.ref is not None:
            controls.append(line)
    return controls


def _post_control(page: LivePage, user: str, action: str) -> TreeLine:
    controls = _post_controls(page, user)
    line = next((line for line in controls if line.name == action), None)
    if line is None:
        raise OracleLost(f"{user} has no {action}")
    return line


def email(page: LivePage) -> Moves:
    """Deletes, stars, answers or forwards the message of one sender."""
    name = sender_name(page.query)
    index = next(
        (
            index
            for index, line in enumerate(page.lines)
            if line.role == "link" and line.name.split()[0] == name
        ),
        None,
    )
    if index is None:
        raise OracleLost(f"no mail by {name or 'a name'} for: {page.query}")
    for word, button in (("trash", "Trash"), ("star icon", "Star")):
        if word in page.query:
            below = page.lines[index:]
            yield page.click(next(line for line in below if line.name == button))
            return
    yield page.click(page.lines[index], f"I open the mail by {name}.")
    if "reply" in page.query:
        yield page.click(page.get("Reply", "button"))
        yield page.write(page.get("Message", "box"), page.quoted_texts[0])
    else:
        words = re.findall(r"[A-Z][\w-]+", page.query)
        others = [word for word in words if word not in _CAPITALIZED_VERBS and word != name]
        yield page.click(page.get("Forward", "button"))
        yield page.write(page.get("To", "box"), others[0] if others else name)
    yield page.click(page.get("Send", "button"))


def sender_name(query: str) -> str:
    """Whose message the query is about; empty if it names nobody."""
    matches = (re.search(pattern, query) for pattern in _SENDER_PATTERNS)
    return next((match[1] for match in matches if match), "")


SCRIPTS: dict[str, Script] = {
    "social-media": post_action,
    "social-media-all": post_actions,
    "social-media-some": post_actions,
    "email-inbox": email,
    "email-inbox-delete": email,
    "email-inbox-forward": email,
    "email-inbox-important": email,
    "email-inbox-noscroll": email,
    "email-inbox-reply": email,
    "email-inbox-star-reply": email,
    "email-inbox-forward-nl": email,
}
