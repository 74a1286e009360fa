"""The pages of the researcher's desk: everything behind a login, server-rendered, each action in the audit."""
