import { expect, test } from 'vitest';
import { z } from 'zod';
import { withdrawPath } from '#shared/pages/paths.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { leadInput } from '#test/support/factories.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { pressLink } from '#test/support/linkForm.ts';
import { tokenOf } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';

const phone = '(303) 555-0191';
const oneLead = z.object({ id: z.number() });
const taskList = z.object({
  tasks: z.array(z.object({ id: z.number(), lead: oneLead, leads: z.array(oneLead), leadCount: z.number() })),
});

async function openTasks(app: TestApp) {
  return taskList.parse((await app.get('/api/tasks', await tokenOf(app, ['leads:read']))).json()).tasks;
}

async function decide(app: TestApp, task: number, decision: string): Promise<Answer> {
  return app.post(`/api/tasks/${task}/complete`, { decision }, await tokenOf(app, ['leads:write']));
}

function pathOf({ services }: TestApp, { publicId }: { publicId: string }): string {
  return withdrawPath(signWithdrawal(services.config.secretKeys, publicId));
}

test('one task has all leads with a withdrawn phone, and one decision completes it', async () => {
  await using app = await testApp();
  const victim = (await insertAgreed(app.db, { email: 'vera@victim.example', phone })).id;
  const stranger = await insertAgreed(app.db, { email: 'mal@attacker.example', phone });
  await pressLink(app, pathOf(app, stranger));
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

test('the list of tasks has more than two hundred in pages, and counts them', async () => {
  await using app = await testApp();
  const ids: number[] = [];
  for (let made = 0; made < 203; made += 1) ids.push((await insertLead(app.db)).id);
  await app.sql`insert into staff_tasks (kind, lead_id) select 'reply-received', id from leads order by id`;
  const headers = await tokenOf(app, ['leads:read']);
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
