"""Templates and the attributes that fill them → probes: the same scene told of different people."""
