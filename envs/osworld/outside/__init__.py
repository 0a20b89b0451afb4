"""What runs outside of boxes only: verdicts from collected evidence, and their metrics."""
