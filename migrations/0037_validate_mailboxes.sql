-- In a file of its own: a validation reads the table, and must not hold the locks of the changes before it.

ALTER TABLE suppressions VALIDATE CONSTRAINT suppressions_mailbox_check;
--> statement-breakpoint
ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_hold_check;
--> statement-breakpoint
ALTER TABLE staff_tasks VALIDATE CONSTRAINT staff_tasks_kind_check;
--> statement-breakpoint
ALTER TABLE normal_form_upgrades VALIDATE CONSTRAINT normal_form_upgrades_table_name_check;
