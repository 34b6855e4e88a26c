-- Points on the earth's sphere and the distance between them; both are trusted contrib extensions.
CREATE EXTENSION IF NOT EXISTS cube;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS earthdistance;
