-- Which leads their provider doesn't get, and what an Undo of an assignment needs.

ALTER TABLE leads ADD COLUMN clinic_not_reached boolean DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE TABLE assignment_undos (
  lead_id bigint PRIMARY KEY NOT NULL
    CONSTRAINT assignment_undos_lead_id_leads_id_fk REFERENCES leads(id) ON DELETE cascade,
  account_id bigint,
  assigned_at timestamptz(3) NOT NULL,
  undo_until timestamptz(3) NOT NULL,
  provider_id bigint NOT NULL,
  match_reason text NOT NULL,
  before jsonb NOT NULL,
  created uuid[] NOT NULL,
  events uuid[] NOT NULL,
  moved jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX assignment_undos_until_idx ON assignment_undos (undo_until);
