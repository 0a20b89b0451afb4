"""Whether the document of a tab was the answer to a form, so that a reload sends the form again.

Guarantees: known by the document's loader, redirects and moves in the history included. A move in
the history sends no form: Chromium shows what it kept of the answer, or a page of its own that says
that it kept nothing; a reload of either sends it.
"""

from __future__ import annotations

from envs.io.cdp import Json

_ASKING = frozenset({"GET", "HEAD"})
"""Methods that send nothing; with another one Chromium repeats what was sent."""


class SentForm:
    """Of the tab whose main frame is `frame`. It only listens."""

    def __init__(self, frame: str) -> None:
        self._frame = frame
        self._loaders: set[str] = set()
        """Of documents that a form was sent for: those on their way, and the one of now."""
        self.reload_url = ""
        """Where a reload sends the form again; "" where it sends none."""

    def note_request(self, params: Json) -> None:
        """`Network.requestWillBeSent` of a document."""
        if params.get("frameId") != self._frame:
            return
        # A redirect (303) is a further request of the same loader: the last one counts.
        self._loaders.discard(params["loaderId"])
        if params["request"]["method"] not in _ASKING:
            self._loaders.add(params["loaderId"])

    def note_document(self, frame: Json) -> None:
        """`Page.frameNavigated`."""
        if frame["id"] == self._frame:
            self._loaders &= {frame["loaderId"]}
            url = frame.get("unreachableUrl") or frame["url"]
            self.reload_url = url if self._loaders else ""

    def note_move(self, params: Json) -> None:
        """`Page.navigatedWithinDocument`: an address that a script gave the document is one that a
        reload only asks for."""
        if params["frameId"] == self._frame and params.get("navigationType") == "historyApi":
            self.reload_url = ""
