-- concurrent
-- Not `if not exists`: an invalid index that an interrupted build left behind would count as one.
-- squawk-ignore prefer-robust-stmts
CREATE INDEX CONCURRENTLY deliveries_contact_idx ON deliveries (remote_id) WHERE channel = 'crm' AND remote_id IS NOT NULL;
