"""Reports made from result files: HTML, JUnit XML, Markdown and a badge."""
