import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { updateProvider } from '#server/features/providers/adminProvidersQueries.ts';
import { providersCsv } from '#server/features/exports/listCsv.ts';
import { createFileSource } from '#server/features/sync/files/fileSource.ts';
import { pushProviders } from '#server/features/sync/pushProviders.ts';
import { clinicFields } from '#shared/providers/clinicFields.ts';
import { acf as recordAcf, normalize, record } from '#test/support/providerRecord.ts';
import { collect } from '#test/support/collect.ts';
import { testActor } from '#test/support/staffActions.ts';
import { toCounts, flatRecord, toRows } from '#test/support/syncRuns.ts';
import { setUpSync } from '#test/support/syncSetup.ts';

const hours =
  'Mon 09:00-12:00, 13:00-17:00; Tue closed; Wed closed; Thu closed; Fri closed; Sat closed; Sun closed';
const stored = {
  clinicianName: 'Dr. Ada Sample',
  credential: 'MD, FACS',
  npi: '1234567893',
  certifiedSince: '2015-06-30',
  about: '=One\n"Two", three',
  hours,
  timeZone: 'America/Denver',
  languages: ['en', 'es'],
  pictures: ['https://clinic.example/a,b.jpg', '/own/c.jpg'],
  bookingUrl: 'https://book.example/?a=1',
};

/** The details as WordPress has them: a repeater, a gallery, a choice of several, texts with markup. */
const acf = {
  clinician_name: 'Dr. Ada&nbsp;Sample',
  credential: 'MD, FACS',
  npi: 1_234_567_893,
  certified_since: '20150630',
  about: '<p>=One</p><p>&quot;Two&quot;, <b>three</b></p>',
  hours: [
    { day: 'Monday', open: '9:00 am', close: '12:00 pm' },
    { day: 'Monday', open: '1:00 pm', close: '5:00 pm' },
    { day: 'Tuesday', closed: true, open: '', close: '' },
  ],
  time_zone: 'America/Denver',
  languages: [{ value: 'en', label: 'English' }, 'Spanish'],
  pictures: [{ image: { ID: 4, url: 'https://clinic.example/a,b.jpg' } }, '/own/c.jpg'],
  booking_url: { title: 'Book', url: 'https://book.example/?a=1', target: '' },
};

test('a record’s details are stored in one form, in whatever shape WordPress has them', async () => {
  await using setup = await setUpSync();
  await setup.runFrom(toRows([{ ...flatRecord(1), acf }]));
  expect(await setup.providers()).toMatchObject([stored]);
});

test('a bad detail costs that field only, keeps the present value and is named', async () => {
  await using setup = await setUpSync();
  const bad = {
    ...{ npi: '1234567890', certified_since: '2999', hours: 'Mon 9-5', time_zone: 'Mars/Base' },
    ...{ languages: 'Klingonish', pictures: ['javascript:alert(1)'], booking_url: 'http://book.example/' },
    ...{ about: 'a'.repeat(2001), credential: '\ud800' },
  };
  await setup.runFrom(toRows([{ ...flatRecord(1), acf }]));
  const [result] = await pushProviders(setup.services, [flatRecord(1, { ...bad, phone: '(303) 555-0142' })], {
    startedBy: 'Test',
  });
  expect(result?.result).toBe('updated');
  expect(result?.warnings).toHaveLength(9);
  expect(result?.warnings?.join(' ')).toContain('Its NPI must be the ten digits of an NPI. It was left out.');
  expect(await setup.providers()).toMatchObject([{ ...stored, phone: '(303) 555-0142' }]);
});

test('of seven pictures, six are used', async () => {
  await using setup = await setUpSync();
  const pictures = [1, 2, 3, 4, 5, 6, 7].map((number) => `https://clinic.example/${number}.jpg`);
  const [result] = await pushProviders(setup.services, [flatRecord(1, { pictures })], { startedBy: 'Test' });
  expect(result?.warnings).toEqual(['It has more than 6 pictures. The first 6 are used.']);
  expect((await setup.providers())[0]?.pictures).toEqual(pictures.slice(0, 6));
});

test('a source that has no such field leaves it, and one that has it empty empties it', async () => {
  await using setup = await setUpSync();
  await setup.runFrom(toRows([{ ...flatRecord(1), acf }]));
  expect(toCounts(await setup.runFrom(toRows([flatRecord(1)])))).toMatchObject({ unchanged: 1 });
  expect(await setup.providers()).toMatchObject([stored]);
  const empty = Object.fromEntries(Object.keys(acf).map((name) => [name, '']));
  await setup.runFrom(toRows([{ ...flatRecord(1), acf: { ...empty, pictures: false } }]));
  const emptied = Object.fromEntries(Object.keys(stored).map((name) => [name, null]));
  expect(await setup.providers()).toMatchObject([emptied]);
});

test('hours that staff edited stay, whatever a source delivers', async () => {
  await using setup = await setUpSync();
  await setup.runFrom(toRows([{ ...flatRecord(1), acf }]));
  const [provider] = await setup.providers();
  const services = { db: setup.database.db, config: setup.services.config };
  await updateProvider({ services, actor: testActor, ip: null }, { id: provider?.id ?? 0, hours: null });
  await setup.runFrom(
    toRows([{ ...flatRecord(1), acf: { ...acf, time_zone: 'America/Chicago', credential: 'DO' } }]),
  );
  expect(await setup.providers()).toMatchObject([
    { hours: null, timeZone: 'America/Denver', credential: 'DO', npi: stored.npi },
  ]);
});

test('an export has every detail and changes nothing when it is imported', async () => {
  await using setup = await setUpSync();
  await setup.runFrom(toRows([{ ...flatRecord(1), acf }, flatRecord(2)]));
  const before = await setup.providers();
  const text = (await collect(providersCsv(setup.database.db, 'active'))).join('');
  const [header = ''] = text.split('\r\n');
  for (const name of Object.keys(clinicFields)) expect(header.split(',')).toContain(name);
  const folder = await mkdtemp(join(tmpdir(), 'details-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'providers.csv');
  await writeFile(file, text);
  await setup.database.db.execute(sql`update providers set about = null, pictures = null, languages = null`);
  await setup.runFrom(createFileSource(file, 'csv'));
  const after = await setup.providers();
  expect(after.map((row) => ({ ...row, updatedAt: null }))).toEqual(
    before.map((row) => ({ ...row, updatedAt: null })),
  );
});

test.each(['<br', 'Mon 09:00-10:00; ', 'https://a.example ', 'en,'])(
  'details of millions of characters, %j repeated, are read without delay',
  (part) => {
    const long = part.repeat(1_000_000);
    const details = Object.fromEntries(Object.keys(acf).map((name) => [name, long]));
    expect(normalize({ ...record, acf: { ...recordAcf, ...details } })).toMatchObject({ kind: 'row' });
  },
);
