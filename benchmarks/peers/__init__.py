"""dpcheck and its peers on the same mechanisms, the same pairs and the same number of outputs."""
