CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"template" text DEFAULT 'lead' NOT NULL,
	"queue" text GENERATED ALWAYS AS (coalesce(endpoint_id::text, channel)) STORED NOT NULL,
	"lead_id" bigint,
	"provider_id" bigint,
	"event_id" uuid,
	"endpoint_id" uuid,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempts_before_round" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"hold_cause" text,
	"next_attempt_at" timestamp (3) with time zone,
	"reason" text,
	"bounces" integer DEFAULT 0 NOT NULL,
	"ignores_unreachable" boolean DEFAULT false NOT NULL,
	"remote_id" text,
	"requested_by" text,
	"corrects_lead_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "deliveries_channel_check" CHECK ("deliveries"."channel" in ('lead-email', 'provider-email', 'crm', 'webhook')),
	CONSTRAINT "deliveries_template_check" CHECK ("deliveries"."template" in ('lead', 'withdrawn', 'erased', 'event')),
	CONSTRAINT "deliveries_state_check" CHECK ("deliveries"."state" in ('queued', 'delivered', 'failed', 'held', 'cancelled')),
	CONSTRAINT "deliveries_webhook_check" CHECK (case when "deliveries"."channel" = 'webhook'
        then "deliveries"."template" = 'event' and "deliveries"."event_id" is not null and "deliveries"."endpoint_id" is not null
          and "deliveries"."lead_id" is null and "deliveries"."provider_id" is null
        else "deliveries"."template" <> 'event' and "deliveries"."event_id" is null and "deliveries"."endpoint_id" is null and "deliveries"."lead_id" is not null end),
	CONSTRAINT "deliveries_attempts_check" CHECK ("deliveries"."attempts" >= "deliveries"."attempts_before_round" and "deliveries"."attempts_before_round" >= 0),
	CONSTRAINT "deliveries_next_attempt_check" CHECK (case "deliveries"."state" when 'queued' then "deliveries"."next_attempt_at" is not null
        when 'held' then ("deliveries"."next_attempt_at" is null or "deliveries"."hold_cause" is not null) else "deliveries"."next_attempt_at" is null end),
	CONSTRAINT "deliveries_hold_check" CHECK ("deliveries"."hold_cause" in ('later', 'ours', 'unreachable', 'mailbox')),
	CONSTRAINT "deliveries_finished_check" CHECK (("deliveries"."finished_at" is null) = ("deliveries"."state" in ('queued', 'held'))),
	CONSTRAINT "deliveries_reason_check" CHECK (case "deliveries"."state" when 'queued' then true when 'delivered' then "deliveries"."reason" is null else "deliveries"."reason" is not null end),
	CONSTRAINT "deliveries_lease_check" CHECK ("deliveries"."leased_until" is null or "deliveries"."state" in ('queued', 'cancelled')),
	CONSTRAINT "deliveries_corrects_check" CHECK ("deliveries"."corrects_lead_id" is null or "deliveries"."channel" = 'provider-email')
);
--> statement-breakpoint
CREATE TABLE "channel_refusals" (
	"channel" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_probe_at" timestamp (3) with time zone,
	"probes" integer DEFAULT 0 NOT NULL,
	"is_run" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "delivery_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" uuid NOT NULL,
	"lead_id" bigint,
	"channel" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"duration_ms" integer NOT NULL,
	"outcome" text NOT NULL,
	"status" text,
	"reason" text,
	"answer" text,
	"refusal" text,
	"address" text,
	CONSTRAINT "delivery_attempts_at_id_pk" PRIMARY KEY("at","id"),
	CONSTRAINT "delivery_attempts_channel_check" CHECK ("delivery_attempts"."channel" in ('lead-email', 'provider-email', 'crm', 'webhook')),
	CONSTRAINT "delivery_attempts_lead_check" CHECK (("delivery_attempts"."lead_id" is null) = ("delivery_attempts"."channel" = 'webhook')),
	CONSTRAINT "delivery_attempts_outcome_check" CHECK ("delivery_attempts"."outcome" in ('delivered', 'failed')),
	CONSTRAINT "delivery_attempts_refusal_check" CHECK ("delivery_attempts"."refusal" in ('recipient', 'later', 'ours')),
	CONSTRAINT "delivery_attempts_duration_check" CHECK ("delivery_attempts"."duration_ms" >= 0)
);
--> statement-breakpoint
CREATE TABLE "address_notices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"provider_id" bigint NOT NULL,
	"address" text,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recipient_emails" (
	"delivery_id" uuid PRIMARY KEY NOT NULL,
	"recipient_hmac" text NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"prefix_hmac" text,
	"domain_hmac" text
);
--> statement-breakpoint
CREATE TABLE "unreachable_addresses" (
	"recipient_hmac" text PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unreachable_addresses_cause_check" CHECK ("unreachable_addresses"."cause" in ('bounce', 'complaint'))
);
--> statement-breakpoint
CREATE TABLE "unreachable_providers" (
	"address" text PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"code" text,
	"reason" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"next_trial_at" timestamp (3) with time zone,
	"accepted_at" timestamp (3) with time zone,
	"last_sent_at" timestamp (3) with time zone,
	CONSTRAINT "unreachable_providers_cause_check" CHECK ("unreachable_providers"."cause" in ('bounce', 'complaint'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"types" text[] NOT NULL,
	"payload" text DEFAULT 'thin' NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"first_failed_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_endpoints_url_check" CHECK ("webhook_endpoints"."url" ~ '^https?://'),
	CONSTRAINT "webhook_endpoints_payload_check" CHECK ("webhook_endpoints"."payload" in ('thin', 'full')),
	CONSTRAINT "webhook_endpoints_previous_check" CHECK (("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_until" is null)),
	CONSTRAINT "webhook_endpoints_disabled_check" CHECK (("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_reason" is null)),
	CONSTRAINT "webhook_endpoints_disabled_reason_check" CHECK ("webhook_endpoints"."disabled_reason" in ('staff', 'failing', 'gone')),
	CONSTRAINT "webhook_endpoints_failures_check" CHECK ("webhook_endpoints"."failures" >= 0 and ("webhook_endpoints"."failures" = 0) = ("webhook_endpoints"."first_failed_at" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lead_id" bigint,
	"provider_id" bigint,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lead_outcomes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lead_outcomes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_id" bigint NOT NULL,
	"provider_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lead_outcomes_outcome_check" CHECK ("lead_outcomes"."outcome" in ('reached', 'booked', 'not-reachable', 'wrong-area', 'duplicate'))
);
--> statement-breakpoint
CREATE TABLE "outcome_choices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outcome_choices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_id" bigint NOT NULL,
	"provider_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"ip" text NOT NULL,
	"takes_effect_at" timestamp (3) with time zone,
	CONSTRAINT "outcome_choices_takes_effect_at_check" CHECK ("outcome_choices"."takes_effect_at" is null or "outcome_choices"."outcome" = 'wrong-area')
);
--> statement-breakpoint
CREATE TABLE "assignment_undos" (
	"lead_id" bigint PRIMARY KEY NOT NULL,
	"account_id" bigint,
	"assigned_at" timestamp (3) with time zone NOT NULL,
	"undo_until" timestamp (3) with time zone NOT NULL,
	"provider_id" bigint,
	"match_reason" text NOT NULL,
	"before" jsonb NOT NULL,
	"created" uuid[] NOT NULL,
	"events" uuid[] NOT NULL,
	"moved" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "form_steps" (
	"day" date NOT NULL,
	"form" text NOT NULL,
	"step" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "form_steps_pkey" PRIMARY KEY("day","form","step"),
	CONSTRAINT "form_steps_form_check" CHECK ("form_steps"."form" in ('landing', 'microsite', 'quiz', 'find')),
	CONSTRAINT "form_steps_step_check" CHECK ("form_steps"."step" in ('started', 'zip', 'sent')),
	CONSTRAINT "form_steps_count_check" CHECK ("form_steps"."count" > 0)
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"key" text PRIMARY KEY NOT NULL,
	"request_sha256" text NOT NULL,
	"status" integer NOT NULL,
	"body" jsonb NOT NULL,
	"lead_id" bigint,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_key_check" CHECK (length("idempotency_keys"."key") between 1 and 320)
);
--> statement-breakpoint
CREATE TABLE "lead_attribution" (
	"lead_id" bigint NOT NULL,
	"touch" text NOT NULL,
	"utm_source" text,
	"utm_medium" text,
	"utm_campaign" text,
	"utm_term" text,
	"utm_content" text,
	"gclid" text,
	"gbraid" text,
	"wbraid" text,
	"msclkid" text,
	"landing_path" text,
	"referrer_host" text,
	"touched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lead_attribution_lead_id_touch_pk" PRIMARY KEY("lead_id","touch"),
	CONSTRAINT "lead_attribution_touch_check" CHECK ("lead_attribution"."touch" in ('first', 'last'))
);
--> statement-breakpoint
CREATE TABLE "lead_corrections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lead_corrections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"field" text NOT NULL,
	"before" text NOT NULL,
	CONSTRAINT "lead_corrections_field_check" CHECK ("lead_corrections"."field" in ('zip_code', 'phone', 'email'))
);
--> statement-breakpoint
CREATE TABLE "normal_form_upgrades" (
	"table_name" text PRIMARY KEY NOT NULL,
	"last_id" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "normal_form_upgrades_table_name_check" CHECK ("normal_form_upgrades"."table_name" in ('leads', 'consent_records', 'leads-2', 'consent_records-2'))
);
--> statement-breakpoint
CREATE TABLE "over_limit_leads" (
	"lead_id" bigint PRIMARY KEY NOT NULL,
	"release_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rematch_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rematch_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leads" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "leads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"zip_code" text NOT NULL,
	"provider_id" bigint,
	"site_provider_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone,
	"crm_sync_status" text DEFAULT 'pending',
	"acceptance_message" text,
	"acceptance_consent" boolean DEFAULT false NOT NULL,
	"acceptance_ip" "inet",
	"email_norm" text NOT NULL,
	"phone_e164" text NOT NULL,
	"first_email_norm" text,
	"first_phone_e164" text,
	"zip5" text,
	"match_method" text NOT NULL,
	"match_reason" text NOT NULL,
	"match_distance_miles" double precision,
	"duplicate_of" bigint,
	"quarantined_at" timestamp (3) with time zone,
	"quarantine_reason" text,
	"filled_honeypot" boolean,
	"answers" jsonb,
	"outcome" text,
	"delivery_failed" boolean DEFAULT false NOT NULL,
	"clinic_not_reached" boolean DEFAULT false NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"erased_at" timestamp (3) with time zone,
	"search_text" text GENERATED ALWAYS AS (' ' || lower(first_name) || ' ' || lower(last_name) || ' ' || lower(email) || ' ' || ltrim(phone_e164, '+') || ' ' || lower(zip_code) || ' ' || id::text || ' ') STORED NOT NULL,
	CONSTRAINT "leads_crm_sync_status_check" CHECK ("leads"."crm_sync_status" in ('pending', 'success', 'failed')),
	CONSTRAINT "leads_match_method_check" CHECK ("leads"."match_method" in ('tenant', 'requested', 'nearest', 'manual', 'none')),
	CONSTRAINT "leads_match_provider_check" CHECK (("leads"."match_method" = 'none') = ("leads"."provider_id" is null)),
	CONSTRAINT "leads_quarantine_check" CHECK (("leads"."quarantined_at" is null) = ("leads"."quarantine_reason" is null)),
	CONSTRAINT "leads_erased_check" CHECK ("leads"."erased_at" is null or "leads"."deleted_at" is not null),
	CONSTRAINT "leads_zip5_check" CHECK ("leads"."zip5" ~ '^[0-9]{5}$'),
	CONSTRAINT "leads_phone_e164_check" CHECK ("leads"."phone_e164" ~ '^\+[0-9]{10,15}$')
);
--> statement-breakpoint
CREATE TABLE "application_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"application_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempted_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"batch" uuid,
	CONSTRAINT "application_messages_kind_check" CHECK ("application_messages"."kind" in ('receipt', 'notice')),
	CONSTRAINT "application_messages_state_check" CHECK ("application_messages"."state" in ('waiting', 'sent', 'withheld', 'refused')),
	CONSTRAINT "application_messages_ended_check" CHECK (("application_messages"."state" = 'waiting') = ("application_messages"."ended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "provider_applications" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "provider_applications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"practice_name" text NOT NULL,
	"contact_name" text NOT NULL,
	"role" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"phone_e164" text NOT NULL,
	"zip_code" text NOT NULL,
	"website" text,
	"message" text,
	"consent_text" text NOT NULL,
	"consent_version" integer,
	"status" text DEFAULT 'new' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ip" "inet",
	"host" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"quarantined_at" timestamp (3) with time zone,
	"quarantine_reason" text,
	"filled_honeypot" boolean,
	CONSTRAINT "provider_applications_status_check" CHECK ("provider_applications"."status" in ('new', 'contacted', 'accepted', 'declined')),
	CONSTRAINT "provider_applications_quarantine_check" CHECK (("provider_applications"."quarantined_at" is null) = ("provider_applications"."quarantine_reason" is null)),
	CONSTRAINT "provider_applications_zip_code_check" CHECK ("provider_applications"."zip_code" ~ '^[0-9]{5}$'),
	CONSTRAINT "provider_applications_phone_e164_check" CHECK ("provider_applications"."phone_e164" ~ '^\+[0-9]{10,15}$')
);
--> statement-breakpoint
CREATE TABLE "consent_checkpoints" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"seal_hash" text NOT NULL,
	"previous_seq" bigint,
	"records" integer NOT NULL,
	"accepted_until" timestamp (3) with time zone NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"key_id" text NOT NULL,
	"hmac" text NOT NULL,
	CONSTRAINT "consent_checkpoints_seal_hash_check" CHECK ("consent_checkpoints"."seal_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "consent_checkpoints_hmac_check" CHECK ("consent_checkpoints"."hmac" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "consent_checkpoints_previous_check" CHECK ("consent_checkpoints"."previous_seq" < "consent_checkpoints"."seq")
);
--> statement-breakpoint
CREATE TABLE "consent_form_snapshots" (
	"sha256" text PRIMARY KEY NOT NULL,
	"html" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consent_records" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "consent_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"lead_id" bigint NOT NULL,
	"form_key" text NOT NULL,
	"text_id" text,
	"text_version" integer,
	"text_shown" text NOT NULL,
	"text_sha256" text NOT NULL,
	"text_known" boolean NOT NULL,
	"checked" boolean NOT NULL,
	"channels" text[] NOT NULL,
	"seller_provider_id" bigint,
	"seller_name" text,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	"ip" "inet" NOT NULL,
	"user_agent" text,
	"page_url" text,
	"host" text NOT NULL,
	"referrer_host" text,
	"form_sha256" text,
	"ms_from_render" integer,
	"gpc" boolean NOT NULL,
	"retain_until" timestamp (3) with time zone NOT NULL,
	"hash_version" integer DEFAULT 1 NOT NULL,
	"lead_public_id" uuid,
	"origin" text,
	"fetch_site" text,
	"form_version" integer,
	"purpose" text,
	"client_clock" timestamp (3) with time zone,
	"prechecked" boolean,
	"answers" text,
	"row_hash" text NOT NULL,
	CONSTRAINT "consent_records_checked_check" CHECK ("consent_records"."checked"),
	CONSTRAINT "consent_records_row_hash_check" CHECK ("consent_records"."row_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "consent_seal_queue" (
	"record_id" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consent_seals" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"record_id" bigint NOT NULL,
	"sealed" text DEFAULT 'record' NOT NULL,
	"prev_hash" text NOT NULL,
	"seal_hash" text NOT NULL,
	"sealed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"key_id" text,
	"seal_hmac" text,
	CONSTRAINT "consent_seals_record_id_sealed_unique" UNIQUE("record_id","sealed"),
	CONSTRAINT "consent_seals_sealed_check" CHECK ("consent_seals"."sealed" in ('record', 'erasure')),
	CONSTRAINT "consent_seals_seal_hash_check" CHECK ("consent_seals"."seal_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "consent_seals_hmac_check" CHECK (("consent_seals"."key_id" is null) = ("consent_seals"."seal_hmac" is null))
);
--> statement-breakpoint
CREATE TABLE "consent_erasures" (
	"record_id" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"salt" text NOT NULL,
	"hashes" jsonb NOT NULL,
	"was_intact" boolean NOT NULL,
	"erasure_hash" text NOT NULL,
	CONSTRAINT "consent_erasures_salt_check" CHECK ("consent_erasures"."salt" ~ '^[0-9a-f]{32}$'),
	CONSTRAINT "consent_erasures_erasure_hash_check" CHECK ("consent_erasures"."erasure_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "consent_withdrawals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "consent_withdrawals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"lead_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"how" text NOT NULL,
	"by" text NOT NULL,
	"ip" "inet",
	CONSTRAINT "consent_withdrawals_how_check" CHECK ("consent_withdrawals"."how" in ('page', 'one-click', 'reply', 'complaint', 'staff', 'erasure'))
);
--> statement-breakpoint
CREATE TABLE "erasure_ledger" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "erasure_ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"entry_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"email_hmac" text,
	"phone_hmac" text,
	"lead_public_ids" uuid[] NOT NULL,
	"reason" text,
	"how" text,
	"sequence" bigint,
	"key_id" text,
	"mac" text,
	"shipped_at" timestamp (3) with time zone,
	CONSTRAINT "erasure_ledger_entry_id_unique" UNIQUE("entry_id"),
	CONSTRAINT "erasure_ledger_sequence_unique" UNIQUE("sequence"),
	CONSTRAINT "erasure_ledger_kind_check" CHECK ("erasure_ledger"."kind" in ('erased', 'suppressed', 'suppression-lifted')),
	CONSTRAINT "erasure_ledger_email_hmac_check" CHECK ("erasure_ledger"."email_hmac" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "erasure_ledger_phone_hmac_check" CHECK ("erasure_ledger"."phone_hmac" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "erasure_ledger_mac_check" CHECK ("erasure_ledger"."mac" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "erasure_ledger_sequence_check" CHECK (num_nonnulls("erasure_ledger"."sequence", "erasure_ledger"."key_id", "erasure_ledger"."mac") in (0, 3) and ("erasure_ledger"."shipped_at" is null or "erasure_ledger"."sequence" is not null))
);
--> statement-breakpoint
CREATE TABLE "suppressions" (
	"kind" text NOT NULL,
	"value_hmac" text NOT NULL,
	"mailbox_hmac" text,
	"reason" text NOT NULL,
	"lead_id" bigint,
	"by" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "suppressions_value_hmac_kind_pk" PRIMARY KEY("value_hmac","kind"),
	CONSTRAINT "suppressions_mailbox_check" CHECK ("suppressions"."mailbox_hmac" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "suppressions_kind_check" CHECK ("suppressions"."kind" in ('email', 'phone')),
	CONSTRAINT "suppressions_value_hmac_check" CHECK ("suppressions"."value_hmac" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "suppressions_reason_check" CHECK ("suppressions"."reason" in ('unsubscribed', 'withdrawn', 'do-not-contact', 'bounced', 'erased'))
);
--> statement-breakpoint
CREATE TABLE "geocoded_addresses" (
	"address" text PRIMARY KEY NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "geocoded_addresses_coordinates_check" CHECK (("geocoded_addresses"."latitude" is null) = ("geocoded_addresses"."longitude" is null))
);
--> statement-breakpoint
CREATE TABLE "zip_centroids" (
	"zip" text PRIMARY KEY NOT NULL,
	"latitude" double precision NOT NULL,
	"longitude" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "zip_edition" (
	"sha256" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "providers" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "providers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"wordpress_id" bigint,
	"name" text NOT NULL,
	"practice_name" text,
	"address" text,
	"zip_code" text NOT NULL,
	"status" text DEFAULT 't' NOT NULL,
	"latitude" numeric(9, 6),
	"longitude" numeric(9, 6),
	"phone" text,
	"email" text NOT NULL,
	"website" text,
	"url" text,
	"mpxapi" text,
	"domain" text,
	"google_ads_id" text,
	"bing_ads_id" text,
	"image_url" text,
	"logo_url" text,
	"accepts_free_consultation" boolean DEFAULT false NOT NULL,
	"accepts_financing" boolean DEFAULT false NOT NULL,
	"clinician_name" text,
	"credential" text,
	"npi" text,
	"certified_since" text,
	"about" text,
	"hours" text,
	"time_zone" text,
	"hours_edited_at" timestamp (3) with time zone,
	"languages" text[],
	"pictures" text[],
	"booking_url" text,
	"theme_hue" integer,
	"paused" boolean DEFAULT false NOT NULL,
	"match_radius_miles" integer,
	"waits_for_id" bigint,
	"location" "cube",
	"location_source" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "providers_status_check" CHECK ("providers"."status" in ('t', 'f')),
	CONSTRAINT "providers_name_check" CHECK (length(btrim("providers"."name")) between 1 and 200),
	CONSTRAINT "providers_latitude_check" CHECK ("providers"."latitude" between -90 and 90),
	CONSTRAINT "providers_longitude_check" CHECK ("providers"."longitude" between -180 and 180),
	CONSTRAINT "providers_coordinates_check" CHECK (("providers"."latitude" is null) = ("providers"."longitude" is null)),
	CONSTRAINT "providers_domain_check" CHECK (length("providers"."domain") <= 253 and "providers"."domain" ~ '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' and "providers"."domain" not like 'www.%'),
	CONSTRAINT "providers_theme_hue_check" CHECK ("providers"."theme_hue" between 0 and 359),
	CONSTRAINT "providers_match_radius_check" CHECK ("providers"."match_radius_miles" between 1 and 12500),
	CONSTRAINT "providers_google_ads_id_check" CHECK ("providers"."google_ads_id" ~ '^AW-[0-9]{1,20}(/[A-Za-z0-9_-]{1,64})?$'),
	CONSTRAINT "providers_clinician_name_check" CHECK (length("providers"."clinician_name") between 1 and 200),
	CONSTRAINT "providers_credential_check" CHECK (length("providers"."credential") between 1 and 100),
	CONSTRAINT "providers_npi_check" CHECK ("providers"."npi" ~ '^[12][0-9]{9}$'),
	CONSTRAINT "providers_certified_since_check" CHECK ("providers"."certified_since" ~ '^[0-9]{4}(-[0-9]{2}-[0-9]{2})?$'),
	CONSTRAINT "providers_about_check" CHECK (length("providers"."about") between 1 and 2000),
	CONSTRAINT "providers_hours_check" CHECK ("providers"."hours" ~ '^Mon ' and length("providers"."hours") <= 500),
	CONSTRAINT "providers_time_zone_check" CHECK (length("providers"."time_zone") between 1 and 64),
	CONSTRAINT "providers_languages_check" CHECK (cardinality("providers"."languages") between 1 and 20),
	CONSTRAINT "providers_pictures_check" CHECK (cardinality("providers"."pictures") between 1 and 6),
	CONSTRAINT "providers_booking_url_check" CHECK ("providers"."booking_url" like 'https://%'),
	CONSTRAINT "providers_bing_ads_id_check" CHECK ("providers"."bing_ads_id" ~ '^[0-9]{4,20}$')
);
--> statement-breakpoint
CREATE TABLE "sync_run_rows" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sync_run_rows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" bigint NOT NULL,
	"change" text NOT NULL,
	"wordpress_id" bigint,
	"name" text,
	"detail" text,
	CONSTRAINT "sync_run_rows_change_check" CHECK ("sync_run_rows"."change" in ('created', 'updated', 'deactivated', 'skipped', 'warned'))
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
	"warned" integer DEFAULT 0 NOT NULL,
	"status_field_used" boolean DEFAULT false NOT NULL,
	"modified_until" timestamp (3) with time zone,
	CONSTRAINT "sync_runs_source_check" CHECK ("sync_runs"."source" in ('wordpress', 'file', 'api')),
	CONSTRAINT "sync_runs_kind_check" CHECK ("sync_runs"."kind" in ('full', 'incremental', 'rows')),
	CONSTRAINT "sync_runs_outcome_check" CHECK ("sync_runs"."outcome" in ('running', 'done', 'refused', 'failed', 'interrupted')),
	CONSTRAINT "sync_runs_finished_check" CHECK (("sync_runs"."finished_at" is null) = ("sync_runs"."outcome" = 'running'))
);
--> statement-breakpoint
CREATE TABLE "access_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"target_id" bigint NOT NULL,
	"endpoint_id" uuid,
	"role" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"noted_at" timestamp (3) with time zone,
	CONSTRAINT "access_changes_kind_check" CHECK ("access_changes"."kind" in ('token-revoked', 'account-removed', 'password-changed', 'role-changed', 'endpoint-removed', 'endpoint-changed', 'provider-changed'))
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "api_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"token_sha256" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_tokens_token_sha256_unique" UNIQUE("token_sha256"),
	CONSTRAINT "api_tokens_name_check" CHECK (length(btrim("api_tokens"."name")) between 1 and 100),
	CONSTRAINT "api_tokens_token_sha256_check" CHECK ("api_tokens"."token_sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "api_tokens_scopes_check" CHECK (cardinality("api_tokens"."scopes") > 0)
);
--> statement-breakpoint
CREATE TABLE "data_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "data_keys_purpose_check" CHECK ("data_keys"."purpose" in ('identity', 'consent-seal', 'erasure-ledger'))
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "staff_accounts" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "staff_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"password_void_at" timestamp (3) with time zone,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone,
	CONSTRAINT "staff_accounts_role_check" CHECK ("staff_accounts"."role" in ('viewer', 'manager', 'owner')),
	CONSTRAINT "staff_accounts_name_check" CHECK (length(btrim("staff_accounts"."name")) between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "staff_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_sha256" text NOT NULL,
	"account_id" bigint,
	"password_sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "staff_sessions_token_sha256_unique" UNIQUE("token_sha256"),
	CONSTRAINT "staff_sessions_token_sha256_check" CHECK ("staff_sessions"."token_sha256" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"kind" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"message" text NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"mailed_at" timestamp (3) with time zone,
	CONSTRAINT "alerts_kind_subject_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_name" text NOT NULL,
	"account_id" bigint,
	"token_id" bigint,
	"ip" "inet",
	"action" text NOT NULL,
	"subject_kind" text,
	"subject_id" text,
	"detail" jsonb,
	CONSTRAINT "audit_log_actor_kind_check" CHECK ("audit_log"."actor_kind" in ('staff', 'token', 'command', 'visitor')),
	CONSTRAINT "audit_log_subject_check" CHECK (("audit_log"."subject_kind" is null) = ("audit_log"."subject_id" is null))
);
--> statement-breakpoint
CREATE TABLE "claim_acceptances" (
	"claim_id" text NOT NULL,
	"text_sha256" text NOT NULL,
	"claim_text" text NOT NULL,
	"accepted_by" text NOT NULL,
	"account_id" bigint,
	"reason" text NOT NULL,
	"accepted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "claim_acceptances_claim_id_text_sha256_pk" PRIMARY KEY("claim_id","text_sha256")
);
--> statement-breakpoint
CREATE TABLE "hidden_claims" (
	"claim_id" text PRIMARY KEY NOT NULL,
	"hidden_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"hidden_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "problem_reports" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "problem_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"claim_id" text,
	"what" text NOT NULL,
	"contact" text,
	"host" text NOT NULL,
	"ip" "inet",
	"quarantine_reason" text,
	"done_at" timestamp (3) with time zone,
	"done_by" text,
	CONSTRAINT "problem_reports_done_check" CHECK (("problem_reports"."done_at" is null) = ("problem_reports"."done_by" is null))
);
--> statement-breakpoint
CREATE TABLE "staff_tasks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "staff_tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"lead_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	"done_by" text,
	CONSTRAINT "staff_tasks_kind_check" CHECK ("staff_tasks"."kind" in ('phone-withdrawn', 'reply-received', 'not-reached', 'message-refused', 'number-suppressed', 'crm-held', 'mailbox-withdrawn')),
	CONSTRAINT "staff_tasks_done_check" CHECK (("staff_tasks"."done_at" is null) = ("staff_tasks"."done_by" is null))
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_notices" ADD CONSTRAINT "address_notices_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_outcomes" ADD CONSTRAINT "lead_outcomes_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_outcomes" ADD CONSTRAINT "lead_outcomes_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_choices" ADD CONSTRAINT "outcome_choices_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcome_choices" ADD CONSTRAINT "outcome_choices_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignment_undos" ADD CONSTRAINT "assignment_undos_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_attribution" ADD CONSTRAINT "lead_attribution_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_corrections" ADD CONSTRAINT "lead_corrections_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "over_limit_leads" ADD CONSTRAINT "over_limit_leads_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_site_provider_id_providers_id_fk" FOREIGN KEY ("site_provider_id") REFERENCES "public"."providers"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_duplicate_of_leads_id_fk" FOREIGN KEY ("duplicate_of") REFERENCES "public"."leads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_messages" ADD CONSTRAINT "application_messages_application_id_provider_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."provider_applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_records" ADD CONSTRAINT "consent_records_form_sha256_consent_form_snapshots_sha256_fk" FOREIGN KEY ("form_sha256") REFERENCES "public"."consent_form_snapshots"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_waits_for_id_providers_id_fk" FOREIGN KEY ("waits_for_id") REFERENCES "public"."providers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_run_rows" ADD CONSTRAINT "sync_run_rows_run_id_sync_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."sync_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_account_id_staff_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."staff_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_tasks" ADD CONSTRAINT "staff_tasks_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_queue_idx" ON "deliveries" USING btree ("queue","next_attempt_at") WHERE "deliveries"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "deliveries_lead_idx" ON "deliveries" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "deliveries_contact_idx" ON "deliveries" USING btree ("remote_id") WHERE "deliveries"."channel" = 'crm' and "deliveries"."remote_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_event_key" ON "deliveries" USING btree ("event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "deliveries_endpoint_idx" ON "deliveries" USING btree ("endpoint_id","created_at" DESC NULLS LAST,"id") WHERE "deliveries"."endpoint_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_held_idx" ON "deliveries" USING btree ("channel","created_at") WHERE "deliveries"."state" = 'held';--> statement-breakpoint
CREATE INDEX "deliveries_held_due_idx" ON "deliveries" USING btree ("next_attempt_at") WHERE "deliveries"."state" = 'held' and "deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_unreachable_idx" ON "deliveries" USING btree ("provider_id","created_at") WHERE "deliveries"."state" = 'held' and "deliveries"."hold_cause" = 'unreachable';--> statement-breakpoint
CREATE INDEX "deliveries_open_idx" ON "deliveries" USING btree ("state","created_at" DESC NULLS LAST) WHERE "deliveries"."state" <> 'delivered';--> statement-breakpoint
CREATE INDEX "deliveries_failed_idx" ON "deliveries" USING btree ("lead_id","channel","created_at") WHERE "deliveries"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "deliveries_created_idx" ON "deliveries" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "delivery_attempts_lead_idx" ON "delivery_attempts" USING btree ("lead_id","outcome","at");--> statement-breakpoint
CREATE INDEX "delivery_attempts_delivery_idx" ON "delivery_attempts" USING btree ("delivery_id");--> statement-breakpoint
CREATE INDEX "delivery_attempts_at_idx" ON "delivery_attempts" USING btree ("at","channel","outcome");--> statement-breakpoint
CREATE INDEX "address_notices_changed_idx" ON "address_notices" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "address_notices_due_idx" ON "address_notices" USING btree ("next_attempt_at") WHERE "address_notices"."address" is not null;--> statement-breakpoint
CREATE INDEX "recipient_emails_recipient_idx" ON "recipient_emails" USING btree ("recipient_hmac","sent_at");--> statement-breakpoint
CREATE INDEX "recipient_emails_domain_idx" ON "recipient_emails" USING btree ("domain_hmac","prefix_hmac","sent_at");--> statement-breakpoint
CREATE INDEX "recipient_emails_sent_idx" ON "recipient_emails" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "webhook_events_at_idx" ON "webhook_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "lead_outcomes_lead_idx" ON "lead_outcomes" USING btree ("lead_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "lead_outcomes_at_idx" ON "lead_outcomes" USING btree ("at");--> statement-breakpoint
CREATE INDEX "lead_outcomes_contact_idx" ON "lead_outcomes" USING btree ("lead_id","at") WHERE "lead_outcomes"."outcome" in ('reached', 'booked');--> statement-breakpoint
CREATE INDEX "outcome_choices_lead_idx" ON "outcome_choices" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "outcome_choices_due_idx" ON "outcome_choices" USING btree ("takes_effect_at") WHERE "outcome_choices"."takes_effect_at" is not null;--> statement-breakpoint
CREATE INDEX "outcome_choices_at_idx" ON "outcome_choices" USING btree ("at");--> statement-breakpoint
CREATE INDEX "assignment_undos_until_idx" ON "assignment_undos" USING btree ("undo_until");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expires_idx" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_lead_idx" ON "idempotency_keys" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "lead_attribution_campaign_idx" ON "lead_attribution" USING btree ("utm_source","utm_campaign") WHERE "lead_attribution"."utm_source" is not null;--> statement-breakpoint
CREATE INDEX "lead_corrections_lead_idx" ON "lead_corrections" USING btree ("lead_id","id");--> statement-breakpoint
CREATE INDEX "over_limit_leads_release_idx" ON "over_limit_leads" USING btree ("release_at");--> statement-breakpoint
CREATE INDEX "leads_created_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_provider_idx" ON "leads" USING btree ("provider_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_status_idx" ON "leads" USING btree ("crm_sync_status","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_outcome_idx" ON "leads" USING btree ("outcome","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."outcome" is not null and "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_repeat_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."duplicate_of" is not null and "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_last_name_idx" ON "leads" USING btree (lower("last_name") collate "C","id") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_zip_code_idx" ON "leads" USING btree ("zip_code" collate "C","id") WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_search_idx" ON "leads" USING gin ("search_text" gin_trgm_ops) WITH (fastupdate=true,gin_pending_list_limit=1024) WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_search_folded_idx" ON "leads" USING gin (fold_search("search_text") gin_trgm_ops) WITH (fastupdate=true,gin_pending_list_limit=1024) WHERE "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_delivery_failed_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."delivery_failed" and "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_clinic_not_reached_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."clinic_not_reached" and "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_deleted_idx" ON "leads" USING btree ("deleted_at") WHERE "leads"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "leads_unmatched_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST) WHERE "leads"."provider_id" is null and "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_quarantined_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST) WHERE "leads"."quarantined_at" is not null and "leads"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "leads_updated_idx" ON "leads" USING btree (coalesce("updated_at", "created_at"),"id");--> statement-breakpoint
CREATE INDEX "leads_email_norm_idx" ON "leads" USING btree ("email_norm");--> statement-breakpoint
CREATE INDEX "leads_mailbox_idx" ON "leads" USING btree (email_mailbox("email_norm")) WHERE email_mailbox("leads"."email_norm") <> "leads"."email_norm";--> statement-breakpoint
CREATE INDEX "leads_phone_e164_idx" ON "leads" USING btree ("phone_e164");--> statement-breakpoint
CREATE INDEX "leads_duplicate_of_idx" ON "leads" USING btree ("duplicate_of") WHERE "leads"."duplicate_of" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "application_messages_application_idx" ON "application_messages" USING btree ("application_id","kind");--> statement-breakpoint
CREATE INDEX "application_messages_due_idx" ON "application_messages" USING btree ("kind","next_attempt_at") WHERE "application_messages"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "application_messages_attempted_idx" ON "application_messages" USING btree ("kind","attempted_at");--> statement-breakpoint
CREATE INDEX "provider_applications_created_idx" ON "provider_applications" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "consent_records_lead_idx" ON "consent_records" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "consent_records_lead_public_id_idx" ON "consent_records" USING btree ("lead_public_id");--> statement-breakpoint
CREATE INDEX "consent_records_form_idx" ON "consent_records" USING btree ("form_sha256");--> statement-breakpoint
CREATE INDEX "consent_withdrawals_lead_idx" ON "consent_withdrawals" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "erasure_ledger_unshipped_idx" ON "erasure_ledger" USING btree ("id") WHERE "erasure_ledger"."shipped_at" is null;--> statement-breakpoint
CREATE INDEX "suppressions_mailbox_idx" ON "suppressions" USING btree ("mailbox_hmac");--> statement-breakpoint
CREATE INDEX "suppressions_at_idx" ON "suppressions" USING btree ("at" DESC NULLS LAST,"value_hmac" DESC NULLS LAST,"kind" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "providers_wordpress_id_key" ON "providers" USING btree ("wordpress_id") WHERE "providers"."wordpress_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "providers_active_domain_key" ON "providers" USING btree ("domain") WHERE "providers"."status" = 't' and "providers"."domain" is not null;--> statement-breakpoint
CREATE INDEX "providers_zip_code_idx" ON "providers" USING btree ("zip_code");--> statement-breakpoint
CREATE INDEX "providers_active_location_idx" ON "providers" USING gist ("location") WHERE "providers"."status" = 't' and "providers"."location" is not null;--> statement-breakpoint
CREATE INDEX "providers_active_point_idx" ON "providers" USING btree ("latitude","longitude","id") WHERE "providers"."status" = 't' and "providers"."latitude" is not null;--> statement-breakpoint
CREATE INDEX "providers_active_name_idx" ON "providers" USING btree (lower("name"),"id") WHERE "providers"."status" = 't';--> statement-breakpoint
CREATE INDEX "providers_own_radius_idx" ON "providers" USING gist ("location") WHERE "providers"."status" = 't' and "providers"."location" is not null and "providers"."match_radius_miles" is not null;--> statement-breakpoint
CREATE INDEX "sync_run_rows_run_idx" ON "sync_run_rows" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "sync_runs_source_idx" ON "sync_runs" USING btree ("source","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "access_changes_unnoted_idx" ON "access_changes" USING btree ("at") WHERE "access_changes"."noted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "staff_accounts_email_key" ON "staff_accounts" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "staff_accounts_name_key" ON "staff_accounts" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "staff_sessions_account_idx" ON "staff_sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "staff_sessions_expires_idx" ON "staff_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "alerts_unmailed_idx" ON "alerts" USING btree ("since") WHERE "alerts"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX "audit_log_at_idx" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_log_action_idx" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor_idx" ON "audit_log" USING btree ("actor_name","id");--> statement-breakpoint
CREATE INDEX "audit_log_subject_idx" ON "audit_log" USING btree ("subject_kind","subject_id","id");--> statement-breakpoint
CREATE INDEX "problem_reports_open_idx" ON "problem_reports" USING btree ("created_at") WHERE "problem_reports"."done_at" is null;--> statement-breakpoint
CREATE INDEX "problem_reports_done_idx" ON "problem_reports" USING btree ("done_at") WHERE "problem_reports"."done_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "staff_tasks_open_key" ON "staff_tasks" USING btree ("kind","lead_id") WHERE "staff_tasks"."done_at" is null;--> statement-breakpoint
CREATE INDEX "staff_tasks_lead_idx" ON "staff_tasks" USING btree ("lead_id");