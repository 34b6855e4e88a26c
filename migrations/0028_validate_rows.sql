-- In a file of its own: a validation reads the table, and must not hold the locks of the changes before it.

ALTER TABLE sync_run_rows VALIDATE CONSTRAINT sync_run_rows_change_check;
--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_waits_for_id_providers_id_fk;
