import { sql } from 'drizzle-orm';
import { check, doublePrecision, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** What a geocoder said of an address, so that each is asked once. */
export const geocodedAddresses = pgTable(
  'geocoded_addresses',
  {
    /** In lower case, its spaces single. */
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
