"""The papers' learners as documents: a record of plain data, and Markdown made of it."""
