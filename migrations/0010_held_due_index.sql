-- concurrent
-- Not `if not exists`: an invalid index that an interrupted build left behind would count as one.
-- squawk-ignore prefer-robust-stmts
CREATE INDEX CONCURRENTLY deliveries_held_due_idx ON deliveries (next_attempt_at) WHERE state = 'held' AND next_attempt_at IS NOT NULL;
