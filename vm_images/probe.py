"""Ends with 0 if a service answers 200 and does not call itself unwell: `probe.py URL`."""

import json
import sys
import urllib.request

with urllib.request.urlopen(sys.argv[1], timeout=3) as reply:
    text = reply.read()
sys.exit(0 if not text or json.loads(text).get("status", "ok") == "ok" else 1)
