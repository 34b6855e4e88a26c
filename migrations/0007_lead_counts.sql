CREATE TABLE "lead_count_changes" (
	"provider_id" bigint NOT NULL,
	"change" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lead_counts" (
	"provider_id" bigint PRIMARY KEY NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
-- Kept by the database so that every writer, psql included, leaves counts that are right.
CREATE FUNCTION count_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    TRUNCATE lead_counts, lead_count_changes;
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.provider_id IS NOT NULL AND OLD.deleted_at IS NULL THEN
    INSERT INTO lead_count_changes (provider_id, change) VALUES (OLD.provider_id, -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.provider_id IS NOT NULL AND NEW.deleted_at IS NULL THEN
    INSERT INTO lead_count_changes (provider_id, change) VALUES (NEW.provider_id, 1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_inserted AFTER INSERT ON leads FOR EACH ROW WHEN (NEW.provider_id IS NOT NULL AND NEW.deleted_at IS NULL) EXECUTE FUNCTION count_lead();
--> statement-breakpoint
CREATE TRIGGER leads_updated AFTER UPDATE OF provider_id, deleted_at ON leads FOR EACH ROW WHEN (OLD.provider_id IS DISTINCT FROM NEW.provider_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION count_lead();
--> statement-breakpoint
CREATE TRIGGER leads_deleted AFTER DELETE ON leads FOR EACH ROW WHEN (OLD.provider_id IS NOT NULL AND OLD.deleted_at IS NULL) EXECUTE FUNCTION count_lead();
--> statement-breakpoint
CREATE TRIGGER leads_truncated AFTER TRUNCATE ON leads FOR EACH STATEMENT EXECUTE FUNCTION count_lead();
--> statement-breakpoint
-- Making the triggers keeps writers out until this is committed, so none is counted twice or missed.
INSERT INTO lead_counts (provider_id, count) SELECT provider_id, count(*) FROM leads WHERE deleted_at IS NULL AND provider_id IS NOT NULL GROUP BY provider_id;
