// The target has no code that could be called.
