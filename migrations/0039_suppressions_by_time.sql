-- concurrent
-- Not `if not exists`: an invalid index that an interrupted build left behind would count as one.
-- squawk-ignore prefer-robust-stmts
CREATE INDEX CONCURRENTLY "suppressions_at_idx" ON "suppressions" USING btree ("at" DESC NULLS LAST,"value_hmac" DESC NULLS LAST,"kind" DESC NULLS LAST);
