-- Trigrams: any part of a name or a number found through an index; a trusted contrib extension.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
ALTER TABLE "provider_applications" DROP CONSTRAINT "provider_applications_status_check";--> statement-breakpoint
UPDATE "provider_applications" SET "status" = CASE "status" WHEN 'approved' THEN 'accepted' ELSE 'declined' END WHERE "status" IN ('approved', 'rejected');--> statement-breakpoint
DROP INDEX "leads_provider_idx";--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "search_text" text GENERATED ALWAYS AS (' ' || lower(first_name) || ' ' || lower(last_name) || ' ' || lower(email) || ' ' || ltrim(phone_e164, '+') || ' ' || lower(zip_code) || ' ' || id::text || ' ') STORED NOT NULL;--> statement-breakpoint
-- A thousand samples: how many leads a word is in is guessed from them.
ALTER TABLE "leads" ALTER COLUMN "search_text" SET STATISTICS 1000;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "paused" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "match_radius_miles" integer;--> statement-breakpoint
CREATE INDEX "leads_status_idx" ON "leads" USING btree ("crm_sync_status","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_repeat_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."duplicate_of" is not null and "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_last_name_idx" ON "leads" USING btree (lower("last_name") collate "C","id") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_zip_code_idx" ON "leads" USING btree ("zip_code" collate "C","id") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_search_idx" ON "leads" USING gin ("search_text" gin_trgm_ops) WITH (fastupdate=true,gin_pending_list_limit=1024) WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_deleted_idx" ON "leads" USING btree ("deleted_at") WHERE "leads"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "providers_own_radius_idx" ON "providers" USING gist ("location") WHERE "providers"."status" = 't' and "providers"."location" is not null and "providers"."match_radius_miles" is not null;--> statement-breakpoint
CREATE INDEX "leads_provider_idx" ON "leads" USING btree ("provider_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "provider_applications" ADD CONSTRAINT "provider_applications_status_check" CHECK ("provider_applications"."status" in ('new', 'contacted', 'accepted', 'declined'));--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_match_radius_check" CHECK ("providers"."match_radius_miles" between 1 and 12500);