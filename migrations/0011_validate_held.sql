-- In a file of its own: a validation reads the table, and must not hold the locks of the changes above.

ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_hold_check;
--> statement-breakpoint
ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_next_attempt_check;
--> statement-breakpoint
ALTER TABLE staff_tasks VALIDATE CONSTRAINT staff_tasks_kind_check;
