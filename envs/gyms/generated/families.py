"""Families of markup: each makes HTML of the same screens in its own way.

classic   pages of a server, semantic HTML, links and forms that change the page in place
client    one page whose script draws what the server sends as JSON
legacy    nested tables and full page loads, without scripts
material  one page whose script draws the same JSON with the components of MUI
panes     the list beside the record, in a page of regions
"""

from __future__ import annotations

from collections.abc import Callable

from envs.gyms.generated import (
    render_classic,
    render_client,
    render_legacy,
    render_material,
    render_panes,
)
from envs.gyms.generated.frame import Frame, make_frame
from envs.gyms.generated.schema import AppSchema
from envs.gyms.generated.screens import Note, Screen
from envs.gyms.kit.request import RequestContext

RENDERERS: dict[str, Callable[[Frame, Screen], str]] = {
    "classic": render_classic.render,
    "client": render_client.render,
    "legacy": render_legacy.render,
    "material": render_material.render,
    "panes": render_panes.render,
}

WITHOUT_SNAPSHOTS = frozenset({"material"})
"""Families whose states in the middle of an episode cannot be kept: scripts own their pages."""


def render(schema: AppSchema, request: RequestContext, screen: Screen) -> str:
    """A screen as the app's family shows it. Takes the waiting message."""
    return RENDERERS[schema.look.family](make_frame(schema, request), screen)


def render_not_found(schema: AppSchema, request: RequestContext, message: str) -> str:
    """The page for a path or a record that is not there."""
    return render(schema, request, Screen(title="Not found", blocks=(Note(message),)))
