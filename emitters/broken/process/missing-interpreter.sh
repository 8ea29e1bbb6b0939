#!/no/such/interpreter
# Names an interpreter that is not there.
