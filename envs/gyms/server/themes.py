"""Colours, corners and fonts of the gyms' pages, as CSS variables."""

from __future__ import annotations

THEMES = (
    "--back:#f7f8fa;--ink:#1f2430;--bar:#fff;--card:#fff;--line:#d6dae1;--accent:#0b57a4;"
    "--on:#fff;--note:#e2f2e5;--round:4px;--font:system-ui,sans-serif",
    "--back:#fff8f0;--ink:#3a2415;--bar:#f2dfca;--card:#fffdf9;--line:#e0c8ae;--accent:#a8481a;"
    "--on:#fff;--note:#fbeec2;--round:12px;--font:Georgia,serif",
    "--back:#15171c;--ink:#e8e8ea;--bar:#20242c;--card:#1c2027;--line:#3a404c;--accent:#8ab4f8;"
    "--on:#10131a;--note:#1f3a2b;--round:0;--font:system-ui,sans-serif",
    "--back:#eef5f0;--ink:#16302a;--bar:#d5ebe0;--card:#fff;--line:#bfd6cb;--accent:#0f6b57;"
    "--on:#fff;--note:#fff3c4;--round:8px;--font:Verdana,sans-serif",
)
