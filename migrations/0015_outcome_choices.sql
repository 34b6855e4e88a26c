CREATE TABLE "outcome_choices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outcome_choices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_id" bigint NOT NULL,
	"provider_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"ip" text NOT NULL,
	"takes_effect_at" timestamp (3) with time zone,
	CONSTRAINT "outcome_choices_takes_effect_at_check" CHECK ("outcome_choices"."takes_effect_at" is null or "outcome_choices"."outcome" = 'wrong-area')
);
--> statement-breakpoint
ALTER TABLE "outcome_choices" ADD CONSTRAINT "outcome_choices_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_choices" ADD CONSTRAINT "outcome_choices_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outcome_choices_lead_idx" ON "outcome_choices" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "outcome_choices_due_idx" ON "outcome_choices" USING btree ("takes_effect_at") WHERE "outcome_choices"."takes_effect_at" is not null;--> statement-breakpoint
CREATE INDEX "outcome_choices_at_idx" ON "outcome_choices" USING btree ("at");