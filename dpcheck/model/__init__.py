"""What everything speaks of: claims, data, neighbours, learners, laws, verdicts, errors.

In come a user's values: datasets, claims, a callable. Out go the same as frozen values that are checked: a ``Claim``, a
``Relation`` with its pairs, a ``Target``, a ``Law``, a ``Verdict`` with its record. It may use no other room: what
stands here is spoken of everywhere, and runs nobody's code.
"""
