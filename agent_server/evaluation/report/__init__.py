"""Reports of an evaluation: HTML, viewer, rescoring."""
