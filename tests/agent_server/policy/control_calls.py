"""Calls that command a policy server, and how a web page could send them."""

from __future__ import annotations

FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain")
"""What a form of a web page can send without asking the server first."""
CONTROL_CALLS = (
    ("POST", "/pause?mode=abort"),
    ("POST", "/pause?mode=keep"),
    ("POST", "/resume"),
    ("POST", "/collective_rpc"),
    ("POST", "/update_weight_version"),
    ("POST", "/reset_prefix_cache"),
    ("GET", "/is_paused"),
    ("GET", "/weight_info"),
    ("POST", "/sleep"),
    ("POST", "/wake_up"),
    ("POST", "/abort_requests"),
    ("POST", "/init_weight_transfer_engine"),
    ("POST", "/start_weight_update"),
    ("POST", "/update_weights"),
    ("POST", "/finish_weight_update"),
    ("POST", "/weight_checker"),
    ("POST", "/reset_mm_cache"),
    ("POST", "/release_kv_cache_memory"),
    ("GET", "/server_info"),
    ("GET", "/is_sleeping"),
)
RPC = '{"method":"reload_weights","kwargs":{"weights_path":"/tmp/theirs"}}'
