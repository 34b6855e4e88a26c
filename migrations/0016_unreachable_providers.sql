-- Addresses of providers that refuse email, and what an email needs after a bounce.

CREATE TABLE unreachable_providers (
  address text NOT NULL,
  cause text NOT NULL,
  code text,
  reason text NOT NULL,
  since timestamptz(3) NOT NULL,
  next_trial_at timestamptz(3),
  accepted_at timestamptz(3),
  last_sent_at timestamptz(3),
  PRIMARY KEY (address),
  CONSTRAINT unreachable_providers_cause_check CHECK (cause in ('bounce', 'complaint'))
);
--> statement-breakpoint
ALTER TABLE deliveries ADD COLUMN bounces integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE deliveries ADD COLUMN ignores_unreachable boolean NOT NULL DEFAULT false;
