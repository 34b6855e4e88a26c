CREATE TABLE "application_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"application_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempted_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"batch" uuid,
	CONSTRAINT "application_messages_kind_check" CHECK ("application_messages"."kind" in ('receipt', 'notice')),
	CONSTRAINT "application_messages_state_check" CHECK ("application_messages"."state" in ('waiting', 'sent', 'withheld', 'refused')),
	CONSTRAINT "application_messages_ended_check" CHECK (("application_messages"."state" = 'waiting') = ("application_messages"."ended_at" is null))
);
--> statement-breakpoint
ALTER TABLE "application_messages" ADD CONSTRAINT "application_messages_application_id_provider_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."provider_applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "application_messages_application_idx" ON "application_messages" USING btree ("application_id","kind");--> statement-breakpoint
CREATE INDEX "application_messages_due_idx" ON "application_messages" USING btree ("kind","next_attempt_at") WHERE "application_messages"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "application_messages_attempted_idx" ON "application_messages" USING btree ("kind","attempted_at");