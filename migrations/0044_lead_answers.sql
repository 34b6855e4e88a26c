ALTER TABLE "consent_records" ADD COLUMN "answers" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "answers" jsonb;