"""A survey of packages in environments of their own as documents: a record of plain data, Markdown and a page of it.

In come what was asked for and finished audits; out go texts. Uses nothing but the model and the other views.
"""
