"""People rate: a study file becomes a served study, its events become Rating and Rater records.

Nothing here is imported until it is used: the database and the web server are optional parts (`empathic[study]`).
"""
