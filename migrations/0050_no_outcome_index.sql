-- concurrent
-- Not `if not exists`: an invalid index that an interrupted build left behind would count as one.
-- squawk-ignore prefer-robust-stmts
CREATE INDEX CONCURRENTLY leads_no_outcome_idx ON leads (created_at DESC NULLS LAST,id DESC NULLS LAST) INCLUDE (provider_id, crm_sync_status, duplicate_of) WHERE outcome is null and provider_id is not null and quarantined_at is null and deleted_at is null;
