"""The history of the database schema: each file in `versions/` is applied once, in order, by `store.migrate`."""
