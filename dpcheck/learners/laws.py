"""What learners made of learners ask for: the declared law of the one inside."""

from dpcheck.mechanisms.inner import law_method as law_method
