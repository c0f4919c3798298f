"""Reports of result files: HTML, JUnit XML, Markdown and a badge. All of it is derived."""
