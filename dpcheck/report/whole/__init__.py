"""The whole report: its records (index, learners, audits), what is run for them, and the files that are written."""
