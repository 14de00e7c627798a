"""What runs in the browser: a file of JavaScript each subject.

``sources`` reads them; ``brought`` gives those of components to the browser, once. Decks and saved pictures
take some of them along, so that a figure does there what it does on a page.
"""
