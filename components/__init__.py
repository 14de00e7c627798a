"""The Streamlit side: controls, frames and figures. Imports core; pages import it."""
