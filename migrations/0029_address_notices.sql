CREATE TABLE "address_notices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"provider_id" bigint NOT NULL,
	"address" text,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "address_notices" ADD CONSTRAINT "address_notices_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_notices_changed_idx" ON "address_notices" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "address_notices_due_idx" ON "address_notices" USING btree ("next_attempt_at") WHERE "address_notices"."address" is not null;