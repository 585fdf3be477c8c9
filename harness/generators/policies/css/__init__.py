"""The generator `css`: candidate sequence search (jtestcraft2010)."""
