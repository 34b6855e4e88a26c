CREATE TABLE "delivery_tries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "delivery_tries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_id" bigint NOT NULL,
	"channel" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"duration_ms" integer NOT NULL,
	"outcome" text NOT NULL,
	"status" text,
	"answer" text,
	CONSTRAINT "delivery_tries_channel_check" CHECK ("delivery_tries"."channel" in ('lead-email', 'clinic-email', 'crm')),
	CONSTRAINT "delivery_tries_outcome_check" CHECK ("delivery_tries"."outcome" in ('delivered', 'failed')),
	CONSTRAINT "delivery_tries_duration_check" CHECK ("delivery_tries"."duration_ms" >= 0)
);
--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "site_provider_id" bigint;--> statement-breakpoint
-- A lead with the clinic whose own site it came from. One that staff have given to another since: by what its first assignment replaced.
UPDATE "leads" SET "site_provider_id" = "provider_id" WHERE "match_method" = 'tenant';--> statement-breakpoint
UPDATE "leads" SET "site_provider_id" = first."provider_id" FROM (
	SELECT DISTINCT ON ("subject_id") "subject_id"::bigint AS "lead_id", "detail" #>> '{before,method}' AS "method", ("detail" #>> '{before,providerId}')::bigint AS "provider_id"
	FROM "audit_log" WHERE "action" = 'lead.assign' AND "subject_kind" = 'lead' ORDER BY "subject_id", "id"
) first WHERE "leads"."id" = first."lead_id" AND first."method" = 'tenant' AND first."provider_id" IN (SELECT "id" FROM "providers");--> statement-breakpoint
-- With what the insights count beside the key, so that they never read the table. drizzle knows no INCLUDE.
DROP INDEX "leads_created_idx";--> statement-breakpoint
CREATE INDEX "leads_created_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) INCLUDE ("site_provider_id","provider_id","crm_sync_status","quarantined_at") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
DROP INDEX "leads_unmatched_idx";--> statement-breakpoint
CREATE INDEX "leads_unmatched_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST) INCLUDE ("zip5","quarantined_at") WHERE "leads"."provider_id" is null and "leads"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "delivery_tries" ADD CONSTRAINT "delivery_tries_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "delivery_tries_lead_idx" ON "delivery_tries" USING btree ("lead_id","outcome","at");--> statement-breakpoint
CREATE INDEX "delivery_tries_at_idx" ON "delivery_tries" USING btree ("at","channel","outcome");--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_site_provider_id_providers_id_fk" FOREIGN KEY ("site_provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;