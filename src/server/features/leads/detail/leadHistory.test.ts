import { expect, test } from 'vitest';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { getConsentText } from '#shared/brand/consentTexts.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { loadZipTable, placeLabel, placeOfZip } from '#server/features/matching/zipTable.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { listCandidates } from '../list/candidates.ts';
import { viewLead } from './leadDetail.ts';

/** Inserts audit entries about a lead as earlier versions wrote them, in this order. */
async function insertEntries(
  { sql }: TestDb,
  leadId: number,
  entries: readonly (readonly [action: string, detail: object])[],
): Promise<void> {
  for (const [action, detail] of entries)
    await sql`
      insert into audit_log (at, actor_kind, actor_name, ip, action, subject_kind, subject_id, detail)
      values (now(), 'staff', 'Robin', null, ${action}, 'lead', ${String(leadId)}, ${JSON.stringify(detail)}::jsonb)`;
}

test('a lead’s history says what came of each retry and decision', async () => {
  await using database = await testDb();
  const lead = await insertLead(database.db);
  await insertEntries(database, lead.id, [
    ['lead.retry', { what: 'sync', queued: true }],
    ['lead.retry', { what: 'email', success: true }],
    ['lead.retry', { what: 'email', success: false, error: 'The mailbox is full.' }],
    ['lead.retry', { what: 'sync' }],
    ['lead.retry', { what: 'fax' }],
    ['suppression.lift', { kind: 'email', reason: 'Asked by phone' }],
    ['suppression.lift', {}],
    ['task.complete', { decision: 'unknown' }],
    ['lead.export', {}],
  ]);
  const { events } = await viewLead(staffActionOn(database), lead.id);
  expect(events.slice(2, -1).map(({ kind, detail }) => [kind, detail])).toEqual([
    ['retried', 'CRM: queued'],
    ['retried', 'Email: success'],
    ['retried', 'Email: The mailbox is full.'],
    ['retried', 'CRM: not configured'],
    ['retried', ''],
    ['lifted', expect.stringMatching(/: Asked by phone$/)],
    ['lifted', ''],
    ['task-done', ''],
    // An action without a name of its own is shown as it was recorded.
    ['lead.export', ''],
  ]);
});

test('a lead’s history names the provider of each assignment, also one that is gone', async () => {
  await using database = await testDb();
  const { db } = database;
  const lead = await insertLead(db);
  const provider = await insertProvider(db, { name: 'Elm', zipCode: '80202' });
  const before = { providerId: null, method: 'manual', reason: 'Chosen by staff.', miles: null };
  const entry = (given: object) => ({ before, ...given });
  await insertEntries(database, lead.id, [
    ['lead.assign', entry({ providerId: provider.id, miles: 12.34 })],
    ['lead.assign', entry({ providerId: provider.id, miles: null, consentNames: 'Oak' })],
    ['lead.assign', entry({ providerId: 999_999, miles: null })],
    ['lead.rematch', entry({ providerId: null, miles: null })],
    ['lead.rematch', { providerId: 'x' }],
  ]);
  const { events } = await viewLead(staffActionOn(database), lead.id);
  // The first match, which the first assignment replaced, was by staff: no match is listed before it.
  expect(events.map(({ kind }) => kind).slice(0, 2)).toEqual(['created', 'assigned']);
  expect(events.slice(1, -1).map(({ detail }) => detail)).toEqual([
    'Elm, 12.3 miles',
    `Elm; ${leadDetailCopy.consentNames('Oak')}`,
    'Provider #999999',
    leadDetailCopy.nobodyFound,
    '',
  ]);
});

test('the evidence of a lead from a form names the text and its version', async () => {
  await using at = await setUpIntake();
  const text = getConsentText('landing');
  const { body } = await at.sendForm(leadInput({ acceptance_message: text?.text }));
  const { consent } = await viewLead(staffActionOn(at.database), body.id);
  expect(consent).toMatchObject({
    text: text?.text,
    version: expect.stringMatching(/^\S+, version \d+$/),
    form: expect.stringMatching(/^landing, version /),
    ip: expect.any(String),
  });
});

test('an erased lead’s evidence has no address, browser or page', async () => {
  await using database = await testDb();
  const staffAction = staffActionOn(database);
  const lead = await insertAgreed(database.db);
  await erasePerson(staffAction, { leadId: lead.id, reason: 'asked' });
  const { consent, erasedAt } = await viewLead(staffAction, lead.id);
  expect(erasedAt).not.toBeNull();
  expect(consent).toMatchObject({ ip: null, userAgent: null, page: null });
});

test('at most fifty candidates are listed, the nearest ones', async () => {
  await using database = await testDb();
  const { db } = database;
  for (let number = 0; number < 50; number += 1)
    await insertProvider(db, { zipCode: '80202', name: `Near ${number}` });
  await insertProvider(db, { zipCode: '10016', name: 'Far' });
  await insertProvider(db, { zipCode: '00001', latitude: null, longitude: null, name: 'Unplaced' });
  const listed = await listCandidates(db, {
    origin: { latitude: 39.75, longitude: -104.99 },
    search: undefined,
  });
  expect(listed).toHaveLength(50);
  expect(listed.every(({ name }) => name.startsWith('Near'))).toBe(true);
});

test('a ZIP without a center is called by its area', () => {
  const zipTable = loadZipTable();
  const toLabel = (zip: string) => {
    const place = placeOfZip(zipTable, zip);
    return place === null ? null : placeLabel(zip, place);
  };
  expect(toLabel('80202-1234')).toBe('80202');
  // Of a building of its own: the table has only its prefix.
  expect(toLabel('80200')).toBe('the 802 area');
  expect(toLabel('ABC')).toBeNull();
});
