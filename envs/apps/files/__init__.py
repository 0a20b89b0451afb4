"""Tools on files, archives and the trash."""
