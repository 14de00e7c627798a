"""What is reached for behind Streamlit's public face, all of it, as seen in Streamlit 1.67.

No other room imports Streamlit's inner modules or its private attributes. ``this_run`` is who asks for the
run and for what, ``address`` the query parameters, ``controls`` the controls that are bound to them,
``values`` what controls hold, ``callbacks`` when they may be ended, ``sending`` in which order a run
reaches the browser, ``connections`` what a lost one leaves, ``runs`` which go on, ``pages`` the folder of
that name, ``statistics`` the server's own numbers, ``log`` what Streamlit logs, ``files`` what the server
hands out.

Each function says what it reads, and what happens where a later version lacks that.
``tests/components/test_streamlit_inside.py`` names every module and attribute: it is what to run first
after an upgrade.
"""
