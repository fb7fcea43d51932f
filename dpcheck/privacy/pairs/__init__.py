"""Which pairs of datasets are tried where only a relation is given: the telling ones first, random ones without end.

In come a relation with its records, and the numbers and texts of the learner's code. Out go pairs (``candidates``). It
may use the model.
"""
