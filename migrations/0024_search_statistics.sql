-- The planner estimates a search from a thousand samples of the index's expression, which a new index doesn't have yet.

ALTER INDEX leads_search_folded_idx ALTER COLUMN 1 SET STATISTICS 1000;
--> statement-breakpoint
ANALYZE leads;
