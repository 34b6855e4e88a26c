CREATE TABLE "form_starts" (
	"day" date NOT NULL,
	"form" text NOT NULL,
	"page" text NOT NULL,
	"campaign" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "form_starts_pkey" PRIMARY KEY("day","form","page","campaign"),
	CONSTRAINT "form_starts_form_check" CHECK ("form_starts"."form" in ('landing', 'microsite', 'quiz', 'find')),
	CONSTRAINT "form_starts_page_check" CHECK (length("form_starts"."page") between 1 and 100),
	CONSTRAINT "form_starts_campaign_check" CHECK (length("form_starts"."campaign") <= 200),
	CONSTRAINT "form_starts_count_check" CHECK ("form_starts"."count" > 0)
);
