-- concurrent
-- Not `if not exists`: an invalid index that an interrupted build left behind would count as one.
-- squawk-ignore prefer-robust-stmts
CREATE INDEX CONCURRENTLY leads_mailbox_idx ON leads (email_mailbox(email_norm)) WHERE email_mailbox(email_norm) <> email_norm;
