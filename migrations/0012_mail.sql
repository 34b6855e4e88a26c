CREATE TABLE "consent_withdrawals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "consent_withdrawals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"how" text NOT NULL,
	"by" text NOT NULL,
	"ip" "inet",
	CONSTRAINT "consent_withdrawals_how_check" CHECK ("consent_withdrawals"."how" in ('page', 'one-click', 'staff', 'erasure'))
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "template" text DEFAULT 'lead' NOT NULL;--> statement-breakpoint
CREATE INDEX "consent_withdrawals_lead_idx" ON "consent_withdrawals" USING btree ("lead_id");--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_template_check" CHECK ("deliveries"."template" in ('lead', 'withdrawn'));--> statement-breakpoint
CREATE TRIGGER consent_withdrawals_append_only BEFORE UPDATE OR DELETE ON consent_withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER consent_withdrawals_no_truncate BEFORE TRUNCATE ON consent_withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
