-- Keyed hashes of the domain and the first letters of addresses that got a lead email, for a limit of their own.

ALTER TABLE recipient_emails ADD COLUMN prefix_hmac text;
--> statement-breakpoint
ALTER TABLE recipient_emails ADD COLUMN domain_hmac text;
