import { expect, test } from 'vitest';
import { formSteps } from '#server/db/schema/index.ts';
import { testDb } from '#test/support/testDb.ts';
import { createFormStepCounter } from './formStepCounter.ts';

test('processes add their counts to the same rows, by UTC day', async () => {
  await using database = await testDb();
  const { db } = database;
  let time = '2026-07-01T23:59:59Z';
  const [one, two] = [0, 1].map(() => createFormStepCounter({ db, now: () => new Date(time) }));
  one?.count('quiz', 'started');
  one?.count('quiz', 'started');
  one?.count('landing', 'started');
  two?.count('landing', 'zip');
  two?.count('quiz', 'started');
  time = '2026-07-02T00:00:00Z';
  one?.count('quiz', 'sent');
  await Promise.all([one?.store(), two?.store()]);
  one?.count('quiz', 'sent');
  await one?.store();
  // Nothing was counted since.
  await Promise.all([one?.store(), two?.store()]);
  expect(await db.select().from(formSteps).orderBy(formSteps.day, formSteps.form, formSteps.step)).toEqual([
    { day: '2026-07-01', form: 'landing', step: 'started', count: 1 },
    { day: '2026-07-01', form: 'landing', step: 'zip', count: 1 },
    { day: '2026-07-01', form: 'quiz', step: 'started', count: 3 },
    { day: '2026-07-02', form: 'quiz', step: 'sent', count: 2 },
  ]);
});

test('counts that could not be stored are kept and added to later ones', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  const counter = createFormStepCounter({ db, now: () => new Date('2026-07-01T12:00:00Z') });
  counter.count('find', 'started');
  await sql`alter table form_steps rename to form_steps_away`;
  await expect(counter.store()).rejects.toThrow('form_steps');
  counter.count('find', 'started');
  await sql`alter table form_steps_away rename to form_steps`;
  await counter.store();
  expect(await db.select().from(formSteps)).toEqual([
    { day: '2026-07-01', form: 'find', step: 'started', count: 2 },
  ]);
});

test('reports of one network count thirty times a minute, another one’s beside it', async () => {
  await using database = await testDb();
  const { db } = database;
  const counter = createFormStepCounter({ db, now: () => new Date('2026-07-01T12:00:00Z') });
  for (let sent = 0; sent < 40; sent += 1) await counter.countReported('203.0.113.9', 'quiz', 'zip');
  for (let sent = 0; sent < 5; sent += 1) await counter.countReported('198.51.100.9', 'quiz', 'zip');
  await counter.store();
  expect(await db.select().from(formSteps)).toMatchObject([{ step: 'zip', count: 35 }]);
});
