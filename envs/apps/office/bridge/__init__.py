"""The process that calls the office tools, and the table of all of them."""
