"""The subjects, a module per library (and for diffprivlib per kind of learner)."""
