"""One runner for every episode: prompt, policy, parse, act, record."""
