"""Drive: folders and documents, who may see them, their versions, comments and trash."""
