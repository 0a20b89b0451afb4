"""Chromium sessions: Playwright starts and stops the browser, raw CDP does everything hot."""
