"""Pages: HTML that needs nothing else, one layout for every kind of report; they take records and run nothing."""
