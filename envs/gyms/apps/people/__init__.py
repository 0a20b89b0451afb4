"""People: an HR portal with staff, leave, expenses, hiring, onboarding, announcements, roles."""
