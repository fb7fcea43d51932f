"""The checks, a module for each kind: every function here whose name begins with ``check_`` is one."""
