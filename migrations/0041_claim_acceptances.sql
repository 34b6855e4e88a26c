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
