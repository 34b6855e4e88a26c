-- Another spelling of an address whose owner withdrew: nothing is delivered until staff decide.

ALTER TABLE suppressions ADD COLUMN mailbox_hmac text;
--> statement-breakpoint
-- The column is new, so every row satisfies it.
ALTER TABLE suppressions ADD CONSTRAINT suppressions_mailbox_check CHECK (mailbox_hmac ~ '^[0-9a-f]{64}$') NOT VALID;
--> statement-breakpoint
-- Weaker than before, so the rows of earlier versions satisfy the three that follow.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_hold_check;
--> statement-breakpoint
ALTER TABLE deliveries ADD CONSTRAINT deliveries_hold_check
  CHECK (hold_cause in ('later', 'ours', 'unreachable', 'mailbox')) NOT VALID;
--> statement-breakpoint
ALTER TABLE staff_tasks DROP CONSTRAINT staff_tasks_kind_check;
--> statement-breakpoint
ALTER TABLE staff_tasks ADD CONSTRAINT staff_tasks_kind_check
  CHECK (kind in ('phone-withdrawn', 'reply-received', 'not-reached', 'message-refused', 'number-suppressed', 'crm-held', 'mailbox-withdrawn')) NOT VALID;
--> statement-breakpoint
ALTER TABLE normal_form_upgrades DROP CONSTRAINT normal_form_upgrades_table_name_check;
--> statement-breakpoint
ALTER TABLE normal_form_upgrades ADD CONSTRAINT normal_form_upgrades_table_name_check
  CHECK (table_name in ('leads', 'consent_records', 'leads-2', 'consent_records-2')) NOT VALID;
