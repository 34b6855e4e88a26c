-- In a file of its own: a validation reads the table, and must not hold the locks of the changes above.

ALTER TABLE delivery_attempts VALIDATE CONSTRAINT delivery_attempts_refusal_check;
--> statement-breakpoint
ALTER TABLE staff_tasks VALIDATE CONSTRAINT staff_tasks_kind_check;
