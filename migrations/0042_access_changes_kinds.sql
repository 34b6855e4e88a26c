ALTER TABLE "access_changes" DROP CONSTRAINT "access_changes_kind_check";--> statement-breakpoint
ALTER TABLE "access_changes" ADD COLUMN "endpoint_id" uuid;--> statement-breakpoint
ALTER TABLE "access_changes" ADD COLUMN "role" text;--> statement-breakpoint
ALTER TABLE "access_changes" ADD CONSTRAINT "access_changes_kind_check" CHECK ("access_changes"."kind" in ('token-revoked', 'account-removed', 'password-changed', 'role-changed', 'endpoint-removed', 'endpoint-changed', 'provider-changed')) NOT VALID;
