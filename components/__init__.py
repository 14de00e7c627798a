"""The Streamlit side: controls, figures in their frames, and findings in words.

Each page has a folder, and all folders read alike:

``page.py``
    ``head()`` draws the title and how to read the page; ``choose(...)`` draws the page's own controls and
    returns what they say. What several sections of the page share follows.
One file for each section, named for what it draws
    ``show(...)`` draws the section. Where they exist, ``finding`` gives the figure's title in one
    sentence, ``caption`` its lines below, and ``numbers`` the table behind it.

A file in ``pages/`` calls ``head``, ``choose`` and the ``show`` of each section. Builders of figures are
pure functions in ``figures/``. Files beside the folders serve several pages.
"""
