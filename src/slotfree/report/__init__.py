"""The report: one page that shows everything."""
