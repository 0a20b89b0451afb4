"""Actions that wait for a person: the gate that a worker puts before a session."""
