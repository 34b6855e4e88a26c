-- One table for deliveries of all channels, which is also their queue. Rows of the old tables are not converted: no installation has any yet. A
-- database that has some is refused, so that nothing is lost silently.
DO $$ BEGIN
  IF EXISTS (SELECT FROM deliveries) OR EXISTS (SELECT FROM webhook_messages) THEN
    RAISE EXCEPTION 'This database has deliveries from before version 1.0, which can''t be converted. Run npm run db:reset.';
  END IF;
END $$;
--> statement-breakpoint
DROP TABLE "delivery_tries";--> statement-breakpoint
DROP TABLE "deliveries";--> statement-breakpoint
DROP TABLE "webhook_tries";--> statement-breakpoint
DROP TABLE "webhook_messages";--> statement-breakpoint
DROP FUNCTION enqueue_deliveries();--> statement-breakpoint
DROP FUNCTION enqueue_delivery();--> statement-breakpoint
DROP SCHEMA IF EXISTS pgboss CASCADE;--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"template" text DEFAULT 'lead' NOT NULL,
	"queue" text GENERATED ALWAYS AS (coalesce(endpoint_id::text, channel)) STORED NOT NULL,
	"lead_id" bigint,
	"provider_id" bigint,
	"event_id" uuid,
	"endpoint_id" uuid,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempts_before_round" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	"reason" text,
	"remote_id" text,
	"requested_by" text,
	"corrects_lead_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "deliveries_channel_check" CHECK ("deliveries"."channel" in ('lead-email', 'provider-email', 'crm', 'webhook')),
	CONSTRAINT "deliveries_template_check" CHECK ("deliveries"."template" in ('lead', 'withdrawn', 'erased', 'event')),
	CONSTRAINT "deliveries_state_check" CHECK ("deliveries"."state" in ('queued', 'delivered', 'failed', 'held', 'cancelled')),
	CONSTRAINT "deliveries_webhook_check" CHECK (case when "deliveries"."channel" = 'webhook'
        then "deliveries"."template" = 'event' and "deliveries"."event_id" is not null and "deliveries"."endpoint_id" is not null
          and "deliveries"."lead_id" is null and "deliveries"."provider_id" is null
        else "deliveries"."template" <> 'event' and "deliveries"."event_id" is null and "deliveries"."endpoint_id" is null and "deliveries"."lead_id" is not null end),
	CONSTRAINT "deliveries_attempts_check" CHECK ("deliveries"."attempts" >= "deliveries"."attempts_before_round" and "deliveries"."attempts_before_round" >= 0),
	CONSTRAINT "deliveries_next_attempt_check" CHECK (("deliveries"."next_attempt_at" is null) = ("deliveries"."state" <> 'queued')),
	CONSTRAINT "deliveries_finished_check" CHECK (("deliveries"."finished_at" is null) = ("deliveries"."state" in ('queued', 'held'))),
	CONSTRAINT "deliveries_reason_check" CHECK ("deliveries"."state" not in ('held', 'cancelled') or "deliveries"."reason" is not null),
	CONSTRAINT "deliveries_corrects_check" CHECK ("deliveries"."corrects_lead_id" is null or "deliveries"."channel" = 'provider-email')
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "delivery_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" uuid NOT NULL,
	"lead_id" bigint,
	"channel" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"duration_ms" integer NOT NULL,
	"outcome" text NOT NULL,
	"status" text,
	"reason" text,
	"answer" text,
	CONSTRAINT "delivery_attempts_channel_check" CHECK ("delivery_attempts"."channel" in ('lead-email', 'provider-email', 'crm', 'webhook')),
	CONSTRAINT "delivery_attempts_lead_check" CHECK (("delivery_attempts"."lead_id" is null) = ("delivery_attempts"."channel" = 'webhook')),
	CONSTRAINT "delivery_attempts_outcome_check" CHECK ("delivery_attempts"."outcome" in ('delivered', 'failed')),
	CONSTRAINT "delivery_attempts_duration_check" CHECK ("delivery_attempts"."duration_ms" >= 0)
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_queue_idx" ON "deliveries" USING btree ("queue","next_attempt_at") WHERE "deliveries"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "deliveries_lead_idx" ON "deliveries" USING btree ("lead_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_event_key" ON "deliveries" USING btree ("event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "deliveries_endpoint_idx" ON "deliveries" USING btree ("endpoint_id","created_at" DESC NULLS LAST,"id") WHERE "deliveries"."endpoint_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_open_idx" ON "deliveries" USING btree ("state","created_at" DESC NULLS LAST) WHERE "deliveries"."state" <> 'delivered';--> statement-breakpoint
CREATE INDEX "deliveries_failed_idx" ON "deliveries" USING btree ("lead_id","channel","created_at") WHERE "deliveries"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "deliveries_created_idx" ON "deliveries" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "delivery_attempts_lead_idx" ON "delivery_attempts" USING btree ("lead_id","outcome","at");--> statement-breakpoint
CREATE INDEX "delivery_attempts_delivery_idx" ON "delivery_attempts" USING btree ("delivery_id");--> statement-breakpoint
CREATE INDEX "delivery_attempts_at_idx" ON "delivery_attempts" USING btree ("at","channel","outcome");
--> statement-breakpoint
-- As before (0019), with deliveries in place of messages.
CREATE OR REPLACE FUNCTION record_webhook_event(event_type text, of_lead bigint, of_provider bigint, event_data jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints WHERE types = '{}' OR event_type = ANY (types)) THEN
    RETURN;
  END IF;
  WITH event AS (
    INSERT INTO webhook_events (id, type, lead_id, provider_id, data) VALUES (gen_random_uuid(), event_type, of_lead, of_provider, event_data)
    ON CONFLICT DO NOTHING RETURNING id
  )
  INSERT INTO deliveries (id, channel, template, event_id, endpoint_id, next_attempt_at)
  SELECT gen_random_uuid(), 'webhook', 'event', event.id, endpoint.id, now() FROM event, webhook_endpoints endpoint
  WHERE endpoint.disabled_at IS NULL AND (endpoint.types = '{}' OR event_type = ANY (endpoint.types));
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_tell AFTER UPDATE OF state ON deliveries FOR EACH ROW
  WHEN (NEW.lead_id IS NOT NULL AND NEW.state = 'failed' AND OLD.state <> 'failed') EXECUTE FUNCTION tell_about_lead();
--> statement-breakpoint
CREATE TRIGGER deliveries_failing AFTER UPDATE OF state ON deliveries FOR EACH ROW
  WHEN (NEW.lead_id IS NOT NULL AND (NEW.state = 'failed') <> (OLD.state = 'failed')) EXECUTE FUNCTION note_failed_deliveries();
--> statement-breakpoint
CREATE TRIGGER deliveries_begun AFTER INSERT ON deliveries FOR EACH ROW WHEN (NEW.lead_id IS NOT NULL) EXECUTE FUNCTION note_failed_deliveries();
