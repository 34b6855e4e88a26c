CREATE TABLE "data_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "data_keys_purpose_check" CHECK ("data_keys"."purpose" in ('identity', 'consent-seal'))
);
--> statement-breakpoint
CREATE TABLE "over_limit_leads" (
	"lead_id" bigint PRIMARY KEY NOT NULL,
	"release_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recipient_emails" (
	"delivery_id" uuid PRIMARY KEY NOT NULL,
	"recipient_hmac" text NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_tasks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "staff_tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"lead_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	"done_by" text,
	CONSTRAINT "staff_tasks_kind_check" CHECK ("staff_tasks"."kind" in ('phone-withdrawn')),
	CONSTRAINT "staff_tasks_done_check" CHECK (("staff_tasks"."done_at" is null) = ("staff_tasks"."done_by" is null))
);
--> statement-breakpoint
-- The plain hashes can't become keyed ones, as nobody knows what they were made of. There is no installation with real data yet, but nothing is lost silently.
DO $$ BEGIN
  IF EXISTS (SELECT FROM suppressions) THEN
    RAISE EXCEPTION 'This database holds suppressions from before version 1.0, which can''t be converted. Run npm run db:reset.';
  END IF;
END $$;
--> statement-breakpoint
ALTER TABLE "suppressions" DROP CONSTRAINT "suppressions_value_sha256_check";--> statement-breakpoint
ALTER TABLE "suppressions" DROP CONSTRAINT "suppressions_value_sha256_kind_pk";--> statement-breakpoint
ALTER TABLE "consent_records" ADD COLUMN "hash_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "consent_records" ADD COLUMN "lead_public_id" uuid;--> statement-breakpoint
ALTER TABLE "consent_records" ADD COLUMN "origin" text;--> statement-breakpoint
ALTER TABLE "consent_records" ADD COLUMN "fetch_site" text;--> statement-breakpoint
ALTER TABLE "consent_seals" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "consent_seals" ADD COLUMN "seal_hmac" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "corrects_lead_id" bigint;--> statement-breakpoint
ALTER TABLE "suppressions" ADD COLUMN "value_hmac" text NOT NULL;--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_value_hmac_kind_pk" PRIMARY KEY("value_hmac","kind");--> statement-breakpoint
ALTER TABLE "over_limit_leads" ADD CONSTRAINT "over_limit_leads_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_tasks" ADD CONSTRAINT "staff_tasks_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "over_limit_leads_release_idx" ON "over_limit_leads" USING btree ("release_at");--> statement-breakpoint
CREATE INDEX "recipient_emails_recipient_idx" ON "recipient_emails" USING btree ("recipient_hmac","sent_at");--> statement-breakpoint
CREATE INDEX "recipient_emails_sent_idx" ON "recipient_emails" USING btree ("sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_tasks_open_key" ON "staff_tasks" USING btree ("kind","lead_id") WHERE "staff_tasks"."done_at" is null;--> statement-breakpoint
CREATE INDEX "staff_tasks_lead_idx" ON "staff_tasks" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "consent_records_lead_public_id_idx" ON "consent_records" USING btree ("lead_public_id");--> statement-breakpoint
ALTER TABLE "suppressions" DROP COLUMN "value_sha256";--> statement-breakpoint
ALTER TABLE "consent_seals" ADD CONSTRAINT "consent_seals_hmac_check" CHECK (("consent_seals"."key_id" is null) = ("consent_seals"."seal_hmac" is null));--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_value_hmac_check" CHECK ("suppressions"."value_hmac" ~ '^[0-9a-f]{64}$');
--> statement-breakpoint
-- As before (0018), with the origin header among the personal columns.
CREATE OR REPLACE FUNCTION allow_consent_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  personal CONSTANT text[] := '{first_name,last_name,email,phone,ip,user_agent,page_url,referrer_host,origin,text_shown}';
  erasure consent_erasures;
  before jsonb;
  hashes jsonb;
  blank jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT * INTO erasure FROM consent_erasures WHERE record_id = OLD.id;
    IF FOUND THEN
      before := to_jsonb(OLD) || jsonb_build_object('text_shown', CASE WHEN NOT OLD.text_known THEN OLD.text_shown END);
      SELECT jsonb_object_agg(name, encode(sha256(convert_to(erasure.salt || E'\n' || name || E'\n' || (before ->> name), 'UTF8')), 'hex'))
        INTO hashes FROM unnest(personal) AS name;
      blank := jsonb_build_object('first_name', '', 'last_name', '', 'email', '', 'phone', '', 'ip', '0.0.0.0', 'user_agent', NULL,
        'page_url', NULL, 'referrer_host', NULL, 'origin', NULL, 'text_shown', CASE WHEN OLD.text_known THEN OLD.text_shown ELSE '' END);
      IF hashes = erasure.hashes AND to_jsonb(NEW) = to_jsonb(OLD) || blank THEN
        RETURN NEW;
      END IF;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
