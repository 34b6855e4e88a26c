-- Webhook endpoints and events, and deliveries of all channels, which are their own queue.

CREATE TABLE deliveries (
  id uuid PRIMARY KEY NOT NULL,
  channel text NOT NULL,
  template text DEFAULT 'lead' NOT NULL,
  queue text GENERATED ALWAYS AS (coalesce(endpoint_id::text, channel)) STORED NOT NULL,
  lead_id bigint,
  provider_id bigint,
  event_id uuid,
  endpoint_id uuid,
  state text DEFAULT 'queued' NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  attempts_before_round integer DEFAULT 0 NOT NULL,
  leased_until timestamptz(3),
  next_attempt_at timestamptz(3),
  reason text,
  remote_id text,
  requested_by text,
  corrects_lead_id bigint,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  finished_at timestamptz(3),
  CONSTRAINT deliveries_channel_check CHECK (channel in ('lead-email', 'provider-email', 'crm', 'webhook')),
  CONSTRAINT deliveries_template_check CHECK (template in ('lead', 'withdrawn', 'erased', 'event')),
  CONSTRAINT deliveries_state_check CHECK (state in ('queued', 'delivered', 'failed', 'held', 'cancelled')),
  CONSTRAINT deliveries_webhook_check CHECK (case when channel = 'webhook'
        then template = 'event' and event_id is not null and endpoint_id is not null
          and lead_id is null and provider_id is null
        else template <> 'event' and event_id is null and endpoint_id is null and lead_id is not null end),
  CONSTRAINT deliveries_attempts_check CHECK (attempts >= attempts_before_round and attempts_before_round >= 0),
  CONSTRAINT deliveries_next_attempt_check CHECK ((next_attempt_at is null) = (state <> 'queued')),
  CONSTRAINT deliveries_finished_check CHECK ((finished_at is null) = (state in ('queued', 'held'))),
  CONSTRAINT deliveries_reason_check CHECK (case state when 'queued' then true when 'delivered' then reason is null else reason is not null end),
  CONSTRAINT deliveries_lease_check CHECK (leased_until is null or state in ('queued', 'cancelled')),
  CONSTRAINT deliveries_corrects_check CHECK (corrects_lead_id is null or channel = 'provider-email')
);

CREATE TABLE delivery_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY,
  delivery_id uuid NOT NULL,
  lead_id bigint,
  channel text NOT NULL,
  at timestamptz(3) DEFAULT now() NOT NULL,
  duration_ms integer NOT NULL,
  outcome text NOT NULL,
  status text,
  reason text,
  answer text,
  CONSTRAINT delivery_attempts_at_id_pk PRIMARY KEY(at,id),
  CONSTRAINT delivery_attempts_channel_check CHECK (channel in ('lead-email', 'provider-email', 'crm', 'webhook')),
  CONSTRAINT delivery_attempts_lead_check CHECK ((lead_id is null) = (channel = 'webhook')),
  CONSTRAINT delivery_attempts_outcome_check CHECK (outcome in ('delivered', 'failed')),
  CONSTRAINT delivery_attempts_duration_check CHECK (duration_ms >= 0)
);

CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY NOT NULL,
  url text NOT NULL,
  description text DEFAULT '' NOT NULL,
  types text[] NOT NULL,
  payload text DEFAULT 'thin' NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_until timestamptz(3),
  created_by text NOT NULL,
  created_at timestamptz(3) DEFAULT now() NOT NULL,
  disabled_at timestamptz(3),
  disabled_reason text,
  failures integer DEFAULT 0 NOT NULL,
  first_failed_at timestamptz(3),
  CONSTRAINT webhook_endpoints_url_check CHECK (url ~ '^https?://'),
  CONSTRAINT webhook_endpoints_payload_check CHECK (payload in ('thin', 'full')),
  CONSTRAINT webhook_endpoints_previous_check CHECK ((previous_secret is null) = (previous_until is null)),
  CONSTRAINT webhook_endpoints_disabled_check CHECK ((disabled_at is null) = (disabled_reason is null)),
  CONSTRAINT webhook_endpoints_disabled_reason_check CHECK (disabled_reason in ('staff', 'failing', 'gone')),
  CONSTRAINT webhook_endpoints_failures_check CHECK (failures >= 0 and (failures = 0) = (first_failed_at is null))
);

CREATE TABLE webhook_events (
  id uuid PRIMARY KEY NOT NULL,
  type text NOT NULL,
  at timestamptz(3) DEFAULT now() NOT NULL,
  lead_id bigint,
  provider_id bigint,
  data jsonb NOT NULL
);

ALTER TABLE deliveries ADD CONSTRAINT deliveries_lead_id_leads_id_fk FOREIGN KEY (lead_id) REFERENCES leads(id) ON DELETE cascade ON UPDATE no action;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_provider_id_providers_id_fk FOREIGN KEY (provider_id) REFERENCES providers(id) ON DELETE restrict ON UPDATE no action;
ALTER TABLE delivery_attempts ADD CONSTRAINT delivery_attempts_delivery_id_deliveries_id_fk FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE cascade ON UPDATE no action;
ALTER TABLE delivery_attempts ADD CONSTRAINT delivery_attempts_lead_id_leads_id_fk FOREIGN KEY (lead_id) REFERENCES leads(id) ON DELETE cascade ON UPDATE no action;

CREATE INDEX deliveries_queue_idx ON deliveries (queue,next_attempt_at) WHERE state = 'queued';
CREATE INDEX deliveries_lead_idx ON deliveries (lead_id);
CREATE UNIQUE INDEX deliveries_event_key ON deliveries (event_id,endpoint_id);
CREATE INDEX deliveries_endpoint_idx ON deliveries (endpoint_id,created_at DESC NULLS LAST,id) WHERE endpoint_id is not null;
CREATE INDEX deliveries_held_idx ON deliveries (channel,created_at) WHERE state = 'held';
CREATE INDEX deliveries_open_idx ON deliveries (state,created_at DESC NULLS LAST) WHERE state <> 'delivered';
CREATE INDEX deliveries_failed_idx ON deliveries (lead_id,channel,created_at) WHERE state = 'failed';
CREATE INDEX deliveries_created_idx ON deliveries (created_at DESC NULLS LAST,id);
CREATE INDEX delivery_attempts_lead_idx ON delivery_attempts (lead_id,outcome,at);
CREATE INDEX delivery_attempts_delivery_idx ON delivery_attempts (delivery_id);
CREATE INDEX delivery_attempts_at_idx ON delivery_attempts (at,channel,outcome);
CREATE INDEX webhook_events_at_idx ON webhook_events (at);

-- As for leads.
ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE delivery_attempts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
