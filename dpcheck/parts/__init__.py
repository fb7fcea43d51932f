"""What learners are made of: mechanisms, hypothesis classes, active learners, risk on finite problems, the zoo.

In come numbers and classes; out go frozen dataclasses that are learners, draw in bulk and know their own law.
``learners`` lists what the papers' folders declare. Within it, arrows go from the zoo and the learners down to active
learners and risk, and from these to mechanisms and classes. It may use the model, and names no paper.
"""
