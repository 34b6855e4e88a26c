-- What happens while an endpoint is off is kept for it too: an event without a message, which a replay sends once it is on again. Functions as they
-- were (0013, 0018) but for the endpoints they ask about.
CREATE OR REPLACE FUNCTION record_webhook_event(event_type text, of_lead bigint, of_provider bigint, event_data jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints WHERE types = '{}' OR event_type = ANY (types)) THEN
    RETURN;
  END IF;
  WITH event AS (
    INSERT INTO webhook_events (id, type, lead_id, provider_id, data) VALUES (gen_random_uuid(), event_type, of_lead, of_provider, event_data)
    ON CONFLICT DO NOTHING RETURNING id
  )
  INSERT INTO webhook_messages (event_id, endpoint_id, next_try_at)
  SELECT event.id, endpoint.id, now() FROM event, webhook_endpoints endpoint
  WHERE endpoint.disabled_at IS NULL AND (endpoint.types = '{}' OR event_type = ANY (endpoint.types));
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION tell_of_lead() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text[];
BEGIN
  -- Asked here already: nothing is called, and nothing made up, for nobody.
  IF NOT EXISTS (SELECT FROM webhook_endpoints) THEN
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
CREATE OR REPLACE FUNCTION tell_of_providers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  untold CONSTANT text[] := '{updated_at,location,location_source,mpxapi}';
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints WHERE types = '{}' OR types && '{provider.updated,provider.deactivated}') THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM record_webhook_event('provider.updated', NULL, id, jsonb_build_object('id', id, 'wordpress_id', wordpress_id)) FROM new_rows;
    RETURN NULL;
  END IF;
  PERFORM record_webhook_event(CASE WHEN o.status = 't' AND n.status = 'f' THEN 'provider.deactivated' ELSE 'provider.updated' END, NULL, n.id,
      jsonb_build_object('id', n.id, 'wordpress_id', n.wordpress_id))
    FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE to_jsonb(o) - untold IS DISTINCT FROM to_jsonb(n) - untold;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Of accounts that have one name already, the later ones' says which they are.
UPDATE staff_accounts later SET name = left(name, 80) || ' (' || id || ')' WHERE EXISTS (
  SELECT FROM staff_accounts first WHERE lower(first.name) = lower(later.name) AND first.id < later.id);
--> statement-breakpoint
CREATE UNIQUE INDEX "staff_accounts_name_key" ON "staff_accounts" USING btree (lower("name"));
