"""Tasks that come with Deskhand: bundled files, templates on desktops, solutions. In no box."""
