ALTER TABLE "leads" ADD COLUMN "delivery_failed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- With what other filters look at, as the others have it. drizzle knows no INCLUDE.
CREATE INDEX "leads_delivery_failed_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) INCLUDE ("provider_id","quarantined_at","crm_sync_status","duplicate_of","outcome") WHERE "leads"."delivery_failed" and "leads"."deleted_at" is null;--> statement-breakpoint
-- Kept by the database so that a lead always says whether something of it failed for good that nobody has begun anew, whoever writes its deliveries.
-- A new delivery may be another try of what failed; a lead that has nothing that did, as one that comes in, pays one look at it. The lead is locked
-- before it is judged, by a statement of its own, which sees what whoever held it has committed.
CREATE FUNCTION note_failed_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state <> 'failed' AND NOT EXISTS (SELECT FROM leads WHERE id = NEW.lead_id AND delivery_failed) THEN
    RETURN NULL;
  END IF;
  PERFORM FROM leads WHERE id = NEW.lead_id FOR NO KEY UPDATE;
  UPDATE leads SET delivery_failed = NOT delivery_failed WHERE id = NEW.lead_id AND delivery_failed IS DISTINCT FROM EXISTS (
    SELECT FROM deliveries failed WHERE failed.lead_id = NEW.lead_id AND failed.state = 'failed' AND NOT EXISTS (
      SELECT FROM deliveries later WHERE later.lead_id = NEW.lead_id AND later.channel = failed.channel AND later.created_at > failed.created_at));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_failing AFTER UPDATE OF state ON deliveries FOR EACH ROW
  WHEN ((NEW.state = 'failed') <> (OLD.state = 'failed')) EXECUTE FUNCTION note_failed_deliveries();
--> statement-breakpoint
CREATE TRIGGER deliveries_begun AFTER INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION note_failed_deliveries();
--> statement-breakpoint
UPDATE leads SET delivery_failed = true WHERE id IN (
  SELECT failed.lead_id FROM deliveries failed WHERE failed.state = 'failed' AND NOT EXISTS (
    SELECT FROM deliveries later WHERE later.lead_id = failed.lead_id AND later.channel = failed.channel AND later.created_at > failed.created_at));
