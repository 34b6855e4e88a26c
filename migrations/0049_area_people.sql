CREATE TABLE "area_people" (
	"zip3" text PRIMARY KEY NOT NULL,
	"people" integer NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "area_people_zip3_check" CHECK ("area_people"."zip3" ~ '^[0-9]{3}$'),
	CONSTRAINT "area_people_people_check" CHECK ("area_people"."people" >= 0)
);
