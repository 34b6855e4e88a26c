-- Where matching finds a clinic: its own coordinates, else its ZIP's centroid, else its three-digit prefix's. Kept by the database so that
-- every writer, psql included, leaves a row that can be matched.
CREATE FUNCTION place_provider() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found_at record;
BEGIN
  NEW.domain := nullif(NEW.domain, '');
  IF TG_OP = 'UPDATE' THEN
    NEW.updated_at := clock_timestamp();
  END IF;
  IF NEW.latitude IS NOT NULL AND NEW.longitude IS NOT NULL THEN
    NEW.location := ll_to_earth(NEW.latitude::float8, NEW.longitude::float8);
    NEW.location_source := 'coordinates';
    RETURN NEW;
  END IF;
  SELECT z.zip, z.latitude, z.longitude INTO found_at FROM zip_centroids z
    WHERE z.zip IN (left(NEW.zip_code, 5), left(NEW.zip_code, 3)) ORDER BY length(z.zip) DESC LIMIT 1;
  IF FOUND THEN
    NEW.location := ll_to_earth(found_at.latitude, found_at.longitude);
    NEW.location_source := CASE WHEN length(found_at.zip) = 5 THEN 'zip' ELSE 'prefix' END;
  ELSE
    NEW.location := NULL;
    NEW.location_source := NULL;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER providers_place BEFORE INSERT OR UPDATE ON providers FOR EACH ROW EXECUTE FUNCTION place_provider();
--> statement-breakpoint
-- Tells every process which clinics changed: their ids, or '*' when there are too many for one payload (8,000 bytes at most).
CREATE FUNCTION notify_providers_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    PERFORM pg_notify('providers_changed', '*');
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' THEN
    SELECT CASE WHEN count(*) > 200 THEN '*' ELSE string_agg(id::text, ',') END INTO ids FROM old_rows;
  ELSE
    SELECT CASE WHEN count(*) > 200 THEN '*' ELSE string_agg(id::text, ',') END INTO ids FROM new_rows;
  END IF;
  IF ids IS NOT NULL THEN
    PERFORM pg_notify('providers_changed', ids);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER providers_inserted AFTER INSERT ON providers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_providers_changed();
--> statement-breakpoint
CREATE TRIGGER providers_updated AFTER UPDATE ON providers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_providers_changed();
--> statement-breakpoint
CREATE TRIGGER providers_deleted AFTER DELETE ON providers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_providers_changed();
--> statement-breakpoint
CREATE TRIGGER providers_truncated AFTER TRUNCATE ON providers FOR EACH STATEMENT EXECUTE FUNCTION notify_providers_changed();
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER consent_records_append_only BEFORE UPDATE OR DELETE ON consent_records FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER consent_records_no_truncate BEFORE TRUNCATE ON consent_records FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER consent_seals_append_only BEFORE UPDATE OR DELETE ON consent_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER consent_seals_no_truncate BEFORE TRUNCATE ON consent_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER consent_form_snapshots_append_only BEFORE UPDATE OR DELETE ON consent_form_snapshots FOR EACH ROW EXECUTE FUNCTION refuse_change();
