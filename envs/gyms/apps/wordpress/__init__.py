"""WordPress as a gym: the news site of a company, with WordPress's own pages and database."""
