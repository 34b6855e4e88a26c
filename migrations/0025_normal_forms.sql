CREATE TABLE "normal_form_upgrades" (
	"table_name" text PRIMARY KEY NOT NULL,
	"last_id" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "normal_form_upgrades_table_name_check" CHECK ("normal_form_upgrades"."table_name" in ('leads', 'consent_records'))
);
--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "first_email_norm" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "first_phone_e164" text;