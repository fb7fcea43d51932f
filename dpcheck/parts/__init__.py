"""What learners are made of: mechanisms, hypothesis classes, active learners, risk, the zoo."""
