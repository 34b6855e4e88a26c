import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { leads } from '#server/db/schema/index.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { exportPerson } from '#server/features/erasure/personExport.ts';
import { leadsCsv } from '#server/features/exports/listCsv.ts';
import { readAnswers } from '#server/features/identity/leadFieldValues.ts';
import { viewLead } from '#server/features/leads/detail/leadDetail.ts';
import { mailPerson } from '#server/features/mail/mailFacts.ts';
import { leadContact } from '#server/features/webhooks/eventBody.ts';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { questions } from '#shared/brand/questions.ts';
import type { Answer } from '#shared/leads/answers.ts';
import type { PageFormKey } from '#shared/leads/leadForms.ts';
import { answerName, listOptions, type Question } from '#shared/leads/questions.ts';
import { verifyEvidence } from '#test/support/evidence.ts';
import { leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';

const asked: readonly Question[] = questions;
const asksOnLanding = asked.filter(({ forms }) => forms.includes('landing'));

/** An answer to each question of a form: what is sent, and what is stored. */
function answerAll(form: PageFormKey): { sent: Record<string, string>; stored: Answer[] } {
  const stored = asked.flatMap((question): (Answer & { value: string })[] => {
    const { id, forms, label } = question;
    if (!forms.includes(form)) return [];
    const option = question.kind === 'text' ? null : listOptions(question, leadFormTexts.yesNo).at(-1);
    const text = 'Walks <b>uphill</b>';
    return [{ id, question: label, answer: option?.label ?? text, value: option?.value ?? text }];
  });
  return {
    sent: Object.fromEntries(stored.map(({ id, value }) => [id, value])),
    stored: stored.map(({ id, question, answer }) => ({ id, question, answer })),
  };
}

async function readStored(app: TestApp): Promise<{ lead: unknown; evidence: string | null }[]> {
  return app.sql`
    select leads.answers as lead, consent_records.answers as evidence
    from leads join consent_records on lead_id = leads.id order by leads.id`;
}

function postForm(app: TestApp, fields: Record<string, string>) {
  const body = new URLSearchParams({ form: 'landing', token: formToken('landing'), ...fields }).toString();
  return app.post('/api/leads', body, { 'content-type': 'application/x-www-form-urlencoded' });
}

/** The fields of a lead as a plain form posts them. */
function formFields(): Record<string, string> {
  const { first_name, last_name, email, phone, zip_code } = leadInput();
  return { first_name, last_name, email, phone, zip_code, acceptance_consent: 'on' };
}

describe('answers to the questions of the brand', () => {
  test('are stored with the lead and its evidence, by script and by plain form', async () => {
    await using app = await testApp();
    const { sent, stored } = answerAll('landing');
    expect(stored.length).toBeGreaterThan(0);
    const json = { ...leadInput({ form: 'landing', token: formToken('landing') }), answers: sent };
    expect((await app.post('/api/leads', json)).status).toBe(201);
    const named = Object.entries(sent).map(([id, value]) => [answerName(id), value]);
    expect((await postForm(app, { ...formFields(), ...Object.fromEntries(named) })).status).toBe(303);
    // As a page's script posts its form without itself.
    expect((await postForm(app, { ...formFields(), answers: JSON.stringify(sent) })).status).toBe(303);
    const evidence = JSON.stringify(stored);
    expect([...(await readStored(app))]).toEqual([
      { lead: stored, evidence },
      { lead: stored, evidence },
      { lead: stored, evidence },
    ]);
    expect((await verifyEvidence(app.database, [testSecret])).lines).toEqual([]);
  });

  test('never refuse a lead, whatever they are', async () => {
    await using app = await testApp();
    const hostile: unknown[] = [
      null,
      'morning',
      ['morning'],
      Object.fromEntries(asked.map(({ id }) => [id, ['morning', { a: 1 }]])),
      { unknown: 'morning', constructor: 'x' },
      JSON.parse('{"__proto__": {"best_time": "morning"}}'),
    ];
    for (const answers of hostile)
      expect((await app.post('/api/leads', { ...leadInput(), answers })).status).toBe(201);
    for (const { id } of asksOnLanding) {
      const fields = { ...formFields(), [`${answerName(id)}[]`]: 'x', 'answers[__proto__]': 'x' };
      expect((await postForm(app, fields)).status).toBe(303);
    }
    expect((await postForm(app, { ...formFields(), answers: '[[' })).status).toBe(303);
    const rows = await readStored(app);
    expect(rows).toHaveLength(hostile.length + asksOnLanding.length + 1);
    for (const row of rows) expect(row).toEqual({ lead: null, evidence: null });
    expect((await verifyEvidence(app.database, [testSecret])).lines).toEqual([]);
  });

  test('make a submission another one: the same key with other answers is refused', async () => {
    await using app = await testApp();
    const headers = { 'idempotency-key': 'answers' };
    const { sent } = answerAll('landing');
    const input = leadInput();
    const first = await app.post('/api/leads', { ...input, answers: sent }, headers);
    expect(first.status).toBe(201);
    const again = await app.post('/api/leads', { ...input, answers: { ...sent, other: 'x' } }, headers);
    expect([again.status, again.json()]).toEqual([201, first.json()]);
    expect((await app.post('/api/leads', input, headers)).status).toBe(422);
    expect(await readStored(app)).toHaveLength(1);
  });
});

/** A lead with an answer of the brand's words, and one that somebody typed to do harm. */
const typed: Answer = {
  id: 'typed',
  question: 'What is it about?',
  answer: `=1+1; see http://evil.example/x or mail a@evil.co <b>now</b> ${'x'.repeat(200)}`,
};
function chosenAnswer(): Answer {
  const question = asked.find(({ kind }) => kind !== 'text');
  if (question === undefined || question.kind === 'text') throw new Error('the brand has no choice');
  const answer = listOptions(question, leadFormTexts.yesNo)[0]?.label ?? '';
  return { id: question.id, question: question.label, answer };
}

describe('a lead with answers', () => {
  test('has them in the events, the CRM, the dashboard, the CSV and the provider’s email', async () => {
    await using at = await setUpIntake();
    const { db } = at.database;
    const [chosen, id] = [chosenAnswer(), (await at.send(leadInput())).body.id];
    await db
      .update(leads)
      .set({ answers: [chosen, typed] })
      .where(eq(leads.id, id));
    const [row] = await db.select().from(leads);
    if (row === undefined) throw new Error('no lead');
    for (const output of ['events', 'crm', 'drawer'] as const)
      expect(readAnswers(row, output)).toEqual({ answers: [chosen, typed] });
    expect(leadContact(row)).toMatchObject({ answers: [chosen, typed] });
    const { lead } = await viewLead(staffActionOn(at.database, at.clock), id);
    expect(lead.answers).toEqual([chosen, typed]);
    const csv: string[] = [];
    for await (const part of leadsCsv(db, {})) csv.push(part);
    expect(csv.join('')).toMatch(/,answers(?:,.*)?\r\n/);
    expect(csv.join('')).toContain(`${chosen.question}: ${chosen.answer}; ${typed.question}: =1+1`);
    const [first, second] = mailPerson(row).further;
    expect(first).toEqual({ label: chosen.question, text: chosen.answer });
    expect(second?.text).toMatch(/^1 1 see http evil example x or mail a evil co b now b x+$/);
    expect(second?.text.length).toBeLessThanOrEqual(100);
  });

  test('has nothing of them anywhere without any: bodies are as before', async () => {
    await using at = await setUpIntake();
    const { id } = (await at.send(leadInput())).body;
    const [row] = await at.database.db.select().from(leads);
    if (row === undefined) throw new Error('no lead');
    expect(leadContact(row)).not.toHaveProperty('answers');
    expect((await viewLead(staffActionOn(at.database, at.clock), id)).lead).not.toHaveProperty('answers');
    expect(mailPerson(row).further).toEqual([]);
  });

  test('loses them with the erasure of its person, also in the evidence, and verifies', async () => {
    await using at = await setUpIntake();
    const { db } = at.database;
    const { sent, stored } = answerAll('landing');
    const { id } = (await at.send({ ...leadInput(), answers: sent })).body;
    const { text } = await exportPerson(at.services, { leadId: id });
    expect(text).toContain(`"answer": ${JSON.stringify(stored[0]?.answer)}`);
    await erasePerson(staffActionOn(at.database, at.clock), { leadId: id, reason: 'asked' });
    const rows = await at.database.sql`
      select leads.answers as lead, consent_records.answers as evidence, hashes ->> 'answers' as hash
      from leads, consent_records join consent_erasures on record_id = consent_records.id`;
    expect([...rows]).toEqual([
      { lead: null, evidence: null, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect((await verifyEvidence(at.database, [testSecret])).lines).toEqual([]);
    expect(await db.select().from(leads)).toHaveLength(1);
  });
});
