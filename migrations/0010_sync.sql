CREATE TABLE "geocoded_addresses" (
	"address" text PRIMARY KEY NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "geocoded_addresses_coordinates_check" CHECK (("geocoded_addresses"."latitude" is null) = ("geocoded_addresses"."longitude" is null))
);
--> statement-breakpoint
CREATE TABLE "sync_run_rows" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sync_run_rows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" bigint NOT NULL,
	"change" text NOT NULL,
	"wordpress_id" bigint,
	"name" text,
	"detail" text,
	CONSTRAINT "sync_run_rows_change_check" CHECK ("sync_run_rows"."change" in ('created', 'updated', 'deactivated', 'skipped'))
);
--> statement-breakpoint
CREATE TABLE "sync_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sync_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"kind" text NOT NULL,
	"started_by" text NOT NULL,
	"dry_run" boolean DEFAULT false NOT NULL,
	"forced" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"outcome" text DEFAULT 'running' NOT NULL,
	"message" text,
	"read" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"deactivated" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"modified_until" timestamp (3) with time zone,
	CONSTRAINT "sync_runs_source_check" CHECK ("sync_runs"."source" in ('wordpress', 'file', 'api')),
	CONSTRAINT "sync_runs_kind_check" CHECK ("sync_runs"."kind" in ('full', 'incremental', 'rows')),
	CONSTRAINT "sync_runs_outcome_check" CHECK ("sync_runs"."outcome" in ('running', 'done', 'refused', 'failed', 'interrupted')),
	CONSTRAINT "sync_runs_finished_check" CHECK (("sync_runs"."finished_at" is null) = ("sync_runs"."outcome" = 'running'))
);
--> statement-breakpoint
ALTER TABLE "sync_run_rows" ADD CONSTRAINT "sync_run_rows_run_id_sync_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."sync_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sync_run_rows_run_idx" ON "sync_run_rows" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "sync_runs_source_idx" ON "sync_runs" USING btree ("source","id" DESC NULLS LAST);