CREATE TABLE "access_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"target_id" bigint NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"noted_at" timestamp (3) with time zone,
	CONSTRAINT "access_changes_kind_check" CHECK ("access_changes"."kind" in ('token-revoked', 'account-removed', 'password-changed'))
);
--> statement-breakpoint
ALTER TABLE "staff_accounts" ADD COLUMN "password_void_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "access_changes_unnoted_idx" ON "access_changes" USING btree ("at") WHERE "access_changes"."noted_at" is null;