-- concurrent
-- Not `if not exists`: an invalid index that an interrupted build left behind would count as one.
-- squawk-ignore prefer-robust-stmts
CREATE INDEX CONCURRENTLY recipient_emails_domain_idx ON recipient_emails (domain_hmac, prefix_hmac, sent_at);
