"""How the site is made: what is in a page, that it runs, what is brought in; ``.ci/site.py`` builds all of it."""
