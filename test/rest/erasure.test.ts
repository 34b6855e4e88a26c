import { expect, test } from 'vitest';
import { z } from 'zod';
import { tokenScopes } from '#shared/admin/staff.ts';
import { suppress } from '#server/features/withdrawals/suppress.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';

async function audited({ sql }: TestApp, action: string): Promise<unknown> {
  return [
    ...(await sql`select actor_name, subject_kind, subject_id::int as id from audit_log where action = ${action}`),
  ];
}

test('an owner exports the data about a person; this is audited and not stored', async () => {
  await using app = await testApp();
  const lead = await insertLead(app.db, { firstName: 'Wilhelmina' });
  const path = `/api/persons/${lead.id}.json`;
  const owner = await signedIn(app, 'owner');
  expect((await app.request('HEAD', path, { headers: owner })).status).toBe(200);
  expect(await audited(app, 'person.export')).toEqual([]);
  const answer = await app.get(path, owner);
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="person-of-lead-${lead.id}.json"`,
  });
  const { leads } = z.object({ leads: z.array(z.object({ firstName: z.string() })) }).parse(answer.json());
  expect(leads).toEqual([{ firstName: 'Wilhelmina' }]);
  expect(await audited(app, 'person.export')).toEqual([
    { actor_name: 'Test owner', subject_kind: 'lead', id: lead.id },
  ]);
});

test('only owners, and no tokens, find, export and erase a person', async () => {
  await using app = await testApp();
  const lead = await insertLead(app.db);
  const find = `/trpc/admin.personalData.find?input=${encodeURIComponent(JSON.stringify({ leadId: lead.id }))}`;
  const body = { leadId: lead.id, confirmation: String(lead.id), reason: 'asked' };
  const attempts = async (headers: Record<string, string>) => [
    (await app.get(find, headers)).status,
    (await app.get(`/api/persons/${lead.id}.json`, headers)).status,
    (await app.post('/trpc/admin.personalData.erase', body, headers)).status,
  ];
  expect(await attempts(await signedIn(app, 'viewer'))).toEqual([403, 403, 403]);
  expect(await attempts(await signedIn(app, 'manager'))).toEqual([403, 403, 403]);
  expect(await attempts(await getToken(app, tokenScopes))).toEqual([403, 403, 403]);
  expect(await app.sql`select 1 from leads where erased_at is not null`).toHaveLength(0);
  expect(await attempts(await signedIn(app, 'owner'))).toEqual([200, 200, 200]);
});

test('an erasure needs the id of the lead again and a reason', async () => {
  await using app = await testApp();
  const lead = await insertLead(app.db);
  const owner = await signedIn(app, 'owner');
  const erase = (confirmation: string, reason: string) =>
    app.post('/trpc/admin.personalData.erase', { leadId: lead.id, confirmation, reason }, owner);
  for (const typed of ['', String(lead.id + 1), 'yes']) {
    const answer = await erase(typed, 'asked');
    expect([answer.status, answer.text]).toEqual([
      422,
      expect.stringContaining('Type the number of the lead'),
    ]);
  }
  expect((await erase(String(lead.id), 'because of Ada')).status).toBe(422);
  expect(await app.sql`select 1 from leads where erased_at is not null`).toHaveLength(0);
  expect((await erase(`#${lead.id}`, 'asked')).status).toBe(200);
});

test('a person with the same phone only is separate and not erased', async () => {
  await using app = await testApp();
  const phone = '(303) 555-0142';
  const lead = await insertLead(app.db, { firstName: 'Zoë', email: 'zoe@mail.example', phone });
  const other = await insertLead(app.db, { firstName: 'Otto', email: 'otto@mail.example', phone });
  const owner = await signedIn(app, 'owner');
  const input = encodeURIComponent(JSON.stringify({ leadId: lead.id }));
  const found = (await app.get(`/trpc/admin.personalData.find?input=${input}`, owner)).json();
  expect(found).toMatchObject({
    result: {
      data: [
        { id: lead.id, email: 'zoe@mail.example', foundBy: 'email', isSameName: true, standing: 'kept' },
        { id: other.id, email: 'otto@mail.example', phone, foundBy: 'phone', isSameName: false },
      ],
    },
  });
  const getFile = async (query: string): Promise<unknown[]> => {
    const file = await app.get(`/api/persons/${lead.id}.json${query}`, owner);
    return [file.status, file.text.includes('Otto')];
  };
  expect(await getFile('')).toEqual([200, false]);
  expect(await getFile(`?samePhone=${other.id}`)).toEqual([200, true]);
  const confirmed = { leadId: lead.id, confirmation: String(lead.id), reason: 'asked' };
  const erase = async (shown: number[]): Promise<number> =>
    (await app.post('/trpc/admin.personalData.erase', { ...confirmed, shown }, owner)).status;
  expect(await erase([other.id])).toBe(409);
  expect(await erase([lead.id])).toBe(200);
  const left = await app.sql`select first_name from leads where erased_at is null`;
  expect([...left]).toEqual([{ first_name: 'Otto' }]);
});

const fileOfOne = z.object({
  leads: z.array(z.object({ id: z.number(), duplicateOf: z.number().nullable() })),
  suppressions: z.array(z.record(z.string(), z.unknown())),
  audit_log: z.array(z.object({ action: z.string(), detail: z.unknown() })),
});

test('a later export contains no sign of another person at the same phone', async () => {
  await using app = await testApp();
  const phone = '(303) 555-0142';
  const phoneE164 = '+13035550142';
  const other = await insertLead(app.db, { firstName: 'Otto', email: 'otto@mail.example', phone, phoneE164 });
  const mail = { email: 'zoe@mail.example', emailNorm: 'zoe@mail.example', phone, phoneE164 };
  const lead = await insertLead(app.db, { ...mail, duplicateOf: other.id });
  const again = await insertLead(app.db, { ...mail, duplicateOf: lead.id });
  const owner = await signedIn(app, 'owner');
  await suppress(app.db, {
    person: { emailNorm: 'otto@mail.example', phoneE164 },
    identityKey: await testIdentityKey(app),
    only: [other.id],
    leadId: other.id,
    reason: 'do-not-contact',
    how: 'staff',
    by: 'Otto’s friend',
    ip: null,
    now: new Date(),
  });
  const path = `/api/persons/${lead.id}.json`;
  await app.get(path, owner);
  const { leads, suppressions, audit_log } = fileOfOne.parse((await app.get(path, owner)).json());
  expect(leads).toEqual([
    { id: lead.id, duplicateOf: null },
    { id: again.id, duplicateOf: lead.id },
  ]);
  expect(suppressions).toEqual([
    { kind: 'phone', valueHmac: expect.stringMatching(/^[0-9a-f]{64}$/), leadId: null },
  ]);
  expect(audit_log).toEqual([{ action: 'person.export', detail: { leftOut: 1 } }]);
});
