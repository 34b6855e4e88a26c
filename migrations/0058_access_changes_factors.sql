ALTER TABLE "access_changes" DROP CONSTRAINT "access_changes_kind_check";--> statement-breakpoint
ALTER TABLE "access_changes" ADD CONSTRAINT "access_changes_kind_check" CHECK ("access_changes"."kind" in ('token-revoked', 'account-removed', 'password-changed', 'role-changed', 'second-factor-removed', 'identity-removed', 'endpoint-removed', 'endpoint-changed', 'provider-changed')) NOT VALID;
