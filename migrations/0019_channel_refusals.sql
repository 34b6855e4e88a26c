-- Which channels refuse the installation, whom each refusal concerns, and a task for leads that the CRM refuses.

CREATE TABLE channel_refusals (
  channel text PRIMARY KEY,
  since timestamptz(3) NOT NULL DEFAULT now(),
  next_probe_at timestamptz(3),
  probes integer NOT NULL DEFAULT 0,
  is_run boolean NOT NULL DEFAULT false
);
--> statement-breakpoint
ALTER TABLE delivery_attempts ADD COLUMN refusal text;
--> statement-breakpoint
ALTER TABLE delivery_attempts ADD CONSTRAINT delivery_attempts_refusal_check
  CHECK (refusal in ('recipient', 'later', 'ours')) NOT VALID;
--> statement-breakpoint
ALTER TABLE staff_tasks DROP CONSTRAINT staff_tasks_kind_check;
--> statement-breakpoint
ALTER TABLE staff_tasks ADD CONSTRAINT staff_tasks_kind_check
  CHECK (kind in ('phone-withdrawn', 'reply-received', 'not-reached', 'message-refused', 'number-suppressed', 'crm-held')) NOT VALID;
