-- In a file of its own: a validation reads the table, and must not hold the locks of the changes before it.

ALTER TABLE providers VALIDATE CONSTRAINT providers_clinician_name_check;--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_credential_check;--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_npi_check;--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_certified_since_check;--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_about_check;--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_hours_check;--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_time_zone_check;--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_languages_check;--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_pictures_check;--> statement-breakpoint
ALTER TABLE providers VALIDATE CONSTRAINT providers_booking_url_check;
