-- Runs of the provider sync.

CREATE TABLE sync_run_rows (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  run_id bigint NOT NULL,
  change text NOT NULL,
  wordpress_id bigint,
  name text,
  detail text,
  CONSTRAINT sync_run_rows_change_check CHECK (change in ('created', 'updated', 'deactivated', 'skipped'))
);

CREATE TABLE sync_runs (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  source text NOT NULL,
  kind text NOT NULL,
  started_by text NOT NULL,
  dry_run boolean DEFAULT false NOT NULL,
  forced boolean DEFAULT false NOT NULL,
  started_at timestamptz(3) DEFAULT now() NOT NULL,
  finished_at timestamptz(3),
  outcome text DEFAULT 'running' NOT NULL,
  message text,
  read integer DEFAULT 0 NOT NULL,
  created integer DEFAULT 0 NOT NULL,
  updated integer DEFAULT 0 NOT NULL,
  unchanged integer DEFAULT 0 NOT NULL,
  deactivated integer DEFAULT 0 NOT NULL,
  skipped integer DEFAULT 0 NOT NULL,
  modified_until timestamptz(3),
  CONSTRAINT sync_runs_source_check CHECK (source in ('wordpress', 'file', 'api')),
  CONSTRAINT sync_runs_kind_check CHECK (kind in ('full', 'incremental', 'rows')),
  CONSTRAINT sync_runs_outcome_check CHECK (outcome in ('running', 'done', 'refused', 'failed', 'interrupted')),
  CONSTRAINT sync_runs_finished_check CHECK ((finished_at is null) = (outcome = 'running'))
);

ALTER TABLE sync_run_rows ADD CONSTRAINT sync_run_rows_run_id_sync_runs_id_fk FOREIGN KEY (run_id) REFERENCES sync_runs(id) ON DELETE cascade ON UPDATE no action;

CREATE INDEX sync_run_rows_run_idx ON sync_run_rows (run_id);
CREATE INDEX sync_runs_source_idx ON sync_runs (source,id DESC NULLS LAST);
