"""The UNO component that runs inside LibreOffice and calls the tools there.

A tool asks the office for dozens of objects. Inside, each takes microseconds; from another process
each takes milliseconds, because pyuno looks up all of its properties anew.
LibreOffice's own loader of Python components (`com.sun.star.loader.Python`) imports this module.
"""

from __future__ import annotations

import json
from typing import Any

import unohelper
from com.sun.star.task import XJob

from envs.apps.office.bridge.calls import reply_to
from envs.apps.office.bridge.messages import COMPONENT
from envs.apps.office.documents import Office


class ToolsJob(unohelper.Base, XJob):  # type: ignore[misc]  # UNO's classes have no types
    """A job whose one argument is a request and whose result is the reply, both as JSON."""

    def __init__(self, context: Any) -> None:
        self._office = Office(context)

    def execute(self, arguments: Any) -> str:
        """Without an argument it only shows that LibreOffice answers."""
        if not arguments:
            return ""
        return json.dumps(reply_to(self._office, json.loads(arguments[0].Value)))


g_ImplementationHelper = unohelper.ImplementationHelper()  # noqa: N816
"""The name by which LibreOffice's loader looks for what a module has."""
g_ImplementationHelper.addImplementation(ToolsJob, COMPONENT, ())
