ALTER TABLE "application_messages" DROP CONSTRAINT "application_messages_kind_check";--> statement-breakpoint
ALTER TABLE "provider_applications" ADD COLUMN "provider_id" bigint;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "email_confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_applications" ADD CONSTRAINT "provider_applications_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE set null ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "application_messages" ADD CONSTRAINT "application_messages_kind_check" CHECK ("application_messages"."kind" in ('receipt', 'notice', 'confirm', 'decline')) NOT VALID;
