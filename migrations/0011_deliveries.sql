CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lead_id" bigint NOT NULL,
	"channel" text NOT NULL,
	"provider_id" bigint,
	"state" text DEFAULT 'queued' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone,
	"reason" text,
	"remote_id" text,
	"requested_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "deliveries_channel_check" CHECK ("deliveries"."channel" in ('lead-email', 'clinic-email', 'crm')),
	CONSTRAINT "deliveries_state_check" CHECK ("deliveries"."state" in ('queued', 'delivered', 'failed', 'held', 'cancelled')),
	CONSTRAINT "deliveries_tries_check" CHECK ("deliveries"."tries" >= 0),
	CONSTRAINT "deliveries_next_try_check" CHECK (("deliveries"."next_try_at" is null) = ("deliveries"."state" <> 'queued')),
	CONSTRAINT "deliveries_held_check" CHECK ("deliveries"."state" not in ('held', 'cancelled') or "deliveries"."reason" is not null)
);
--> statement-breakpoint
CREATE TABLE "lead_outcomes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lead_outcomes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_id" bigint NOT NULL,
	"provider_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lead_outcomes_outcome_check" CHECK ("lead_outcomes"."outcome" in ('reached', 'booked', 'not-reachable', 'wrong-area', 'duplicate'))
);
--> statement-breakpoint
CREATE TABLE "suppressions" (
	"kind" text NOT NULL,
	"value_sha256" text NOT NULL,
	"reason" text NOT NULL,
	"lead_id" bigint,
	"by" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "suppressions_value_sha256_kind_pk" PRIMARY KEY("value_sha256","kind"),
	CONSTRAINT "suppressions_kind_check" CHECK ("suppressions"."kind" in ('email', 'phone')),
	CONSTRAINT "suppressions_value_sha256_check" CHECK ("suppressions"."value_sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "suppressions_reason_check" CHECK ("suppressions"."reason" in ('unsubscribed', 'withdrawn', 'do-not-contact', 'bounced', 'erased'))
);
--> statement-breakpoint
ALTER TABLE "delivery_tries" ADD COLUMN "delivery_id" uuid;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_outcomes" ADD CONSTRAINT "lead_outcomes_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_outcomes" ADD CONSTRAINT "lead_outcomes_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_lead_idx" ON "deliveries" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "deliveries_open_idx" ON "deliveries" USING btree ("state","created_at" DESC NULLS LAST) WHERE "deliveries"."state" <> 'delivered';--> statement-breakpoint
CREATE INDEX "deliveries_created_idx" ON "deliveries" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "lead_outcomes_lead_idx" ON "lead_outcomes" USING btree ("lead_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "lead_outcomes_at_idx" ON "lead_outcomes" USING btree ("at");--> statement-breakpoint
ALTER TABLE "delivery_tries" ADD CONSTRAINT "delivery_tries_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "delivery_tries_delivery_idx" ON "delivery_tries" USING btree ("delivery_id");