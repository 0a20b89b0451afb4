"""Which steps may fail: OSWorld logs these failures and goes on with the next step.

Its postconfig activates windows by titles that only some versions of a program show, or that the
agent has closed; its scripts wait for what may never come. A trial that ended there would be lost,
where OSWorld gives it a score. What fails for another reason is a fault, as it is of every other
kind of step: a parameter that is missing, a program that crashed, a display that is gone.
"""

from __future__ import annotations


class NoWindow(LookupError):
    """The window that a step is about is not there; the message lists those that are."""


_NOT_RUN = (FileNotFoundError, PermissionError, TimeoutError, ValueError)
"""A command that does not exist, cannot be started, has an open quote, or takes too long."""
MAY_FAIL: dict[str, tuple[type[Exception], ...]] = {
    "activate_window": (NoWindow,),
    "close_window": (NoWindow,),
    "chrome_close_tabs": (LookupError,),
    "change_wallpaper": (FileNotFoundError,),
    "launch": (NoWindow,),
    "execute": _NOT_RUN,
    "command": _NOT_RUN,
}
"""By step type: the failures."""
