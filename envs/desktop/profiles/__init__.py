"""What single programs find in a fresh home folder."""
