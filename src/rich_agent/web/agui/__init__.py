"""AG-UI 1.0: runs of a user's turns for chat clients. Source: https://ag-ui.com/spec/1.0."""
