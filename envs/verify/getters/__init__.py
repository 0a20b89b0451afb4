"""Getters: what an evaluator may look at, OSWorld's and ours. Importing this package registers all.

Guarantees: a getter looks and does not wait for what may never come: every wait is bounded. What is
not on the machine is a FileNotFoundError, which scores 0; what the task itself lacks (a page of the
internet, an account) is another error, which makes the episode invalid.
"""

from __future__ import annotations

from envs.verify.getters import chromium_databases as _databases  # noqa: F401
from envs.verify.getters import chromium_page as _page  # noqa: F401
from envs.verify.getters import chromium_profile as _profile  # noqa: F401
from envs.verify.getters import chromium_settings as _settings  # noqa: F401
from envs.verify.getters import chromium_tabs as _tabs  # noqa: F401
from envs.verify.getters import chromium_websites as _websites  # noqa: F401
from envs.verify.getters import commands as _commands  # noqa: F401
from envs.verify.getters import files as _files  # noqa: F401
from envs.verify.getters import folders as _folders  # noqa: F401
from envs.verify.getters import mail as _mail  # noqa: F401
from envs.verify.getters import programs as _programs  # noqa: F401
from envs.verify.getters import refused as _refused  # noqa: F401
from envs.verify.getters import screen as _screen  # noqa: F401
from envs.verify.getters import slides as _slides  # noqa: F401
from envs.verify.getters import task_rules as _task_rules  # noqa: F401
