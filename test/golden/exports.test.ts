import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  formStarts,
  leadAttribution,
  leadOutcomes,
  leads,
  type ProviderRow,
} from '#server/db/schema/index.ts';
import { insightFigures } from '#shared/admin/insights.ts';
import { sealAll } from '#test/support/evidence.ts';
import { insertProvider } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertDeliveryAttempts, insertLeads } from '#test/support/leadRows.ts';
import { insertPerson } from '#test/support/erasureSetup.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { expectGoldens, goldenFile, jsonText } from './goldenFiles.ts';

const now = new Date('2026-06-03T10:00:00Z');

async function insertProviders({ db }: TestApp): Promise<ProviderRow> {
  const quay = await insertProvider(db, {
    wordpressId: 101,
    name: 'Quay, "the" Clinic',
    practiceName: 'Quay Practice',
    address: '12 Harbour Street',
    zipCode: '80202',
    phone: '(303) 555-0100',
    email: 'front@quay.example',
    website: 'https://www.quay.example',
    domain: 'quay.example',
  });
  const bare = {
    practiceName: '',
    address: null,
    phone: null,
    website: null,
    domain: null,
  };
  await insertProvider(db, {
    ...bare,
    name: 'Harbor Clinic',
    zipCode: '98101',
    email: 'front@harbor.example',
  });
  await insertProvider(db, {
    ...bare,
    name: 'Closed Clinic',
    zipCode: '10016',
    email: 'front@closed.example',
    status: 'f',
  });
  return quay;
}

/** A matched and an unmatched lead on two days; the first was delivered and reached. */
async function insertSamples(app: TestApp): Promise<void> {
  const quay = await insertProviders(app);
  const [matched] = await insertLeads(app.db, [
    {
      ...{ firstName: 'Kit', lastName: 'Elmsworth', email: 'kit@example.com', phone: '(303) 555-0101' },
      ...{ zipCode: '80202', providerId: quay.id, siteProviderId: quay.id, crmSyncStatus: 'success' },
      matchDistanceMiles: 1.2,
      createdAt: new Date('2026-06-01T12:00:00Z'),
      acceptanceMessage: 'I agree, fully.',
    },
    {
      ...{ firstName: '=Zoë', lastName: 'Fairbrook', email: 'zoe@example.com', phone: '+13035550102' },
      ...{ zipCode: '99501', crmSyncStatus: 'failed' },
      createdAt: new Date('2026-06-02T12:00:00Z'),
      acceptanceMessage: null,
    },
  ]);
  if (matched === undefined) throw new Error('no lead');
  await insertDeliveryAttempts(app.db, [
    { leadId: matched.id, at: new Date('2026-06-01T12:00:05Z'), channel: 'provider-email' },
    { leadId: matched.id, at: new Date('2026-06-01T12:00:09Z'), outcome: 'failed' },
  ]);
  await app.db.insert(leadOutcomes).values({
    leadId: matched.id,
    providerId: quay.id,
    outcome: 'reached',
    by: 'Clinic',
    at: new Date('2026-06-01T12:30:00Z'),
  });
  await app.db
    .insert(leadAttribution)
    .values({ leadId: matched.id, touch: 'first', utmCampaign: '=spring', landingPath: '/' });
  await app.db.update(leads).set({ outcome: 'reached' }).where(eq(leads.id, matched.id));
}

function fileText(answer: Answer): string {
  expect(answer.status).toBe(200);
  const { headers, text } = answer;
  const named = ['content-type', 'content-disposition', 'cache-control'] as const;
  const lines = named.map((name) => `${name}: ${String(headers[name])}`);
  // A byte order mark and CRLF are part of the files.
  const body = text.replaceAll('\ufeff', '<BOM>').replaceAll('\r\n', '<CRLF>\n');
  return `${lines.join('\n')}\n\n${body}`;
}

test('each CSV file has the same name, columns and formats', async () => {
  meets('P3.lead.17 P6.role.08');
  await using app = await testApp({ now: () => now });
  await insertSamples(app);
  const start = { day: '2026-06-01', form: 'landing', page: '/', campaign: 'spring', count: 3 } as const;
  await app.db.insert(formStarts).values(start);
  const staff = await signedIn(app, 'viewer');
  const days = 'from=2026-06-01&to=2026-06-02';
  const paths: Record<string, string> = {
    leads: '/api/leads.csv',
    'providers-active': '/api/providers.csv?status=active',
    'providers-inactive': '/api/providers.csv?status=inactive',
  };
  for (const figure of insightFigures)
    paths[`insights-${figure}`] = `/api/insights.csv?figure=${figure}&${days}`;
  const texts: Record<string, string> = {};
  for (const [name, path] of Object.entries(paths)) texts[name] = fileText(await app.get(path, staff));
  expect(Object.keys(texts)).toHaveLength(insightFigures.length + 3);
  await expectGoldens('csv', '.csv', texts);
});

const formats: readonly [RegExp, string][] = [
  [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'uuid'],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'instant'],
  [/^[0-9a-f]{64}$/, 'hash'],
];

function getKind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'string') return typeof value;
  return formats.find(([pattern]) => pattern.test(value))?.[1] ?? 'string';
}

/** Rows as one: each field with the kinds of value that it has, of lists the kinds of their items. */
function listFields(rows: readonly Record<string, unknown>[]): Record<string, string> {
  const kinds = new Map<string, Set<string>>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      const known = kinds.get(name) ?? new Set();
      kinds.set(name, known);
      if (!Array.isArray(value)) known.add(getKind(value));
      else if (value.length === 0) known.add('empty list');
      else for (const item of value) known.add(`list of ${getKind(item)}`);
    }
  return Object.fromEntries([...kinds].map(([name, of]) => [name, [...of].toSorted().join(' | ')]));
}

const rows = z.array(z.record(z.string(), z.unknown()));
const personFile = z.object({ exportedAt: z.iso.datetime(), leadId: z.number().int() }).catchall(rows);

test('the personal data export has the same parts and fields', async () => {
  await using at = await setUpIntake();
  const { leadIds, purgedId } = await insertPerson(at);
  await sealAll(at.database);
  await using app = await testApp({ database: at.database });
  const path = `/api/persons/${leadIds[0]}.json?samePhone=${purgedId},${leadIds[1]}`;
  const answer = await app.get(path, await signedIn(app, 'owner'));
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="person-of-lead-${leadIds[0]}.json"`,
  });
  const { exportedAt, leadId, ...parts } = personFile.parse(answer.json());
  expect([getKind(exportedAt), leadId]).toEqual(['instant', leadIds[0]]);
  const fields = Object.entries(parts).map(([name, of]) => [name, listFields(of)]);
  await expect(jsonText(Object.fromEntries(fields))).toMatchFileSnapshot(goldenFile('person.json'));
});
