"""MediaWiki as a gym: the handbook of a company, with MediaWiki's own pages and database."""
