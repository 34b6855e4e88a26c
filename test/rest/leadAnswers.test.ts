import { describe, expect, test } from 'vitest';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { questions } from '#shared/brand/questions.ts';
import type { Answer } from '#shared/leads/answers.ts';
import type { PageFormKey } from '#shared/leads/leads.ts';
import { answerName, listOptions, type Question } from '#shared/leads/questions.ts';
import { verifyEvidence } from '#test/support/evidence.ts';
import { leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
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
