"""Documents of any format to titles and sections."""
