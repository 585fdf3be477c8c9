"""Contains programs under test: a process enters containment by itself, before it loads such a program."""
