"""What the HTTP status of an answer that is no success says about the next try.

Guarantees: one rule for model endpoints and policy servers. What passes by waiting is
`policy_error` or `policy_rate_limit`; what is refused of one request for good is `policy_refused`;
what is refused of all is `policy_denied`.
"""

from __future__ import annotations

from envs.contract.outcomes import InvalidReason

DENYING = frozenset({401, 403, 404})
PASSING = frozenset({408, 409, 425})


def get_fault_of_status(status: int) -> InvalidReason:
    """The class of fault of an answer with this status, which is not 200."""
    if status == 429:
        return InvalidReason.POLICY_RATE_LIMIT
    if status >= 500 or status in PASSING:
        return InvalidReason.POLICY_ERROR
    if status in DENYING or 300 <= status < 400:
        return InvalidReason.POLICY_DENIED
    return InvalidReason.POLICY_REFUSED
