CREATE TABLE "lead_corrections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lead_corrections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"field" text NOT NULL,
	"before" text NOT NULL,
	CONSTRAINT "lead_corrections_field_check" CHECK ("lead_corrections"."field" in ('zip_code', 'phone', 'email'))
);
--> statement-breakpoint
-- A lead that was taken away had a provider and has none. Earlier versions only write rows with one.
-- squawk-ignore ban-drop-not-null
ALTER TABLE "assignment_undos" ALTER COLUMN "provider_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "lead_corrections" ADD CONSTRAINT "lead_corrections_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lead_corrections_lead_idx" ON "lead_corrections" USING btree ("lead_id","id");
