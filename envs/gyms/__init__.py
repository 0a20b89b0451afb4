"""Web gyms: realistic apps with hydrated data, task templates, verifiers and oracles."""
