-- When a lead last changed: null until it does.

ALTER TABLE leads ADD COLUMN updated_at timestamptz(3);
