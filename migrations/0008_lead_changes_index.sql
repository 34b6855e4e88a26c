-- concurrent
CREATE INDEX CONCURRENTLY leads_updated_idx ON leads ((coalesce(updated_at, created_at)), id);
