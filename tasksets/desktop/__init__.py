"""Tasks on a desktop: office documents, files, mail, the browser, several programs at once."""
