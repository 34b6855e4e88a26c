-- concurrent
-- Not `if not exists`: an invalid index that an interrupted build left behind would count as one.
-- squawk-ignore prefer-robust-stmts
CREATE INDEX CONCURRENTLY leads_follow_up_idx ON leads (follow_up_on,created_at DESC NULLS LAST,id DESC NULLS LAST) INCLUDE (provider_id, quarantined_at, crm_sync_status, duplicate_of, outcome) WHERE follow_up_on is not null and deleted_at is null;
