import { doublePrecision, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * The generated ZIP table (features/matching/zipTable.txt): five-digit ZIPs and three-digit prefixes with their
 * centroids.
 */
export const zipCentroids = pgTable('zip_centroids', {
  zip: text('zip').primaryKey(),
  latitude: doublePrecision('latitude').notNull(),
  longitude: doublePrecision('longitude').notNull(),
});

/** One row: the edition (SHA-256 of the file) of the loaded ZIP table. */
export const zipEdition = pgTable('zip_edition', { sha256: text('sha256').primaryKey() });
