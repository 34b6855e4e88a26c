import type { Database } from '#server/db/connect.ts';
import { type ProviderInsert, type ProviderRow, providers } from '#server/db/schema/index.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';

/**
 * Test files run in parallel processes. Each counts from its own start, so that no two create the same person or
 * provider. All numbers have five digits, so their order equals the order of their texts.
 */
const countsPerWorker = 20_000;
let counted = Number(process.env['VITEST_POOL_ID'] ?? 0) * countsPerWorker;

function nextCount(): number {
  counted += 1;
  return counted;
}

function pick(list: readonly string[], index: number): string {
  return list[index % list.length] ?? '';
}

const firstNames = [
  'Adrian',
  'Bram',
  'Cole',
  'Dario',
  'Emmett',
  'Felix',
  'Grady',
  'Hollis',
  'Ivo',
  'Jonah',
  'Keaton',
] as const;
const lastNames = [
  'Ashgrove',
  'Brightwater',
  'Coppergate',
  'Dunmere',
  'Elmsworth',
  'Fairbrook',
  'Glasswell',
] as const;
const providerNames = [
  'Amber Quay',
  'Birch Hollow',
  'Clover Bank',
  'Dapple Grey',
  'Elder Row',
  'Fallow Field',
  'Gable End',
] as const;
const providerZips = ['80202', '60601', '10016', '98101', '33131', '78701', '85004'] as const;

/**
 * One of an area's hundred numbers that are reserved for fiction, 555-0100 to 555-0199: 80,000 in total before they
 * repeat.
 */
function fictionalPhone(count: number): string {
  return `(${200 + (Math.floor(count / 100) % 800)}) 555-01${String(count % 100).padStart(2, '0')}`;
}

/**
 * A fictional active provider with its own host, which no other call in any test process has. It is at the center of
 * its ZIP code unless coordinates are given. With null for both, the database locates it.
 */
export function providerRow(overrides: Partial<ProviderInsert> = {}): ProviderInsert {
  const count = nextCount();
  const zipCode = overrides.zipCode ?? pick(providerZips, count);
  const place = loadZipTable().lookup(zipCode);
  const name = `${pick(providerNames, count)} Clinic ${count}`;
  return {
    name,
    practiceName: `${name} Practice`,
    address: `${count} Sample Street`,
    zipCode,
    status: 't',
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    phone: fictionalPhone(count),
    email: `clinic-${count}@example.com`,
    website: `https://clinic-${count}.example.com`,
    domain: `clinic-${count}.example.com`,
    acceptsFreeConsultation: false,
    acceptsFinancing: false,
    ...overrides,
  };
}

/** Inserts a provider and returns its row, located by the database's trigger. */
export async function insertProvider(
  db: Database,
  overrides: Partial<ProviderInsert> = {},
): Promise<ProviderRow> {
  const [row] = await db.insert(providers).values(providerRow(overrides)).returning();
  if (row === undefined) throw new Error('the clinic was not stored');
  return row;
}

/**
 * A script's lead of a fictional person, with a name, email address and phone that no other call in any process has.
 */
export function leadInput(overrides: Partial<LeadCreateInput> = {}): LeadCreateInput {
  const count = nextCount();
  const [first, last] = [pick(firstNames, count), pick(lastNames, count)];
  return {
    first_name: first,
    last_name: last,
    email: `${first}.${last}.${count}@example.com`.toLowerCase(),
    phone: fictionalPhone(count),
    zip_code: '80202',
    acceptance_consent: true,
    acceptance_message: 'I agree to be contacted about the treatment.',
    ...overrides,
  };
}

/** What a new person types into a form besides the ZIP code. */
export function leadDetails() {
  const { first_name, last_name, email, phone } = leadInput();
  return { first_name, last_name, email, phone };
}
