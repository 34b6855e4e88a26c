import { expect, test } from 'vitest';
import { z } from 'zod';
import { withdrawPath } from '#shared/pages/paths.ts';
import { identityHash } from '#server/features/identity/identityHashes.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { leadInput } from '#test/support/factories.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { pressLink } from '#test/support/linkForm.ts';
import { getToken } from '#test/support/staff.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';

const phone = '(303) 555-0191';
const oneLead = z.object({ id: z.number() });
const taskList = z.object({
  tasks: z.array(z.object({ id: z.number(), lead: oneLead, leads: z.array(oneLead), leadCount: z.number() })),
});

async function openTasks(app: TestApp) {
  return taskList.parse((await app.get('/api/tasks', await getToken(app, ['leads:read']))).json()).tasks;
}

async function decide(app: TestApp, task: number, decision: string): Promise<Answer> {
  return app.post(`/api/tasks/${task}/complete`, { decision }, await getToken(app, ['leads:write']));
}

function getPath({ services }: TestApp, { publicId }: { publicId: string }): string {
  return withdrawPath(signWithdrawal(services.config.secretKeys, publicId));
}

test('one task has all leads with a withdrawn phone, and one decision completes it', async () => {
  await using app = await testApp();
  const victim = (await insertAgreed(app.db, { email: 'vera@victim.example', phone })).id;
  const stranger = await insertAgreed(app.db, { email: 'mal@attacker.example', phone });
  await pressLink(app, getPath(app, stranger));
  const [task = 0] = (await openTasks(app)).map(({ id }) => id);
  const sendMany = async (count: number): Promise<number[]> => {
    const ids: number[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      const answer = await app.post('/api/leads', leadInput({ phone }));
      ids.push(z.object({ id: z.number() }).parse(answer.json()).id);
    }
    return ids;
  };
  const sent = await sendMany(25);
  const shown = { id: task, lead: { id: victim }, leadCount: 26 };
  const leads = [victim, ...sent.slice(0, 19)].map((id) => ({ id }));
  expect(await openTasks(app)).toMatchObject([{ ...shown, leads }]);
  expect((await decide(app, task, 'keep-serving')).status).toBe(200);
  expect(await openTasks(app)).toEqual([]);
  const [later = 0] = await sendMany(1);
  const again = await openTasks(app);
  expect(again).toMatchObject([{ lead: { id: later }, leads: [{ id: later }], leadCount: 1 }]);
  expect((await decide(app, again[0]?.id ?? 0, 'stop-phone')).json()).toMatchObject({
    leadIds: expect.arrayContaining([victim, ...sent, later]),
  });
  expect(await openTasks(app)).toEqual([]);
});

async function correct(app: TestApp, id: number, change: object): Promise<number> {
  const headers = { ...(await getToken(app, ['leads:write'])), 'content-type': 'application/json' };
  return (await app.request('PATCH', `/api/leads/${id}`, { headers, body: JSON.stringify(change) })).status;
}

test('a decision about a reply stops the address it came for, not the corrected one', async () => {
  await using app = await testApp();
  const lead = await insertAgreed(app.db, { email: 'kit@exmaple.com' });
  const other = await insertAgreed(app.db, { email: 'kit@exmaple.com' });
  await app.sql`
    insert into staff_tasks (kind, lead_id, created_at) values ('reply-received', ${lead.id}, now() - interval '1 minute')`;
  const [task = 0] = (await openTasks(app)).map(({ id }) => id);
  for (const email of ['second@mail.example', 'right@mail.example'])
    expect(await correct(app, lead.id, { email })).toBe(200);
  expect((await decide(app, task, 'stop-email')).json()).toEqual({ id: task, leadIds: [other.id] });
  const key = await testIdentityKey(app.database);
  expect([...(await app.sql`select kind, value_hmac from suppressions`)]).toEqual([
    { kind: 'email', value_hmac: identityHash(key, 'email', 'kit@exmaple.com') },
  ]);
  expect([...(await app.sql`select lead_id::int as id from consent_withdrawals`)]).toEqual([
    { id: other.id },
  ]);
  expect(await openTasks(app)).toEqual([]);
});

test('a decision about a withdrawn phone ends with the number, and no corrected one', async () => {
  await using app = await testApp();
  const lead = await insertAgreed(app.db, { email: 'vera@victim.example', phone });
  const stranger = await insertAgreed(app.db, { email: 'mal@attacker.example', phone });
  await pressLink(app, getPath(app, stranger));
  const [task = 0] = (await openTasks(app)).map(({ id }) => id);
  expect(await correct(app, lead.id, { phone: '(303) 555-0192' })).toBe(200);
  expect((await decide(app, task, 'stop-phone')).status).toBe(404);
  expect(await app.sql`select 1 from suppressions where kind = 'phone'`).toHaveLength(0);
});

test('a decision about an email leaves the phone to others, whose leads get a task', async () => {
  await using app = await testApp();
  const stranger = await insertAgreed(app.db, { email: 'mal@attacker.example', phone });
  const victim = (await insertAgreed(app.db, { email: 'vera@victim.example', phone })).id;
  await app.sql`insert into staff_tasks (kind, lead_id) values ('reply-received', ${stranger.id})`;
  const [task = 0] = (await openTasks(app)).map(({ id }) => id);
  expect((await decide(app, task, 'stop-email')).json()).toMatchObject({ leadIds: [stranger.id] });
  expect(await openTasks(app)).toMatchObject([{ lead: { id: victim }, leadCount: 1 }]);
  const later = oneLead.parse((await app.post('/api/leads', leadInput({ phone }))).json()).id;
  expect(await openTasks(app)).toMatchObject([{ leads: [{ id: victim }, { id: later }], leadCount: 2 }]);
});

test('the list of tasks has more than two hundred in pages, and counts them', async () => {
  await using app = await testApp();
  const ids: number[] = [];
  for (let made = 0; made < 203; made += 1) ids.push((await insertLead(app.db)).id);
  await app.sql`insert into staff_tasks (kind, lead_id) select 'reply-received', id from leads order by id`;
  const headers = await getToken(app, ['leads:read']);
  const listed: number[] = [];
  let path: string | undefined = '/api/tasks';
  while (path !== undefined) {
    const answer: Answer = await app.get(path, headers);
    const { tasks } = z
      .object({ tasks: z.array(z.object({ lead: z.object({ id: z.number() }) })) })
      .parse(answer.json());
    expect([tasks.length <= 200, answer.headers['x-total-count']]).toEqual([true, '203']);
    listed.push(...tasks.map(({ lead }) => lead.id));
    path = /^<(.+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1];
  }
  expect(listed).toEqual(ids);
});
