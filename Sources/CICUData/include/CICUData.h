// Empty: the target has no functions, only data.
