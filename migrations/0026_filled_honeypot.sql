ALTER TABLE "leads" ADD COLUMN "filled_honeypot" boolean;--> statement-breakpoint
ALTER TABLE "provider_applications" ADD COLUMN "filled_honeypot" boolean;