"""Random sequences of calls, directed by what the calls made so far gave (Pacheco, Lahiri, Ernst, Ball 2007)."""
