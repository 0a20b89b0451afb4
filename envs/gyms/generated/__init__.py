"""Web gyms that a seed makes: schema, records, pages, rules, tasks, oracles and verifiers."""
