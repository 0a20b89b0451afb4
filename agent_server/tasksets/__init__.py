"""Task files: loading, checking, reporting, mirrors of their assets."""
