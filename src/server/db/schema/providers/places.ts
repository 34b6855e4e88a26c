import { doublePrecision, pgTable, text, check } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { instant } from '../../columns.ts';

/** ZIPs and three-digit prefixes with their centroids, generated from features/matching/zipTable.txt. */
export const zipCentroids = pgTable('zip_centroids', {
  zip: text('zip').primaryKey(),
  latitude: doublePrecision('latitude').notNull(),
  longitude: doublePrecision('longitude').notNull(),
});

/** One row: the edition (SHA-256 of the file) of the loaded ZIP table. */
export const zipEdition = pgTable('zip_edition', { sha256: text('sha256').primaryKey() });

/** Results of the geocoder, so that each address is looked up once. */
export const geocodedAddresses = pgTable(
  'geocoded_addresses',
  {
    /** In lower case, with single spaces. */
    address: text('address').primaryKey(),
    /** Both null: not found. */
    latitude: doublePrecision('latitude'),
    longitude: doublePrecision('longitude'),
    askedAt: instant('asked_at').notNull().defaultNow(),
  },
  (table) => [
    check(
      'geocoded_addresses_coordinates_check',
      sql`(${table.latitude} is null) = (${table.longitude} is null)`,
    ),
  ],
);
