import { and, eq, gt, lte } from 'drizzle-orm';
import { z } from 'zod';
import type { AreaAnswer } from '#shared/applications/areas.ts';
import { dayMs } from '#shared/formats/time.ts';
import { greatCircleMiles } from '#shared/leads/geo.ts';
import { zipInText } from '#shared/leads/zip.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { areaPeople } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import type { Site } from '#server/tenant/site.ts';
import { previewMatch } from '../matching/siteMatch.ts';
import type { ZipTable } from '../matching/zipTable.ts';

const radiusMiles = 50;
const windowDays = 90;
const renewedAfterDays = 7;
const peopleMin = 10;
const roundedTo = 5;

const countRow = z.object({ people: z.number() });

/**
 * The people near the middle of a ZIP area who asked since a time. Leads with one mailbox or phone are of one person,
 * also over a third lead that has the phone of one and the mailbox of the other.
 */
async function countPeople(
  db: Queryable,
  zipTable: ZipTable,
  { zip3, since }: { zip3: string; since: Date },
) {
  const center = zipTable.findCenter(zip3);
  if (center === null) return 0;
  const near = [...zipTable.entries()]
    .filter(([, latitude, longitude]) => greatCircleMiles(center, { latitude, longitude }) <= radiusMiles)
    .map(([key]) => key);
  const [row] = await readRows(db, countRow)`
    with near as (select unnest(string_to_array(${near.join()}, ',')) as key),
    came as (
      select coalesce(duplicate_of, id) as person, email_mailbox(email_norm) as mailbox, phone_e164 as phone from leads
      where created_at >= ${since.toISOString()}::timestamptz and deleted_at is null and quarantined_at is null
        and (zip5 in (select key from near) or (left(zip5, 3) in (select key from near)
          and not exists (select from zip_centroids where zip = zip5)))
    ),
    by_mailbox as (select min(person) over (partition by mailbox) as person, mailbox, phone from came),
    by_phone as (select min(person) over (partition by phone) as person, mailbox from by_mailbox),
    people as (select min(person) over (partition by mailbox) as person from by_phone)
    select count(distinct person)::int as people from people`;
  return row?.people ?? 0;
}

/** Hides small figures, which could reveal a single person. */
function toShown(people: number): number {
  return people < peopleMin ? 0 : Math.round(people / roundedTo) * roundedTo;
}

async function findStored(db: Database, zip3: string, newerThan: Date): Promise<number | null> {
  const [row] = await db
    .select({ people: areaPeople.people })
    .from(areaPeople)
    .where(and(eq(areaPeople.zip3, zip3), gt(areaPeople.countedAt, newerThan)));
  return row?.people ?? null;
}

/**
 * The figure of an area that anyone may see. It is stored for a week, for all processes: its changes from one request
 * to the next would reveal single people.
 */
async function getPeople({ db, zipTable, now }: Pick<Services, 'db' | 'zipTable' | 'now'>, zip3: string) {
  const at = now();
  const before = (days: number): Date => new Date(at.getTime() - days * dayMs);
  const stored = await findStored(db, zip3, before(renewedAfterDays));
  if (stored !== null) return stored;
  const people = toShown(await countPeople(db, zipTable, { zip3, since: before(windowDays) }));
  await db
    .insert(areaPeople)
    .values({ zip3, people, countedAt: at })
    .onConflictDoUpdate({
      target: areaPeople.zip3,
      set: { people, countedAt: at },
      setWhere: lte(areaPeople.countedAt, before(renewedAfterDays)),
    });
  // Another process may have been first.
  return (await findStored(db, zip3, before(renewedAfterDays))) ?? people;
}

type AreaServices = Parameters<typeof previewMatch>[0] & Pick<Services, 'now'>;

/** What a prospective provider may know of the area of a ZIP code: who is nearest, and how many people asked. */
export async function describeArea(
  services: AreaServices,
  { site, typed }: { site: Site; typed: string },
): Promise<AreaAnswer> {
  const zip = zipInText(typed);
  if (zip === null || services.zipTable.lookup(zip) === null)
    return { zip: null, isValid: zip !== null, nearest: null, people: null };
  const nearest = await previewMatch(services, { site, zipCode: zip, requestedId: null });
  const people = await getPeople(services, zip.slice(0, 3));
  return { zip, isValid: true, nearest, people: people === 0 ? null : people };
}
