-- concurrent
-- Not `if not exists`: an invalid index that an interrupted build left behind would count as one.
-- squawk-ignore prefer-robust-stmts
CREATE INDEX CONCURRENTLY deliveries_unreachable_idx ON deliveries (provider_id, created_at) WHERE state = 'held' AND hold_cause = 'unreachable';
