"""Templates of the console, and what all of its pages have in common.

Guarantees: every value is escaped; a page runs no script but the console's own files and is framed
by nobody (content security policy); nothing is loaded from another server.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from agent_server.version import get_version

HERE = Path(__file__).parent
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
SECTIONS = (
    ("Tasks", "/console/tasks"),
    ("Approvals", "/console/approvals"),
    ("Wall", "/console/wall"),
    ("New task", "/console/new"),
    ("Scripts", "/console/scripts"),
    ("Evaluations", "/console/evaluations"),
    ("Runs", "/console/runs"),
    ("Policy", "/console/policy"),
    ("Gyms", "/console/gyms"),
    ("Keys", "/console/keys"),
    ("System", "/console/system"),
)
_templates = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    # The files are those of the installed package: no look at them with each page.
    auto_reload=False,
)


def render(template: str, code: int = 200, **values: Any) -> HTMLResponse:
    """A page, or a piece of one. `path` of the values marks the section."""
    text = _templates.get_template(template).render(
        {"sections": SECTIONS, "version": get_version(), "path": ""} | values
    )
    return HTMLResponse(text, code, HEADERS)
