"""Colours, corners and fonts of the gyms' pages, as CSS variables."""

from __future__ import annotations

_ON_LIGHT = (
    "--soft:#5b6472;--tint:rgba(20,60,140,.08);--hover:rgba(20,40,80,.05);--good:#17703f;"
    "--warn:#8a5300;--bad:#b3261e;--info:#0b57a4;--shadow:0 2px 8px rgba(20,30,50,.16)"
)
_ON_DARK = (
    "--soft:#9aa3b2;--tint:rgba(138,180,248,.16);--hover:rgba(255,255,255,.05);--good:#6bd196;"
    "--warn:#f0b660;--bad:#f28b82;--info:#8ab4f8;--shadow:0 2px 10px rgba(0,0,0,.5)"
)
THEMES = (
    "--back:#f7f8fa;--ink:#1f2430;--bar:#fff;--card:#fff;--line:#d6dae1;--accent:#0b57a4;"
    f"--on:#fff;--note:#e2f2e5;--round:4px;--font:system-ui,sans-serif;{_ON_LIGHT}",
    "--back:#fff8f0;--ink:#3a2415;--bar:#f2dfca;--card:#fffdf9;--line:#e0c8ae;--accent:#a8481a;"
    f"--on:#fff;--note:#fbeec2;--round:12px;--font:Georgia,serif;{_ON_LIGHT}",
    "--back:#15171c;--ink:#e8e8ea;--bar:#20242c;--card:#1c2027;--line:#3a404c;--accent:#8ab4f8;"
    f"--on:#10131a;--note:#1f3a2b;--round:0;--font:system-ui,sans-serif;{_ON_DARK}",
    "--back:#eef5f0;--ink:#16302a;--bar:#d5ebe0;--card:#fff;--line:#bfd6cb;--accent:#0f6b57;"
    f"--on:#fff;--note:#fff3c4;--round:8px;--font:Verdana,sans-serif;{_ON_LIGHT}",
)
"""`--soft` is for text of less weight, `--tint` and `--hover` lie over a ground, `--good`,
`--warn`, `--bad` and `--info` say how a state is meant."""
DARK = 2
"""The theme of light text on a dark ground."""
