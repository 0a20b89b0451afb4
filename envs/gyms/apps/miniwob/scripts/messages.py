"""Scripts for tasks with a mail client and with posts of a social network."""

from __future__ import annotations

import re
from enum import StrEnum

from envs.contract.observations import TreeLine
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script
from envs.gyms.server.gym import OracleLost


class MailAction(StrEnum):
    """What can be done with a message; the values are the package's names."""

    FORWARD = "forward"
    REPLY = "reply"
    STAR = "important"
    DELETE = "delete"


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
    posts = _posts_of(page, user)
    if not posts:
        raise OracleLost(f"no post by {user}")
    if action not in _POST_BUTTONS:
        yield page.click(_control(posts[0], "More"), _describe(user, posts[0]))
        yield page.click(next(m for m in page.all("menu") if m.name.startswith(action)))
    else:
        yield page.click(_control(posts[0], action), _describe(user, posts[0]))


def post_actions(page: LivePage) -> Moves:
    """The same action on all or some posts of a user.

    From top to bottom: what was pressed may have moved out of sight above."""
    action, user = page.quoted_texts[0], page.match_query(r"by (@\S+)")[0]
    count = re.search(r"on (\d+) posts?", page.query)
    most = int(count[1]) if count else _MAX_POSTS
    progress = ""
    for done in range(most + 1):
        posts = [post for post in _posts_of(page, user) if not _control(post, action).states]
        progress = f"{done} of {count[1]} done." if count else f"{len(posts)} left."
        if not posts or done == most:
            break
        yield page.click(_control(posts[0], action), f"{progress} {_describe(user, posts[0])}")
    yield page.submit(progress)


def _posts_of(page: LivePage, user: str) -> list[list[TreeLine]]:
    """The buttons of each post by a user, from top to bottom."""
    posts: list[list[TreeLine]] = []
    author = ""
    for line in page.lines[1:]:
        match = re.search(r"@\S+", line.name) if line.role == "text" else None
        if match:
            author = match[0]
            if author == user:
                posts.append([])
        elif author == user and line.name in _POST_BUTTONS:
            posts[-1].append(line)
    return posts


def _describe(user: str, post: list[TreeLine]) -> str:
    """What tells one post's buttons from another's: "@ann: Reply #5, Retweet #6."."""
    return f"{user}: {', '.join(f'{line.name} #{line.ref}' for line in post)}."


def _control(post: list[TreeLine], action: str) -> TreeLine:
    control = next((line for line in post if line.name == action), None)
    if control is None:
        raise OracleLost(f"the post has no {action}")
    return control


def email(page: LivePage) -> Moves:
    """Deletes, stars, answers or forwards the message of one sender."""
    name = sender_name(page.query)
    if find_mail(page, name) is None:
        raise OracleLost(f"no mail by {name or 'a name'} for: {page.query}")
    if "trash" in page.query:
        yield from work_on_mail(page, MailAction.DELETE, name)
    elif "star icon" in page.query:
        yield from work_on_mail(page, MailAction.STAR, name)
    elif "reply" in page.query:
        yield from work_on_mail(page, MailAction.REPLY, name, page.quoted_texts[0])
    else:
        words = re.findall(r"[A-Z][\w-]+", page.query)
        others = [word for word in words if word not in _CAPITALIZED_VERBS and word != name]
        receiver = others[0] if others else name
        yield from work_on_mail(page, MailAction.FORWARD, name, receiver)


def find_mail(page: LivePage, name: str) -> int | None:
    """The line of the first message by a sender in the inbox."""
    for index, line in enumerate(page.lines):
        if line.role == "link" and line.name.split()[0] == name:
            return index
    return None


def work_on_mail(page: LivePage, action: MailAction, name: str, text: str = "") -> Moves:
    """One action on the message by `name`; `text` is the reply, or who shall get it.

    Raises OracleLost if there is no such message."""
    index = find_mail(page, name)
    if index is None:
        raise OracleLost(f"no mail by {name}")
    if action in (MailAction.DELETE, MailAction.STAR):
        button = "Trash" if action is MailAction.DELETE else "Star"
        line = next(line for line in page.lines[index:] if line.name == button)
        thought = f"{action.value}: {name} is #{page.lines[index].ref}, its {button} #{line.ref}."
        yield page.click(line, thought)
        return
    yield page.click(page.lines[index], f"{action.value}: the mail by {name}.", called=name)
    if action is MailAction.REPLY:
        yield page.click(page.get("Reply", "button"))
        yield page.write(page.get("Message", "box"), text)
    else:
        yield page.click(page.get("Forward", "button"))
        yield page.write(page.get("To", "box"), text)
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
