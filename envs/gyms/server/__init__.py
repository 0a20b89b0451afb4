"""The framework of web gyms: protocol, registry, the process that serves them, audit."""
