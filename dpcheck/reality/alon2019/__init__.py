"""The headline claims of alon2019, measured: covers, learners, the reduction and exact privacy, beside their bounds."""
