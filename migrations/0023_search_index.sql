-- concurrent
-- Not `if not exists`: an invalid index that an interrupted build left behind would count as one.
-- squawk-ignore prefer-robust-stmts
CREATE INDEX CONCURRENTLY leads_search_folded_idx ON leads USING gin (fold_search(search_text) gin_trgm_ops) WITH (fastupdate=true,gin_pending_list_limit=1024) WHERE deleted_at is null;
