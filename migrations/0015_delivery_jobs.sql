ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_tries_check";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "round_began" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "claimed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_tries_check" CHECK ("deliveries"."tries" >= "deliveries"."round_began" and "deliveries"."round_began" >= 0);--> statement-breakpoint
-- Whoever queues a delivery, psql included, thereby makes the job that wakes a worker for it, as pg-boss itself would: in the same transaction.
CREATE FUNCTION enqueue_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pgboss.job (name, data, start_after, keep_until, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff,
      retry_delay_max, policy, dead_letter, heartbeat_seconds)
    SELECT q.name, jsonb_build_object('id', d.id), d.next_try_at, d.next_try_at + q.retention_seconds * interval '1 second', q.expire_seconds,
      q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds
    FROM new_rows d JOIN pgboss.queue q ON q.name = d.channel WHERE d.state = 'queued';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_queued AFTER INSERT ON deliveries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION enqueue_deliveries();
--> statement-breakpoint
-- One is queued again: its time has changed, or it was over.
CREATE FUNCTION enqueue_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pgboss.job (name, data, start_after, keep_until, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff,
      retry_delay_max, policy, dead_letter, heartbeat_seconds)
    SELECT q.name, jsonb_build_object('id', NEW.id), NEW.next_try_at, NEW.next_try_at + q.retention_seconds * interval '1 second', q.expire_seconds,
      q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds
    FROM pgboss.queue q WHERE q.name = NEW.channel;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_queued_again AFTER UPDATE ON deliveries FOR EACH ROW
  WHEN (NEW.state = 'queued' AND (OLD.state <> 'queued' OR OLD.next_try_at IS DISTINCT FROM NEW.next_try_at)) EXECUTE FUNCTION enqueue_delivery();
