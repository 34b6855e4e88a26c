import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  numeric,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bigNumber, checkValues, cube, instant } from '../../columns.ts';

/**
 * Providers. For every writer, a trigger computes `location` and `location_source`: from the provider's coordinates,
 * else the centroid of its ZIP code, else of the three-digit prefix (`zip_centroids`). Matching relies on it.
 */
export const providers = pgTable(
  'providers',
  {
    id: bigNumber('id').primaryKey().generatedByDefaultAsIdentity(),
    wordpressId: bigNumber('wordpress_id'),
    name: text('name').notNull(),
    practiceName: text('practice_name'),
    address: text('address'),
    zipCode: text('zip_code').notNull(),
    status: text('status', { enum: ['t', 'f'] })
      .notNull()
      .default('t'),
    latitude: numeric('latitude', { precision: 9, scale: 6, mode: 'number' }),
    longitude: numeric('longitude', { precision: 9, scale: 6, mode: 'number' }),
    phone: text('phone'),
    email: text('email').notNull(),
    website: text('website'),
    url: text('url'),
    /** Sealed (features/providers/sealedKey.ts); opened only to send it to the CRM. */
    mpxapi: text('mpxapi'),
    domain: text('domain'),
    googleAdsId: text('google_ads_id'),
    bingAdsId: text('bing_ads_id'),
    imageUrl: text('image_url'),
    logoUrl: text('logo_url'),
    acceptsFreeConsultation: boolean('accepts_free_consultation').notNull().default(false),
    acceptsFinancing: boolean('accepts_financing').notNull().default(false),
    clinicianName: text('clinician_name'),
    credential: text('credential'),
    npi: text('npi'),
    /** A year or a date. */
    certifiedSince: text('certified_since'),
    about: text('about'),
    /** In the form of parseHours (shared/providers/detailValues.ts). */
    hours: text('hours'),
    timeZone: text('time_zone'),
    /** When staff or the provider set hours or time zone: a sync leaves both since then. */
    hoursEditedAt: instant('hours_edited_at'),
    languages: text('languages').array(),
    pictures: text('pictures').array(),
    bookingUrl: text('booking_url'),
    themeHue: integer('theme_hue'),
    /** Set by staff: matching by distance skips this provider. */
    paused: boolean('paused').notNull().default(false),
    /** Set by staff: the radius for matching by distance, instead of the configured one. */
    matchRadiusMiles: integer('match_radius_miles'),
    /** A provider only here with the same email and ZIP: this one stays inactive until staff say if they are one. */
    waitsForId: bigNumber('waits_for_id').references((): AnyPgColumn => providers.id, {
      onDelete: 'set null',
    }),
    /** When `email` was confirmed by the link sent to it. Each change of `email` empties it. */
    emailConfirmedAt: instant('email_confirmed_at'),
    location: cube('location'),
    locationSource: text('location_source', { enum: ['coordinates', 'zip', 'prefix'] }),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    checkValues('providers_status_check', table.status, ['t', 'f']),
    check('providers_name_check', sql`length(btrim(${table.name})) between 1 and 200`),
    check('providers_latitude_check', sql`${table.latitude} between -90 and 90`),
    check('providers_longitude_check', sql`${table.longitude} between -180 and 180`),
    check('providers_coordinates_check', sql`(${table.latitude} is null) = (${table.longitude} is null)`),
    // The length is a check of its own: as part of the pattern it took half the time of an insert.
    check(
      'providers_domain_check',
      sql`length(${table.domain}) <= 253 and ${table.domain} ~ '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' and ${table.domain} not like 'www.%'`,
    ),
    check('providers_theme_hue_check', sql`${table.themeHue} between 0 and 359`),
    check('providers_match_radius_check', sql`${table.matchRadiusMiles} between 1 and 12500`),
    check(
      'providers_google_ads_id_check',
      sql`${table.googleAdsId} ~ '^AW-[0-9]{1,20}(/[A-Za-z0-9_-]{1,64})?$'`,
    ),
    check('providers_clinician_name_check', sql`length(${table.clinicianName}) between 1 and 200`),
    check('providers_credential_check', sql`length(${table.credential}) between 1 and 100`),
    check('providers_npi_check', sql`${table.npi} ~ '^[12][0-9]{9}$'`),
    check(
      'providers_certified_since_check',
      sql`${table.certifiedSince} ~ '^[0-9]{4}(-[0-9]{2}-[0-9]{2})?$'`,
    ),
    check('providers_about_check', sql`length(${table.about}) between 1 and 2000`),
    check('providers_hours_check', sql`${table.hours} ~ '^Mon ' and length(${table.hours}) <= 500`),
    check('providers_time_zone_check', sql`length(${table.timeZone}) between 1 and 64`),
    check('providers_languages_check', sql`cardinality(${table.languages}) between 1 and 20`),
    check('providers_pictures_check', sql`cardinality(${table.pictures}) between 1 and 6`),
    check('providers_booking_url_check', sql`${table.bookingUrl} like 'https://%'`),
    check('providers_bing_ads_id_check', sql`${table.bingAdsId} ~ '^[0-9]{4,20}$'`),
    uniqueIndex('providers_wordpress_id_key')
      .on(table.wordpressId)
      .where(sql`${table.wordpressId} is not null`),
    // Active providers can't share a host. An inactive one may keep its old domain while a successor uses it.
    uniqueIndex('providers_active_domain_key')
      .on(table.domain)
      .where(sql`${table.status} = 't' and ${table.domain} is not null`),
    index('providers_zip_code_idx').on(table.zipCode),
    index('providers_active_location_idx')
      .using('gist', table.location)
      .where(sql`${table.status} = 't' and ${table.location} is not null`),
    // For boxes of the map and of the API, from the index only.
    index('providers_active_point_idx')
      .on(table.latitude, table.longitude, table.id)
      .where(sql`${table.status} = 't' and ${table.latitude} is not null`),
    index('providers_active_name_idx')
      .on(sql`lower(${table.name})`, table.id)
      .where(sql`${table.status} = 't'`),
    index('providers_own_radius_idx')
      .using('gist', table.location)
      .where(
        sql`${table.status} = 't' and ${table.location} is not null and ${table.matchRadiusMiles} is not null`,
      ),
  ],
);

export type ProviderRow = typeof providers.$inferSelect;
export type ProviderInsert = typeof providers.$inferInsert;
