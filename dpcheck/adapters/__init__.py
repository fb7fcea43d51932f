"""Other libraries' learners: each is imported only when asked for.

In comes an object of another library (OpenDP, diffprivlib, scikit-learn's form, an accountant's event); out goes a
learner with what the object says of its claim. ``survey`` holds whole libraries against what they say. It may use the
model and the running of learners.
"""
