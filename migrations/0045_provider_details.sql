ALTER TABLE "providers" ADD COLUMN "clinician_name" text;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "credential" text;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "npi" text;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "certified_since" text;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "about" text;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "hours" text;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "hours_edited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "languages" text[];--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "pictures" text[];--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "booking_url" text;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_clinician_name_check" CHECK (length("providers"."clinician_name") between 1 and 200) NOT VALID;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_credential_check" CHECK (length("providers"."credential") between 1 and 100) NOT VALID;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_npi_check" CHECK ("providers"."npi" ~ '^[12][0-9]{9}$') NOT VALID;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_certified_since_check" CHECK ("providers"."certified_since" ~ '^[0-9]{4}(-[0-9]{2}-[0-9]{2})?$') NOT VALID;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_about_check" CHECK (length("providers"."about") between 1 and 2000) NOT VALID;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_hours_check" CHECK ("providers"."hours" ~ '^Mon ' and length("providers"."hours") <= 500) NOT VALID;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_time_zone_check" CHECK (length("providers"."time_zone") between 1 and 64) NOT VALID;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_languages_check" CHECK (cardinality("providers"."languages") between 1 and 20) NOT VALID;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_pictures_check" CHECK (cardinality("providers"."pictures") between 1 and 6) NOT VALID;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_booking_url_check" CHECK ("providers"."booking_url" like 'https://%') NOT VALID;