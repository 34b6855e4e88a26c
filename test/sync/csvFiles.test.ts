import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { providersCsv } from '#server/features/exports/listCsv.ts';
import { createFileSource, type CsvOptions } from '#server/features/sync/files/fileSource.ts';
import type { SyncOrder } from '#server/features/sync/runSync.ts';
import { runMessages } from '#server/features/sync/messages.ts';
import { collect } from '#test/support/collect.ts';
import { runCommand as run } from '#test/support/command.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { collectAlerts, toCounts } from '#test/support/syncRuns.ts';
import { setUpSync, type SyncSetup } from '#test/support/syncSetup.ts';

vi.setConfig({ testTimeout: 240_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-csv-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function getFile(content: string | Uint8Array): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.csv`);
  await writeFile(path, content);
  return path;
}

async function importCsv(
  setup: SyncSetup,
  content: string | Uint8Array,
  { csv, ...order }: Partial<SyncOrder> & { csv?: Partial<CsvOptions> } = {},
) {
  const options = { ignoreUnknown: false, replace: false, ...csv };
  const source = createFileSource(await getFile(content), 'csv', options);
  return setup.runFrom(source, { kind: 'rows', ...order });
}

const full = {
  ...{ name: 'Alpha', practiceName: 'Practice', address: '1 Sample Street, Denver, CO', zipCode: '80202' },
  ...{ latitude: 39.7491, longitude: -104.9946, phone: '(303) 555-0142', email: 'alpha@example.com' },
  ...{ website: 'https://alpha.example.com/', url: 'https://cms.example/a/', domain: 'alpha.example.com' },
  ...{ googleAdsId: 'AW-123456789', bingAdsId: '12345678', imageUrl: 'https://cms.example/a.png' },
  ...{ logoUrl: 'https://cms.example/l.png', acceptsFreeConsultation: true, acceptsFinancing: true },
} as const;

test('a column that a file doesn’t have keeps its values; a new provider has none', async () => {
  meets('D.sync.23');
  await using setup = await setUpSync();
  await insertProvider(setup.database.db, { ...full, wordpressId: 1 });
  await insertProvider(setup.database.db, { ...full, domain: null, wordpressId: 2, status: 'f' });
  const outcome = await importCsv(
    setup,
    'WordPress ID,Telephone,Name,E-mail,ZIP\n1,303-555-0199,Alpha,alpha@example.com,80202\n' +
      '2,303-555-0199,Alpha,alpha@example.com,80202\n3,,Gamma,gamma@example.com,80202\n',
  );
  expect(toCounts(outcome)).toMatchObject({ read: 3, created: 1, updated: 2, skipped: 0 });
  expect(outcome.run?.message).toBeNull();
  expect(await setup.providers()).toMatchObject([
    { ...full, phone: '303-555-0199', status: 't' },
    { phone: '303-555-0199', status: 'f', logoUrl: full.logoUrl },
    { name: 'Gamma', phone: null, website: null, latitude: null, acceptsFinancing: false, status: 't' },
  ]);
});

test('a file with the id and one column changes that column of providers that exist', async () => {
  await using setup = await setUpSync();
  await insertProvider(setup.database.db, { ...full, wordpressId: 1 });
  const outcome = await importCsv(
    setup,
    'wordpress_id;website\n1;https://new.example.com/\n2;https://b.co/\n',
  );
  expect(toCounts(outcome)).toMatchObject({ updated: 1, created: 0, skipped: 1 });
  expect(outcome.success ? outcome.rows : []).toMatchObject([
    { change: 'skipped', wordpressId: 2, detail: 'Its name is missing.' },
    { change: 'updated', wordpressId: 1, detail: 'website' },
  ]);
  expect(await setup.providers()).toMatchObject([{ ...full, website: 'https://new.example.com/' }]);
});

test('--replace empties missing columns, and the dry run counts the values by field', async () => {
  meets('D.sync.23');
  await using setup = await setUpSync();
  await insertProvider(setup.database.db, { ...full, wordpressId: 1 });
  await insertProvider(setup.database.db, { ...full, domain: null, wordpressId: 2 });
  const file =
    'wordpress_id,name,email,zip_code,phone,website,address,practice_name\n' +
    [1, 2].map((id) => `${id},Alpha,alpha@example.com,80202,,https://alpha.example.com/,1 St,P\n`).join('');
  const order = { csv: { replace: true }, force: true };
  const dry = await importCsv(setup, file, { ...order, dryRun: true });
  const lost =
    'latitude 2, longitude 2, phone number 2, page URL 2, domain 1, Google Ads ID 2, Microsoft Ads ID 2, picture 2, logo 2.';
  expect(dry.run?.message).toBe(`It would empty 17 values: ${lost}`);
  expect(await setup.providers()).toMatchObject([full, { ...full, domain: null }]);
  const done = await importCsv(setup, file, order);
  expect(done.run?.message).toBe(`It emptied 17 values: ${lost}`);
  expect(await setup.providers()).toMatchObject([
    { phone: null, domain: null, logoUrl: null, acceptsFinancing: false, website: full.website },
    { phone: null },
  ]);
});

test('an empty cell empties, and is counted', async () => {
  await using setup = await setUpSync();
  await insertProvider(setup.database.db, { ...full, wordpressId: 1 });
  const outcome = await importCsv(setup, 'wordpress_id,phone\n1,\n');
  expect(outcome.run?.message).toBe('It emptied 1 value: phone number 1.');
  expect(await setup.providers()).toMatchObject([{ phone: null, website: full.website }]);
});

test('the coordinates stay with a ZIP code nearby, and not with one of another town', async () => {
  await using setup = await setUpSync();
  for (const wordpressId of [1, 2])
    await insertProvider(setup.database.db, { ...full, domain: null, wordpressId });
  // Loveland is 45 miles from Denver.
  const outcome = await importCsv(setup, 'wordpress_id,zip\n1,80203\n2,80537\n');
  expect(outcome.run?.message).toBe('It emptied 2 values: latitude 1, longitude 1.');
  expect(await setup.providers()).toMatchObject([
    { zipCode: '80203', latitude: full.latitude, locationSource: 'coordinates' },
    { zipCode: '80537', latitude: null, locationSource: 'zip' },
  ]);
});

test('coordinates in a file without ZIP codes are judged by the stored ones', async () => {
  await using setup = await setUpSync();
  for (const wordpressId of [1, 2])
    await insertProvider(setup.database.db, { ...full, domain: null, wordpressId });
  const outcome = await importCsv(setup, 'wordpress_id,lat,lng\n1,39.75,-104.99\n2,40.75,-73.99\n');
  expect(toCounts(outcome)).toMatchObject({ updated: 1, skipped: 1 });
  expect(await setup.providers()).toMatchObject([
    { latitude: 39.75, zipCode: full.zipCode },
    { latitude: full.latitude, zipCode: full.zipCode },
  ]);
});

test('a complete file without a status activates the providers that it has', async () => {
  await using setup = await setUpSync();
  await insertProvider(setup.database.db, { ...full, wordpressId: 1, status: 'f' });
  await importCsv(setup, 'wordpress_id,phone\n1,303-555-0199\n', { kind: 'full' });
  expect(await setup.providers()).toMatchObject([{ phone: '303-555-0199', status: 't' }]);
});

test('a row that can’t be read is skipped, and its provider stays active', async () => {
  await using setup = await setUpSync();
  for (const wordpressId of [1, 2, 3])
    await insertProvider(setup.database.db, { ...full, domain: null, wordpressId, phone: '303-555-0100' });
  const header = 'wordpress_id,phone,website\n';
  const ragged = await importCsv(setup, `${header}1,303-555-0101,\n2,x\n3,303-555-0103,\n`, {
    kind: 'full',
  });
  expect(toCounts(ragged)).toMatchObject({ read: 3, updated: 2, skipped: 1, deactivated: 0 });
  expect(await collectAlerts(setup)).toMatchObject([
    ['provider-skipped', expect.any(String), expect.stringContaining('Line 3')],
  ]);
  // Nobody knows whose row it is, so nobody counts as missing.
  const nobodys = await importCsv(setup, `${header}1,303-555-0101,\nx\n3,303-555-0103,\n`, { kind: 'full' });
  expect(nobodys.run?.message).toContain(runMessages.notAllNumbered);
  expect(await setup.providers()).toMatchObject([
    { phone: '303-555-0101', status: 't' },
    { phone: '303-555-0100', status: 't' },
    { phone: '303-555-0103', status: 't' },
  ]);
});

test('npm run sync-providers stops at an unknown column unless it may leave it out', async () => {
  meets('D.sync.24');
  await using setup = await setUpSync();
  await insertProvider(setup.database.db, { ...full, wordpressId: 1 });
  const env = { DATABASE_URL: setup.database.url };
  const file = await getFile('wordpress_id,Fone,Phone\n1,303-555-0198,303-555-0199\n');
  const stopped = await run('syncProviders', ['--file', file], env);
  expect(stopped).toMatchObject({ status: 1, output: expect.stringContaining('unknown names: “Fone”') });
  expect(await setup.providers()).toMatchObject([full]);
  const done = await run('syncProviders', ['--file', file, '--ignore-unknown'], env);
  expect(done).toMatchObject({
    status: 0,
    output: expect.stringContaining('Columns that were not imported: “Fone”.'),
  });
  expect(await setup.providers()).toMatchObject([{ ...full, phone: '303-555-0199' }]);
  const runs = await setup.database.sql`select outcome, message from sync_runs order by id`;
  expect(runs).toMatchObject([
    { outcome: 'failed', message: expect.stringContaining('“Fone”') },
    { outcome: 'done', message: 'Columns that were not imported: “Fone”.' },
  ]);
});

/** Cells of a file by RFC 4180, independent of the code under test. */
function buildCells(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end = ''] of csv.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g,
  )) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}

/** What a spreadsheet writes with another separator. */
function writtenBy(csv: string, separator: string): string {
  const quote = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return buildCells(csv)
    .map((row) => row.map(quote).join(separator))
    .join('\r\n');
}

const encodings: readonly ((text: string) => Uint8Array)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
];

const letters = fc.string({
  unit: fc.constantFrom(
    ...[
      'a',
      'B',
      '"',
      ',',
      ';',
      '\r\n',
      '\n',
      '\t',
      '=',
      '+',
      '-',
      '@',
      '＝',
      "'",
      'é',
      '€',
      '😀',
      ' ',
      '0',
      '|',
    ],
  ),
  maxLength: 12,
});
/** No version stores blanks around a text. */
const texts = fc.oneof(
  letters.map((text) => text.trim()),
  fc.constantFrom('=1+1', "'=x", "''+x", '+One Clinic', '-Ann', '@home', '="02139"'),
);
const phones = fc.constantFrom(
  ...['+1 617 555 0109', '+16175550109', '(303) 555-0142', '-303-555-0142', '+1 303 555 0142 ext. 4'],
  ...['', "'+1 303 555 0142", '303.555.0142'],
);

test('an export imported again changes nothing, in any separator and encoding', async () => {
  meets('D.sync.25');
  await using setup = await setUpSync();
  const { db, sql } = setup.database;
  const provider = fc.record({
    name: texts.map((text) => `${text}n`),
    practiceName: fc.option(texts),
    address: fc.option(texts),
    phone: fc.option(phones),
    zipCode: fc.constantFrom('02139', '80202', '10001', '00901'),
    website: fc.option(
      fc.constantFrom('https://www.quay.example', 'https://quay.example/', 'http://quay.example/a?b=,c'),
    ),
    status: fc.constantFrom<'t' | 'f'>('t', 'f'),
    acceptsFinancing: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(provider, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom(...encodings),
      async (rows, separator, encode) => {
        await sql`delete from providers`;
        for (const [at, row] of rows.entries())
          await insertProvider(db, {
            ...row,
            wordpressId: at + 1,
            domain: row.status === 't' ? `c${at}.example` : null,
          });
        const before = await setup.providers();
        for (const group of ['active', 'inactive'] as const) {
          const csv = (await collect(providersCsv(db, group))).join('').replace(/^\ufeff/, '');
          const outcome = await importCsv(setup, encode(writtenBy(csv, separator)));
          expect(outcome).toMatchObject({ success: true, run: { created: 0, updated: 0, skipped: 0 } });
          expect(outcome.run?.read).toBe(
            rows.filter(({ status }) => (status === 't') === (group === 'active')).length,
          );
        }
        expect(await setup.providers()).toEqual(before);
      },
    ),
    { numRuns: 60 },
  );
});

test('an export corrected in one cell changes that one', async () => {
  await using setup = await setUpSync();
  await insertProvider(setup.database.db, {
    ...full,
    name: '+One Clinic',
    phone: '+1 617 555 0109',
    wordpressId: 1,
  });
  const csv = (await collect(providersCsv(setup.database.db, 'active'))).join('');
  expect(csv).toContain("'+One Clinic");
  await importCsv(setup, csv.replace('+1 617 555 0109', '+1 617 555 0110'));
  expect(await setup.providers()).toMatchObject([{ ...full, name: '+One Clinic', phone: '+1 617 555 0110' }]);
});

test('an export whose ZIP codes lost zeros in a spreadsheet is of the same ZIP codes', async () => {
  await using setup = await setUpSync();
  const { db } = setup.database;
  for (const [at, zipCode] of ['02139', '00901', '80202'].entries())
    await insertProvider(db, { ...full, zipCode, wordpressId: at + 1, domain: null });
  const csv = (await collect(providersCsv(db, 'active'))).join('');
  const saved = csv.replaceAll(/,0+(?=\d{3,4},)/g, ',').replaceAll(full.phone, '(617) 555-0110');
  expect(saved).toContain(',2139,');
  expect(saved).toContain(',901,');
  expect(await importCsv(setup, saved)).toMatchObject({ run: { updated: 3, skipped: 0 } });
  expect(await setup.providers()).toMatchObject(
    ['02139', '00901', '80202'].map((zipCode) => ({
      ...full,
      zipCode,
      domain: null,
      phone: '(617) 555-0110',
    })),
  );
  const moved = await importCsv(setup, saved.replace(',2139,', ',2140,'));
  expect(moved).toMatchObject({ run: { updated: 0, skipped: 1 } });
});

test('a file of floats from pandas changes nothing; one that lost ZIP digits is named', async () => {
  await using setup = await setUpSync();
  const header = 'wordpress_id,name,email,zip_code,phone,accepts_financing';
  const row = '1,Clinic 2.0,one@example.com,80202,3035550142,1';
  expect(await importCsv(setup, `${header}\n${row}\n`)).toMatchObject({ run: { created: 1 } });
  const floats = row.replace(/\b(1|80202|3035550142)(?=,|$)/g, '$1.0');
  expect(floats).toContain('80202.0,3035550142.0,1.0');
  const outcome = await importCsv(setup, `${header}\n${floats}\n2.0,Clinic,two@example.com,2139.0,,\n`);
  expect(outcome).toMatchObject({ run: { unchanged: 1, skipped: 1, warned: 0 } });
});
