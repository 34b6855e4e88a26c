-- Deliveries that are held for a refusal and due again, faults that staff must know of, and new kinds of tasks.

CREATE TABLE alerts (
  kind text NOT NULL,
  subject text NOT NULL DEFAULT '',
  message text NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT now(),
  mailed_at timestamptz(3),
  PRIMARY KEY (kind, subject)
);
--> statement-breakpoint
ALTER TABLE alerts RENAME CONSTRAINT alerts_pkey TO alerts_kind_subject_pk;
--> statement-breakpoint
CREATE INDEX alerts_unmailed_idx ON alerts (since) WHERE mailed_at IS NULL;
--> statement-breakpoint
ALTER TABLE deliveries ADD COLUMN hold_cause text;
--> statement-breakpoint
ALTER TABLE deliveries ADD CONSTRAINT deliveries_hold_check
  CHECK (hold_cause in ('later', 'ours', 'unreachable')) NOT VALID;
--> statement-breakpoint
ALTER TABLE deliveries DROP CONSTRAINT deliveries_next_attempt_check;
--> statement-breakpoint
-- Held for a refusal: due again at a time. Weaker than before, so the rows of 1.0.0 satisfy it.
ALTER TABLE deliveries ADD CONSTRAINT deliveries_next_attempt_check
  CHECK (case state when 'queued' then next_attempt_at is not null
        when 'held' then (next_attempt_at is null or hold_cause is not null) else next_attempt_at is null end) NOT VALID;
--> statement-breakpoint
ALTER TABLE staff_tasks DROP CONSTRAINT staff_tasks_kind_check;
--> statement-breakpoint
ALTER TABLE staff_tasks ADD CONSTRAINT staff_tasks_kind_check
  CHECK (kind in ('phone-withdrawn', 'reply-received', 'not-reached', 'message-refused', 'number-suppressed')) NOT VALID;
