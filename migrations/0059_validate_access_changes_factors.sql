-- In a file of its own: a validation reads the table, and must not hold the locks of the changes before it.

ALTER TABLE access_changes VALIDATE CONSTRAINT access_changes_kind_check;
