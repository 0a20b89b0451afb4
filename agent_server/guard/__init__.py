"""Which actions a person should see first: pure rules on actions and on what a page says."""
