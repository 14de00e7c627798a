"""What the browser loads before the first figure."""

from components import early


def test_the_file_of_streamlit_that_holds_plotly_is_found():
    (name,) = early.FILES
    assert name.startswith("PlotlyChart.")
