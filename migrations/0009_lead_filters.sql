-- With what the list's other filters look at beside the key: filters together are counted from an index. drizzle knows no INCLUDE.
DROP INDEX "leads_status_idx";--> statement-breakpoint
CREATE INDEX "leads_status_idx" ON "leads" USING btree ("crm_sync_status","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) INCLUDE ("provider_id","quarantined_at","duplicate_of") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
DROP INDEX "leads_unmatched_idx";--> statement-breakpoint
CREATE INDEX "leads_unmatched_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST) INCLUDE ("id","zip5","quarantined_at","crm_sync_status","duplicate_of") WHERE "leads"."provider_id" is null and "leads"."deleted_at" is null;
