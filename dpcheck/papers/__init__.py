"""The five papers, a folder each, found as any installed package's are."""
