"""Its being here puts this folder on the import path of the tests in it."""
