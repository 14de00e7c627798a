"""The bar at the top of every page: the pages, the corpus, and recipes A and B stage by stage.

``bar`` draws it and gives the corpus and the recipes. ``top`` is its first row; ``rows`` draws a recipe as
a row of cells with ``score`` at its end. ``editor`` opens under the rows for one cell: ``options`` and
``arguments`` are its controls, ``control`` writes what they say, ``menu`` is for a recipe as a whole.
``style`` holds the CSS.
"""
