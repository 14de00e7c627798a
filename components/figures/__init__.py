"""Pure functions: arrays in, Plotly figure out. No Streamlit."""
