CREATE TABLE "rematch_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rematch_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "outcome" text;--> statement-breakpoint
CREATE INDEX "deliveries_failed_idx" ON "deliveries" USING btree ("lead_id","channel","created_at") WHERE "deliveries"."state" = 'failed';--> statement-breakpoint
-- With what is read beside the keys: the speed of first contact, and filters together, are answered by an index. drizzle knows no INCLUDE.
CREATE INDEX "lead_outcomes_contact_idx" ON "lead_outcomes" USING btree ("lead_id","at") INCLUDE ("provider_id") WHERE "lead_outcomes"."outcome" in ('reached', 'booked');--> statement-breakpoint
CREATE INDEX "leads_outcome_idx" ON "leads" USING btree ("outcome","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) INCLUDE ("provider_id","quarantined_at","crm_sync_status","duplicate_of") WHERE "leads"."outcome" is not null and "leads"."deleted_at" is null;--> statement-breakpoint
-- Kept by the database so that a lead always says what its clinic told last: whoever assigns it, psql included.
CREATE FUNCTION note_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE leads SET outcome = NEW.outcome WHERE id = NEW.lead_id AND provider_id = NEW.provider_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lead_outcomes_noted AFTER INSERT ON lead_outcomes FOR EACH ROW EXECUTE FUNCTION note_outcome();
--> statement-breakpoint
CREATE FUNCTION recall_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.outcome := (SELECT told.outcome FROM lead_outcomes told WHERE told.lead_id = NEW.id AND told.provider_id = NEW.provider_id ORDER BY told.id DESC LIMIT 1);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_given BEFORE UPDATE OF provider_id ON leads FOR EACH ROW WHEN (NEW.provider_id IS NOT NULL AND NEW.provider_id IS DISTINCT FROM OLD.provider_id) EXECUTE FUNCTION recall_outcome();
--> statement-breakpoint
-- One row a statement, in its own transaction: a notification alone is lost while nobody listens.
CREATE FUNCTION request_rematch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rematch_requests DEFAULT VALUES;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION request_rematch_by_clinics() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  opens boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT true INTO opens FROM new_rows WHERE status = 't' AND NOT paused AND location IS NOT NULL LIMIT 1;
  ELSE
    SELECT true INTO opens FROM new_rows JOIN old_rows USING (id)
      WHERE new_rows.status = 't' AND NOT new_rows.paused AND new_rows.location IS NOT NULL
        AND (old_rows.status <> 't' OR old_rows.paused OR old_rows.location IS DISTINCT FROM new_rows.location
          OR old_rows.match_radius_miles IS DISTINCT FROM new_rows.match_radius_miles) LIMIT 1;
  END IF;
  IF opens THEN
    INSERT INTO rematch_requests DEFAULT VALUES;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER providers_open AFTER INSERT ON providers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION request_rematch_by_clinics();
--> statement-breakpoint
CREATE TRIGGER providers_reopen AFTER UPDATE ON providers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION request_rematch_by_clinics();
--> statement-breakpoint
CREATE TRIGGER leads_freed AFTER UPDATE OF quarantined_at, deleted_at ON leads FOR EACH ROW WHEN (NEW.provider_id IS NULL AND NEW.quarantined_at IS NULL AND NEW.deleted_at IS NULL AND (OLD.quarantined_at IS NOT NULL OR OLD.deleted_at IS NOT NULL)) EXECUTE FUNCTION request_rematch();
