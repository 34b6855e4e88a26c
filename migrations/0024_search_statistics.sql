-- The planner estimates how many leads a search matches from the texts of a thousand samples. It ignores the statistics
-- of a partial index, so the expression has its own.

CREATE STATISTICS leads_search_folded ON (fold_search(search_text)) FROM leads;
--> statement-breakpoint
ALTER STATISTICS leads_search_folded SET STATISTICS 1000;
--> statement-breakpoint
ANALYZE leads;
