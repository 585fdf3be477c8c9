"""What keeps a program under test in: a process enters it by itself, before it loads that program."""
