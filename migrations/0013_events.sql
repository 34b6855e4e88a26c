CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"types" text[] NOT NULL,
	"payload" text DEFAULT 'thin' NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"first_failed_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_endpoints_url_check" CHECK ("webhook_endpoints"."url" ~ '^https?://'),
	CONSTRAINT "webhook_endpoints_payload_check" CHECK ("webhook_endpoints"."payload" in ('thin', 'full')),
	CONSTRAINT "webhook_endpoints_previous_check" CHECK (("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_until" is null)),
	CONSTRAINT "webhook_endpoints_disabled_check" CHECK (("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_reason" is null)),
	CONSTRAINT "webhook_endpoints_disabled_reason_check" CHECK ("webhook_endpoints"."disabled_reason" in ('staff', 'failing', 'gone')),
	CONSTRAINT "webhook_endpoints_failures_check" CHECK ("webhook_endpoints"."failures" >= 0 and ("webhook_endpoints"."failures" = 0) = ("webhook_endpoints"."first_failed_at" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lead_id" bigint,
	"provider_id" bigint,
	"data" jsonb NOT NULL,
	"xact" "xid8" DEFAULT pg_current_xact_id() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone,
	"last_status" text,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_messages_state_check" CHECK ("webhook_messages"."state" in ('queued', 'delivered', 'failed', 'cancelled')),
	CONSTRAINT "webhook_messages_tries_check" CHECK ("webhook_messages"."tries" >= 0),
	CONSTRAINT "webhook_messages_next_try_check" CHECK (("webhook_messages"."next_try_at" is null) = ("webhook_messages"."state" <> 'queued'))
);
--> statement-breakpoint
CREATE TABLE "webhook_tries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_tries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"message_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"outcome" text NOT NULL,
	"status" text,
	"reason" text,
	"answer" text,
	CONSTRAINT "webhook_tries_outcome_check" CHECK ("webhook_tries"."outcome" in ('delivered', 'failed')),
	CONSTRAINT "webhook_tries_duration_check" CHECK ("webhook_tries"."duration_ms" >= 0)
);
--> statement-breakpoint
ALTER TABLE "webhook_tries" ADD CONSTRAINT "webhook_tries_message_id_webhook_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."webhook_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_provider_xact_key" ON "webhook_events" USING btree ("xact","at","provider_id","type") WHERE "webhook_events"."type" like 'provider.%';--> statement-breakpoint
CREATE INDEX "webhook_events_at_idx" ON "webhook_events" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_messages_event_key" ON "webhook_messages" USING btree ("event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_messages_queue_idx" ON "webhook_messages" USING btree ("endpoint_id","next_try_at") WHERE "webhook_messages"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "webhook_messages_endpoint_idx" ON "webhook_messages" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_messages_state_idx" ON "webhook_messages" USING btree ("state","id") WHERE "webhook_messages"."state" <> 'delivered';--> statement-breakpoint
CREATE INDEX "webhook_tries_message_idx" ON "webhook_tries" USING btree ("message_id");--> statement-breakpoint
-- What integrators are told of is written by the database, so that every writer, psql included, tells of what it does if and only if it does it.
-- Nothing is written while no endpoint that is on wants the type: storing a lead then costs one look at an empty table.
CREATE FUNCTION record_webhook_event(event_type text, of_lead bigint, of_provider bigint, event_data jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL AND (types = '{}' OR event_type = ANY (types))) THEN
    RETURN;
  END IF;
  WITH event AS (
    INSERT INTO webhook_events (id, type, lead_id, provider_id, data) VALUES (gen_random_uuid(), event_type, of_lead, of_provider, event_data)
    ON CONFLICT DO NOTHING RETURNING id
  )
  INSERT INTO webhook_messages (event_id, endpoint_id, next_try_at)
  SELECT event.id, endpoint.id, now() FROM event, webhook_endpoints endpoint
  WHERE endpoint.disabled_at IS NULL AND (endpoint.types = '{}' OR event_type = ANY (endpoint.types));
END $$;
--> statement-breakpoint
-- Of a lead in quarantine nobody is told; once released it is told of as new. A deleted one is told of when it is deleted and when it is restored.
CREATE FUNCTION tell_of_lead() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text[];
BEGIN
  -- Asked here already: nothing is called, and nothing made up, for nobody.
  IF NOT EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM record_webhook_event('lead.created', NEW.id, NEW.provider_id, jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id));
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM record_webhook_event('lead.deleted', OLD.id, OLD.provider_id, jsonb_build_object('id', OLD.id, 'provider_id', OLD.provider_id));
    RETURN NULL;
  END IF;
  IF NEW.quarantined_at IS NOT NULL THEN
    RETURN NULL;
  END IF;
  IF NEW.deleted_at IS NOT NULL THEN
    IF OLD.deleted_at IS NULL THEN
      PERFORM record_webhook_event('lead.deleted', NEW.id, NEW.provider_id, jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id));
    END IF;
    RETURN NULL;
  END IF;
  IF OLD.quarantined_at IS NOT NULL THEN
    PERFORM record_webhook_event('lead.created', NEW.id, NEW.provider_id, jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id));
    RETURN NULL;
  END IF;
  IF NEW.provider_id IS DISTINCT FROM OLD.provider_id AND NEW.provider_id IS NOT NULL THEN
    PERFORM record_webhook_event('lead.assigned', NEW.id, NEW.provider_id,
      jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id, 'previous_provider_id', OLD.provider_id));
  END IF;
  changed := array_remove(ARRAY[
    CASE WHEN NEW.first_name IS DISTINCT FROM OLD.first_name THEN 'first_name' END,
    CASE WHEN NEW.last_name IS DISTINCT FROM OLD.last_name THEN 'last_name' END,
    CASE WHEN NEW.email IS DISTINCT FROM OLD.email THEN 'email' END,
    CASE WHEN NEW.phone IS DISTINCT FROM OLD.phone THEN 'phone' END,
    CASE WHEN NEW.zip_code IS DISTINCT FROM OLD.zip_code THEN 'zip_code' END,
    CASE WHEN NEW.provider_id IS NULL AND OLD.provider_id IS NOT NULL THEN 'provider_id' END,
    CASE WHEN OLD.deleted_at IS NOT NULL THEN 'deleted' END], NULL);
  IF cardinality(changed) > 0 THEN
    PERFORM record_webhook_event('lead.updated', NEW.id, NEW.provider_id,
      jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id, 'changed', to_jsonb(changed)));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_tell_inserted AFTER INSERT ON leads FOR EACH ROW WHEN (NEW.quarantined_at IS NULL AND NEW.deleted_at IS NULL) EXECUTE FUNCTION tell_of_lead();
--> statement-breakpoint
CREATE TRIGGER leads_tell_updated AFTER UPDATE OF first_name, last_name, email, phone, zip_code, provider_id, quarantined_at, deleted_at ON leads FOR EACH ROW EXECUTE FUNCTION tell_of_lead();
--> statement-breakpoint
CREATE TRIGGER leads_tell_deleted AFTER DELETE ON leads FOR EACH ROW WHEN (OLD.quarantined_at IS NULL AND OLD.deleted_at IS NULL) EXECUTE FUNCTION tell_of_lead();
--> statement-breakpoint
-- What befalls a lead in other tables: its consent withdrawn, a delivery given up, an outcome told by its clinic.
CREATE FUNCTION tell_about_lead() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lead record;
  data jsonb;
BEGIN
  SELECT provider_id, quarantined_at INTO lead FROM leads WHERE id = NEW.lead_id;
  IF lead.quarantined_at IS NOT NULL THEN
    RETURN NULL;
  END IF;
  data := jsonb_build_object('id', NEW.lead_id, 'provider_id', lead.provider_id);
  IF TG_TABLE_NAME = 'consent_withdrawals' THEN
    PERFORM record_webhook_event('lead.consent_revoked', NEW.lead_id, lead.provider_id, data);
  ELSIF TG_TABLE_NAME = 'deliveries' THEN
    PERFORM record_webhook_event('lead.delivery_failed', NEW.lead_id, lead.provider_id,
      data || jsonb_build_object('delivery_id', NEW.id, 'channel', NEW.channel));
  ELSE
    PERFORM record_webhook_event('lead.updated', NEW.lead_id, lead.provider_id,
      data || jsonb_build_object('changed', jsonb_build_array('outcome'), 'outcome', NEW.outcome));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER consent_withdrawals_tell AFTER INSERT ON consent_withdrawals FOR EACH ROW EXECUTE FUNCTION tell_about_lead();
--> statement-breakpoint
CREATE TRIGGER deliveries_tell AFTER UPDATE OF state ON deliveries FOR EACH ROW WHEN (NEW.state = 'failed' AND OLD.state <> 'failed') EXECUTE FUNCTION tell_about_lead();
--> statement-breakpoint
CREATE TRIGGER lead_outcomes_tell AFTER INSERT ON lead_outcomes FOR EACH ROW EXECUTE FUNCTION tell_about_lead();
--> statement-breakpoint
-- A sync writes clinics by the thousand: whether anybody wants to know is asked once a statement. What only the database or staff's key changes isn't told.
CREATE FUNCTION tell_of_providers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  untold CONSTANT text[] := '{updated_at,location,location_source,mpxapi}';
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL AND (types = '{}' OR types && '{provider.updated,provider.deactivated}')) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM record_webhook_event('provider.updated', NULL, id, jsonb_build_object('id', id, 'wordpress_id', wordpress_id)) FROM new_rows;
    RETURN NULL;
  END IF;
  PERFORM record_webhook_event(CASE WHEN o.status = 't' AND n.status = 'f' THEN 'provider.deactivated' ELSE 'provider.updated' END, NULL, n.id,
      jsonb_build_object('id', n.id, 'wordpress_id', n.wordpress_id))
    FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE to_jsonb(o) - untold IS DISTINCT FROM to_jsonb(n) - untold;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER providers_tell_inserted AFTER INSERT ON providers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_of_providers();
--> statement-breakpoint
CREATE TRIGGER providers_tell_updated AFTER UPDATE ON providers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_of_providers();
--> statement-breakpoint
CREATE FUNCTION tell_of_sync() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_webhook_event('sync.completed', NULL, NULL, jsonb_build_object('run_id', NEW.id, 'source', NEW.source, 'kind', NEW.kind, 'outcome', NEW.outcome,
    'read', NEW.read, 'created', NEW.created, 'updated', NEW.updated, 'unchanged', NEW.unchanged, 'deactivated', NEW.deactivated, 'skipped', NEW.skipped));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sync_runs_tell AFTER UPDATE OF outcome ON sync_runs FOR EACH ROW WHEN (OLD.outcome = 'running' AND NEW.outcome <> 'running' AND NOT NEW.dry_run) EXECUTE FUNCTION tell_of_sync();
