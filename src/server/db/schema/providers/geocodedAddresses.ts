import { sql } from 'drizzle-orm';
import { check, doublePrecision, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

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
