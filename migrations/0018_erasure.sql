CREATE TABLE "consent_erasures" (
	"record_id" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"salt" text NOT NULL,
	"hashes" jsonb NOT NULL,
	"was_intact" boolean NOT NULL,
	"erasure_hash" text NOT NULL,
	CONSTRAINT "consent_erasures_salt_check" CHECK ("consent_erasures"."salt" ~ '^[0-9a-f]{32}$'),
	CONSTRAINT "consent_erasures_erasure_hash_check" CHECK ("consent_erasures"."erasure_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "consent_seals" DROP CONSTRAINT "consent_seals_record_id_unique";--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_template_check";--> statement-breakpoint
ALTER TABLE "consent_seals" ADD COLUMN "sealed" text DEFAULT 'record' NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consent_seals" ADD CONSTRAINT "consent_seals_record_id_sealed_unique" UNIQUE("record_id","sealed");--> statement-breakpoint
ALTER TABLE "consent_seals" ADD CONSTRAINT "consent_seals_sealed_check" CHECK ("consent_seals"."sealed" in ('record', 'erasure'));--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_template_check" CHECK ("deliveries"."template" in ('lead', 'withdrawn', 'erased'));--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_erased_check" CHECK ("leads"."erased_at" is null or "leads"."deleted_at" is not null);--> statement-breakpoint
CREATE TRIGGER consent_erasures_append_only BEFORE UPDATE OR DELETE ON consent_erasures FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER consent_erasures_no_truncate BEFORE TRUNCATE ON consent_erasures FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- The one change a consent record may see: its personal columns become blank, all of them at once, once their hashes are kept and found right. The
-- words shown go where a client made them up: they may name anybody. A second time the hashes no longer fit, so nothing ever comes back.
CREATE FUNCTION allow_consent_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  personal CONSTANT text[] := '{first_name,last_name,email,phone,ip,user_agent,page_url,referrer_host,text_shown}';
  erasure consent_erasures;
  before jsonb;
  hashes jsonb;
  blank jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT * INTO erasure FROM consent_erasures WHERE record_id = OLD.id;
    IF FOUND THEN
      before := to_jsonb(OLD) || jsonb_build_object('text_shown', CASE WHEN NOT OLD.text_known THEN OLD.text_shown END);
      SELECT jsonb_object_agg(name, encode(sha256(convert_to(erasure.salt || E'\n' || name || E'\n' || (before ->> name), 'UTF8')), 'hex'))
        INTO hashes FROM unnest(personal) AS name;
      blank := jsonb_build_object('first_name', '', 'last_name', '', 'email', '', 'phone', '', 'ip', '0.0.0.0', 'user_agent', NULL,
        'page_url', NULL, 'referrer_host', NULL, 'text_shown', CASE WHEN OLD.text_known THEN OLD.text_shown ELSE '' END);
      IF hashes = erasure.hashes AND to_jsonb(NEW) = to_jsonb(OLD) || blank THEN
        RETURN NEW;
      END IF;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
DROP TRIGGER consent_records_append_only ON consent_records;
--> statement-breakpoint
CREATE TRIGGER consent_records_append_only BEFORE UPDATE OR DELETE ON consent_records FOR EACH ROW EXECUTE FUNCTION allow_consent_erasure();
--> statement-breakpoint
-- Of a withdrawal only the address goes, and only once its lead's evidence, or the lead, was erased.
CREATE FUNCTION allow_withdrawal_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) = to_jsonb(OLD) || '{"ip": null}' AND (
    EXISTS (SELECT FROM leads WHERE id = OLD.lead_id AND erased_at IS NOT NULL) OR
    EXISTS (SELECT FROM consent_erasures JOIN consent_records ON consent_records.id = record_id WHERE lead_id = OLD.lead_id)) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
DROP TRIGGER consent_withdrawals_append_only ON consent_withdrawals;
--> statement-breakpoint
CREATE TRIGGER consent_withdrawals_append_only BEFORE UPDATE OR DELETE ON consent_withdrawals FOR EACH ROW EXECUTE FUNCTION allow_withdrawal_erasure();
--> statement-breakpoint
-- As in migration 0013, and: an erasure is told of whether the lead was deleted before or not; one that was not is told as deleted too, for those who listen to no more.
CREATE OR REPLACE FUNCTION tell_of_lead() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text[];
BEGIN
  -- Asked here already: nothing is called, and nothing made up, for nobody.
  IF NOT EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM record_webhook_event('lead.created', NEW.id, NEW.provider_id, jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id));
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM record_webhook_event('lead.deleted', OLD.id, OLD.provider_id, jsonb_build_object('id', OLD.id, 'provider_id', OLD.provider_id));
    RETURN NULL;
  END IF;
  IF NEW.quarantined_at IS NOT NULL THEN
    RETURN NULL;
  END IF;
  IF NEW.deleted_at IS NOT NULL THEN
    IF OLD.deleted_at IS NULL THEN
      PERFORM record_webhook_event('lead.deleted', NEW.id, NEW.provider_id, jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id));
    END IF;
    IF NEW.erased_at IS NOT NULL AND OLD.erased_at IS NULL THEN
      PERFORM record_webhook_event('lead.erased', NEW.id, NEW.provider_id, jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id));
    END IF;
    RETURN NULL;
  END IF;
  IF OLD.quarantined_at IS NOT NULL THEN
    PERFORM record_webhook_event('lead.created', NEW.id, NEW.provider_id, jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id));
    RETURN NULL;
  END IF;
  IF NEW.provider_id IS DISTINCT FROM OLD.provider_id AND NEW.provider_id IS NOT NULL THEN
    PERFORM record_webhook_event('lead.assigned', NEW.id, NEW.provider_id,
      jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id, 'previous_provider_id', OLD.provider_id));
  END IF;
  changed := array_remove(ARRAY[
    CASE WHEN NEW.first_name IS DISTINCT FROM OLD.first_name THEN 'first_name' END,
    CASE WHEN NEW.last_name IS DISTINCT FROM OLD.last_name THEN 'last_name' END,
    CASE WHEN NEW.email IS DISTINCT FROM OLD.email THEN 'email' END,
    CASE WHEN NEW.phone IS DISTINCT FROM OLD.phone THEN 'phone' END,
    CASE WHEN NEW.zip_code IS DISTINCT FROM OLD.zip_code THEN 'zip_code' END,
    CASE WHEN NEW.provider_id IS NULL AND OLD.provider_id IS NOT NULL THEN 'provider_id' END,
    CASE WHEN OLD.deleted_at IS NOT NULL THEN 'deleted' END], NULL);
  IF cardinality(changed) > 0 THEN
    PERFORM record_webhook_event('lead.updated', NEW.id, NEW.provider_id,
      jsonb_build_object('id', NEW.id, 'provider_id', NEW.provider_id, 'changed', to_jsonb(changed)));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER leads_tell_updated ON leads;
--> statement-breakpoint
CREATE TRIGGER leads_tell_updated AFTER UPDATE OF first_name, last_name, email, phone, zip_code, provider_id, quarantined_at, deleted_at, erased_at ON leads FOR EACH ROW EXECUTE FUNCTION tell_of_lead();
