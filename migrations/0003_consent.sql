-- Evidence of consent, its chain, withdrawals, the suppression list and the erasure ledger.

CREATE TABLE consent_checkpoints (
  seq bigint PRIMARY KEY NOT NULL,
  seal_hash text NOT NULL,
  previous_seq bigint,
  records integer NOT NULL,
  accepted_until timestamptz(3) NOT NULL,
  at timestamptz(3) NOT NULL,
  key_id text NOT NULL,
  hmac text NOT NULL,
  CONSTRAINT consent_checkpoints_seal_hash_check CHECK (seal_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT consent_checkpoints_hmac_check CHECK (hmac ~ '^[0-9a-f]{64}$'),
  CONSTRAINT consent_checkpoints_previous_check CHECK (previous_seq < seq)
);

CREATE TABLE consent_erasures (
  record_id bigint PRIMARY KEY NOT NULL,
  at timestamptz(3) NOT NULL,
  salt text NOT NULL,
  hashes jsonb NOT NULL,
  was_intact boolean NOT NULL,
  erasure_hash text NOT NULL,
  CONSTRAINT consent_erasures_salt_check CHECK (salt ~ '^[0-9a-f]{32}$'),
  CONSTRAINT consent_erasures_erasure_hash_check CHECK (erasure_hash ~ '^[0-9a-f]{64}$')
);

CREATE TABLE consent_form_snapshots (
  sha256 text PRIMARY KEY NOT NULL,
  html text NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL
);

CREATE TABLE consent_records (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  uuid uuid NOT NULL,
  lead_id bigint NOT NULL,
  form_key text NOT NULL,
  text_id text,
  text_version integer,
  text_shown text NOT NULL,
  text_sha256 text NOT NULL,
  text_known boolean NOT NULL,
  checked boolean NOT NULL,
  channels text[] NOT NULL,
  seller_provider_id bigint,
  seller_name text,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text NOT NULL,
  phone text NOT NULL,
  accepted_at timestamptz(3) NOT NULL,
  ip inet NOT NULL,
  user_agent text,
  page_url text,
  host text NOT NULL,
  referrer_host text,
  form_sha256 text,
  ms_from_render integer,
  gpc boolean NOT NULL,
  retain_until timestamptz(3) NOT NULL,
  hash_version integer DEFAULT 1 NOT NULL,
  lead_public_id uuid,
  origin text,
  fetch_site text,
  form_version integer,
  purpose text,
  client_clock timestamptz(3),
  prechecked boolean,
  row_hash text NOT NULL,
  CONSTRAINT consent_records_checked_check CHECK (checked),
  CONSTRAINT consent_records_row_hash_check CHECK (row_hash ~ '^[0-9a-f]{64}$')
);

CREATE TABLE consent_seal_queue (
  record_id bigint PRIMARY KEY NOT NULL
);

CREATE TABLE consent_seals (
  seq bigint PRIMARY KEY NOT NULL,
  record_id bigint NOT NULL,
  sealed text DEFAULT 'record' NOT NULL,
  prev_hash text NOT NULL,
  seal_hash text NOT NULL,
  sealed_at timestamptz(3) DEFAULT now() NOT NULL,
  key_id text,
  seal_hmac text,
  CONSTRAINT consent_seals_record_id_sealed_unique UNIQUE(record_id,sealed),
  CONSTRAINT consent_seals_sealed_check CHECK (sealed in ('record', 'erasure')),
  CONSTRAINT consent_seals_seal_hash_check CHECK (seal_hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT consent_seals_hmac_check CHECK ((key_id is null) = (seal_hmac is null))
);

CREATE TABLE consent_withdrawals (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  lead_id bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  how text NOT NULL,
  by text NOT NULL,
  ip inet,
  CONSTRAINT consent_withdrawals_how_check CHECK (how in ('page', 'one-click', 'reply', 'complaint', 'staff', 'erasure'))
);

CREATE TABLE data_keys (
  id text PRIMARY KEY NOT NULL,
  purpose text NOT NULL,
  sealed_key text NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT data_keys_purpose_check CHECK (purpose in ('identity', 'consent-seal', 'erasure-ledger'))
);

CREATE TABLE erasure_ledger (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  entry_id uuid DEFAULT gen_random_uuid() NOT NULL,
  at timestamptz(3) NOT NULL,
  kind text NOT NULL,
  email_hmac text,
  phone_hmac text,
  lead_public_ids uuid[] NOT NULL,
  reason text,
  how text,
  sequence bigint,
  key_id text,
  mac text,
  shipped_at timestamptz(3),
  CONSTRAINT erasure_ledger_entry_id_unique UNIQUE(entry_id),
  CONSTRAINT erasure_ledger_sequence_unique UNIQUE(sequence),
  CONSTRAINT erasure_ledger_kind_check CHECK (kind in ('erased', 'suppressed', 'suppression-lifted')),
  CONSTRAINT erasure_ledger_email_hmac_check CHECK (email_hmac ~ '^[0-9a-f]{64}$'),
  CONSTRAINT erasure_ledger_phone_hmac_check CHECK (phone_hmac ~ '^[0-9a-f]{64}$'),
  CONSTRAINT erasure_ledger_mac_check CHECK (mac ~ '^[0-9a-f]{64}$'),
  CONSTRAINT erasure_ledger_sequence_check CHECK (num_nonnulls(sequence, key_id, mac) in (0, 3) and (shipped_at is null or sequence is not null))
);

CREATE TABLE suppressions (
  kind text NOT NULL,
  value_hmac text NOT NULL,
  reason text NOT NULL,
  lead_id bigint,
  by text NOT NULL,
  at timestamptz(3) DEFAULT now() NOT NULL,
  CONSTRAINT suppressions_value_hmac_kind_pk PRIMARY KEY(value_hmac,kind),
  CONSTRAINT suppressions_kind_check CHECK (kind in ('email', 'phone')),
  CONSTRAINT suppressions_value_hmac_check CHECK (value_hmac ~ '^[0-9a-f]{64}$'),
  CONSTRAINT suppressions_reason_check CHECK (reason in ('unsubscribed', 'withdrawn', 'do-not-contact', 'bounced', 'erased'))
);

ALTER TABLE consent_records ADD CONSTRAINT consent_records_form_sha256_consent_form_snapshots_sha256_fk FOREIGN KEY (form_sha256) REFERENCES consent_form_snapshots(sha256) ON DELETE no action ON UPDATE no action;

CREATE INDEX consent_records_form_idx ON consent_records (form_sha256);
CREATE INDEX consent_records_lead_idx ON consent_records (lead_id);
CREATE INDEX consent_records_lead_public_id_idx ON consent_records (lead_public_id);
CREATE INDEX consent_withdrawals_lead_idx ON consent_withdrawals (lead_id);
CREATE INDEX erasure_ledger_unshipped_idx ON erasure_ledger (id) WHERE shipped_at is null;
