"""Tools on Calc spreadsheets."""
