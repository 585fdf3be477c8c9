"""Programs from text: loaded, changed in one place, their steps counted."""
