"""Views of finished runs, one small file each: every one is a function ``render(run) -> str``.

A view reads verdicts and their records, never the engine; none of them decides the exit status.
"""
