"""Tables, claims and figures as data, of papers and of any run; `render` prints a table."""
