-- Warnings of the provider sync, whether a source uses its status field, and providers that wait for staff.

ALTER TABLE sync_run_rows DROP CONSTRAINT sync_run_rows_change_check;
--> statement-breakpoint
-- Weaker than before, so the rows of 1.0.0 satisfy it.
ALTER TABLE sync_run_rows ADD CONSTRAINT sync_run_rows_change_check
  CHECK (change in ('created', 'updated', 'deactivated', 'skipped', 'warned')) NOT VALID;
--> statement-breakpoint
ALTER TABLE sync_runs ADD COLUMN warned integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE sync_runs ADD COLUMN status_field_used boolean NOT NULL DEFAULT false;
--> statement-breakpoint
ALTER TABLE providers ADD COLUMN waits_for_id bigint;
--> statement-breakpoint
-- The column is new, so every row satisfies it.
ALTER TABLE providers ADD CONSTRAINT providers_waits_for_id_providers_id_fk
  FOREIGN KEY (waits_for_id) REFERENCES providers (id) ON DELETE SET NULL NOT VALID;
