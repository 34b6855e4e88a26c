import { customType, timestamp } from 'drizzle-orm/pg-core';

/**
 * An instant, kept to the millisecond so that what JavaScript wrote reads back identically (the consent hash relies on
 * it).
 */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** A point on the earth's sphere as contrib `cube` holds it; only the database makes and reads it. */
export const cube = customType<{ data: string }>({ dataType: () => 'cube' });

/** An IPv4 or IPv6 address. */
export const inet = customType<{ data: string }>({ dataType: () => 'inet' });
