"""Wang, Lei & Fienberg 2016, "Learning with Differential Privacy: Stability, Learnability and the Sufficiency and
Necessity of ERM Principle".
"""
