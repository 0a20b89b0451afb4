"""A page that does not answer is the agent's trouble; a browser that is gone is nobody's score."""

from __future__ import annotations

import pytest

from envs.browser.trouble import get_page_trouble, get_reason
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.cdp import CdpClosed, CdpError, CdpTimeout


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (EpisodeFault(InvalidReason.ACTION_TIMEOUT, "it hangs"), "it hangs"),
        (EpisodeFault(InvalidReason.OBSERVATION, "the tab crashed"), "the tab crashed"),
        (CdpTimeout("no answer"), "no answer"),
        (EpisodeFault(InvalidReason.HOST_LOST, "the browser is gone"), None),
        (CdpClosed("the browser is gone"), None),
    ],
)
def test_only_a_page_is_the_agent_s(error: EpisodeFault | CdpError, trouble: str | None) -> None:
    assert get_page_trouble(error, is_browser_alive=True) == trouble
    assert get_page_trouble(error, is_browser_alive=False) is None


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (CdpClosed("x"), InvalidReason.HOST_LOST),
        (CdpTimeout("x"), InvalidReason.ACTION_TIMEOUT),
        (CdpError("x"), InvalidReason.OBSERVATION),
    ],
)
def test_an_error_of_the_connection_has_a_reason(error: CdpError, reason: InvalidReason) -> None:
    assert get_reason(error) is reason
