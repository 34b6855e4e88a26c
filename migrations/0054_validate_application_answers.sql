-- In a file of its own: a validation reads the table, and must not hold the locks of the changes before it.

ALTER TABLE application_messages VALIDATE CONSTRAINT application_messages_kind_check;
--> statement-breakpoint
ALTER TABLE provider_applications VALIDATE CONSTRAINT provider_applications_provider_id_providers_id_fk;
