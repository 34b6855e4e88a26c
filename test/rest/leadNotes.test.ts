import { expect, test } from 'vitest';
import { noteUndoSeconds } from '#shared/admin/leadActions.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { getToken, signedIn } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

const json = { 'content-type': 'application/json' };

test('a script notes something, and sets and removes a follow-up date, each audited', async () => {
  await using app = await testApp();
  const headers = { ...(await getToken(app, ['leads:write', 'leads:read'])), ...json };
  const { id } = await insertLead(app.db);
  const note = await app.post(`/api/leads/${id}/notes`, { text: '  Call after 5 PM.  ' }, headers);
  expect([note.status, note.json()]).toEqual([
    200,
    { id: expect.any(Number), at: expect.any(String), by: 'Staff', text: 'Call after 5 PM.' },
  ]);
  const followUp = (followUpOn: unknown) =>
    app.request('PATCH', `/api/leads/${id}/follow-up`, { headers, body: JSON.stringify({ followUpOn }) });
  expect((await followUp('2026-06-12')).json()).toMatchObject({ id, followUpOn: '2026-06-12' });
  expect((await followUp('2026-06-12')).status).toBe(200);
  expect((await followUp('2026-06-31')).status).toBe(422);
  expect((await app.get(`/api/leads/${id}`, headers)).json()).toMatchObject({
    lead: { followUpOn: '2026-06-12' },
    notes: [{ text: 'Call after 5 PM.', by: 'Staff' }],
  });
  expect((await followUp(null)).json()).toMatchObject({ followUpOn: null });
  const log = await app.sql`select action, detail from audit_log where action <> 'lead.view' order by id`;
  expect(log.map((row) => Object.values(row))).toEqual([
    ['lead.note', { noteId: expect.any(Number) }],
    ['lead.follow-up', { followUpOn: '2026-06-12', before: { followUpOn: null } }],
    ['lead.follow-up', { followUpOn: null, before: { followUpOn: '2026-06-12' } }],
  ]);
  expect(JSON.stringify(await app.sql`select * from audit_log`)).not.toContain('Call after');
});

test.each([
  [{ text: '   ' }, 422],
  [{ text: 'a'.repeat(2_001) }, 422],
  [{ text: 'a'.repeat(2_000) }, 200],
])('the note %# is answered with its status', async (body, status) => {
  await using app = await testApp();
  const headers = await getToken(app, ['leads:write']);
  const { id } = await insertLead(app.db);
  expect((await app.post(`/api/leads/${id}/notes`, body, headers)).status).toBe(status);
});

test('a deleted lead takes no note, and a token without leads:write writes none', async () => {
  await using app = await testApp();
  const [lead, deleted] = [await insertLead(app.db), await insertLead(app.db, { deletedAt: new Date() })];
  const [writing, reading] = [await getToken(app, ['leads:write']), await getToken(app, ['leads:read'])];
  const note = async (id: number, headers: Record<string, string>) =>
    (await app.post(`/api/leads/${id}/notes`, { text: 'A note.' }, headers)).status;
  expect([await note(deleted.id, writing), await note(lead.id, reading)]).toEqual([404, 403]);
  expect(await app.sql`select 1 from lead_notes`).toHaveLength(0);
});

test('its author takes back a note within a minute, nobody else and not later', async () => {
  let now = Date.parse('2026-06-10T12:00:00Z');
  await using app = await testApp({ now: () => new Date(now) });
  const [author, other] = [await signedIn(app), await signedIn(app)];
  const { id } = await insertLead(app.db);
  const add = async (): Promise<number> => {
    await app.post('/trpc/admin.leads.addNote', { id, text: 'A note.' }, author);
    const [row] = await app.sql<{ id: number }[]>`select max(id)::int as id from lead_notes`;
    return row?.id ?? 0;
  };
  const undo = async (noteId: number, headers: Record<string, string>) =>
    (await app.post('/trpc/admin.leads.undoNote', { id, noteId }, headers)).status;
  const first = await add();
  expect(await undo(first, other)).toBe(409);
  expect(await undo(first, author)).toBe(200);
  const second = await add();
  now += noteUndoSeconds * 1000;
  expect(await undo(second, author)).toBe(409);
  expect(await app.sql`select id::int from lead_notes`).toEqual([{ id: second }]);
  const log = await app.sql`select action from audit_log where action like 'lead.note%' order by id`;
  expect(log.map(({ action }) => action as unknown)).toEqual(['lead.note', 'lead.note-undo', 'lead.note']);
});
