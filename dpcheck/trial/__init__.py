"""Claims held against running code: what a theorem promises, beside what a learner does when it is run.

In come a paper's checks (``UpperBound``, ``LowerBound``, ``PrivacyCheck``) or runs of its own. Out go measurements with
outcomes: holds, contradicted, undecided. It may use audits, failure rates and bounds, and names no paper:
``measurements`` finds a paper's runs in its folder.
"""
