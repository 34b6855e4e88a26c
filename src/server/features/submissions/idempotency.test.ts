import { describe, expect, test } from 'vitest';
import { leadInput } from '#test/support/factories.ts';
import type { Caller } from '#server/caller.ts';
import { testCaller } from '#test/support/caller.ts';
import { countLeads, type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { meets } from '#test/support/meets.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import { createToken } from '../auth/tokens.ts';
import { makePerson } from '../identity/identity.ts';
import { leadContent, purgeExpiredKeys } from './idempotency.ts';

/** A script with an API token for leads. */
async function getScript(at: IntakeSetup): Promise<Partial<Caller>> {
  const created = { name: 'Orders', scopes: ['leads:write' as const], createdBy: 'Test' };
  const { token } = await createToken(at.database.db, { ...created, now: new Date(at.clock.ms) });
  return { credentials: { ...testCaller().credentials, bearer: token } };
}

describe('one submission makes one lead', () => {
  test('twenty senders with one key at once get the same answer and one lead', async () => {
    meets('D.leads.68');
    await using at = await setUpIntake();
    const input = leadInput();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => at.send(input, { idempotencyKey: 'one-key' })),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await countLeads(at.database)).toBe(1);
  });

  test('the same key with other content is refused', async () => {
    meets('D.leads.70');
    await using at = await setUpIntake();
    await at.send(leadInput(), { idempotencyKey: 'reused' });
    await expect(at.send(leadInput(), { idempotencyKey: 'reused' })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      message: 'This Idempotency-Key was already used with different content.',
    });
    expect(await countLeads(at.database)).toBe(1);
  });

  test('content without answers is what it was before there were questions', async () => {
    await using at = await setUpIntake();
    const { answers: _, ...input } = leadInput();
    const keys = { idempotencyKey: 'no-answers' };
    await at.send(input, keys);
    for (const answers of [undefined, {}, { unknown: 'x' }])
      expect((await at.send({ ...input, answers }, keys)).replayed).toBe(true);
    const submission = leadCreateInput.parse(input);
    expect(leadContent(submission, makePerson(submission), null)).toHaveLength(9);
  });

  test('two hosts may use the same key for different leads', async () => {
    await using at = await setUpIntake();
    const hosts = ['a.example', 'b.example'];
    for (const host of hosts)
      await at.send(leadInput(), { idempotencyKey: 'k', site: { kind: 'unknown', host, tenant: null } });
    expect(await countLeads(at.database)).toBe(2);
  });

  test('a key lives 24 hours and is then free again, purged or not', async () => {
    meets('D.leads.67');
    await using at = await setUpIntake();
    const input = leadInput();
    await at.send(input, { idempotencyKey: 'day' });
    at.clock.ms += 24 * 3_600_000 - 1;
    expect((await at.send(input, { idempotencyKey: 'day' })).replayed).toBe(true);
    at.clock.ms += 1;
    expect((await at.send(input, { idempotencyKey: 'day' })).replayed).toBe(false);
    at.clock.ms += 25 * 3_600_000;
    await purgeExpiredKeys(at.database.db, new Date(at.clock.ms));
    expect(await at.database.sql`select 1 from idempotency_keys`).toHaveLength(0);
  });

  test('without a key, the same content within a minute is folded; later it is a repeat', async () => {
    await using at = await setUpIntake();
    const input = leadInput({ email: 'fold@example.com', phone: '(303) 555-0142' });
    const first = await at.send(input);
    const again = await at.send({
      ...input,
      email: 'FOLD@example.com',
      phone: '303-555-0142',
      attribution: { last: { utm_source: 'x' } },
    });
    expect(again).toEqual({ ...first, replayed: true });
    at.clock.ms += 60_000;
    const later = await at.send(input);
    expect(later.replayed).toBe(false);
    expect(await at.lead(later.body.id)).toMatchObject({ duplicate_of: String(first.body.id) });
  });

  test('a parallel double click without a key makes one lead', async () => {
    meets('D.leads.65');
    await using at = await setUpIntake();
    const input = leadInput();
    const answers = await Promise.all(Array.from({ length: 8 }, () => at.send(input)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await countLeads(at.database)).toBe(1);
  });

  test('a copy that was set aside never swallows the good one', async () => {
    await using at = await setUpIntake();
    const token = at.services.submissions.formTokens.issue('landing');
    const input = leadInput({ form: 'landing', token });
    at.clock.ms += 1_000;
    const early = await at.send(input);
    at.clock.ms += 5_000;
    const good = await at.send(input);
    expect(good.body.id).not.toBe(early.body.id);
    expect(await at.lead(early.body.id)).toMatchObject({ quarantine_reason: 'token-early' });
    expect(await at.lead(good.body.id)).toMatchObject({ quarantine_reason: null, duplicate_of: null });
  });

  test('when the first sender fails, the second stores', async () => {
    await using at = await setUpIntake();
    const { sql } = at.database;
    await sql`create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`;
    await sql`create trigger fail_once before insert on leads for each row execute function fail_once()`;
    const input = leadInput();
    await expect(at.send(input, { idempotencyKey: 'again' })).rejects.toThrow('no');
    expect(await sql`select 1 from idempotency_keys`).toHaveLength(0);
    await sql`drop trigger fail_once on leads`;
    expect((await at.send(input, { idempotencyKey: 'again' })).replayed).toBe(false);
  });

  test.each(['x'.repeat(256), 'tab\tinside', 'naïve'])('%j is no usable key', async (idempotencyKey) => {
    await using at = await setUpIntake();
    await expect(at.send(leadInput(), { idempotencyKey })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a replay uses up nothing of the limit of its network', async () => {
    meets('D.leads.69');
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '4/1h' });
    const input = leadInput();
    const first = await at.send(input, { idempotencyKey: 'replayed' });
    for (let count = 0; count < 10; count++)
      expect(await at.send(input, { idempotencyKey: 'replayed' })).toEqual({ ...first, replayed: true });
    // A script has half of the window: the second is the last.
    expect((await at.send(leadInput())).replayed).toBe(false);
    await expect(at.send(leadInput())).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect((await at.send(input, { idempotencyKey: 'replayed' })).replayed).toBe(true);
    // The key's other content is refused as such, even with a full window.
    await expect(at.send(leadInput(), { idempotencyKey: 'replayed' })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
    });
  });

  test('concurrent copies of one submission count once', async () => {
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '8/1h' });
    const input = leadInput();
    const copies = await Promise.all(
      Array.from({ length: 3 }, () => at.send(input, { idempotencyKey: 'thrice' })),
    );
    expect(copies.filter(({ replayed }) => !replayed)).toHaveLength(1);
    // A script has half of the window, so three are left.
    for (let count = 0; count < 3; count++) await at.send(leadInput());
    await expect(at.send(leadInput())).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  test('replays have a limit of their own for each network, which writes nothing', async () => {
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '1000/1h' });
    const input = leadInput();
    const send = (ip: string) => at.send(input, { idempotencyKey: 'again and again', ip });
    await send('192.0.2.1');
    const counted = await at.database.sql`select * from rate_limits`;
    for (let count = 0; count < 60; count++) expect((await send('192.0.2.1')).replayed).toBe(true);
    await expect(send('192.0.2.1')).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterSeconds: expect.any(Number),
    });
    expect((await send('198.51.100.1')).replayed).toBe(true);
    expect(await at.database.sql`select * from rate_limits`).toEqual(counted);
  });

  test('a replay says so in a header, a first answer does not', async () => {
    await using at = await setUpIntake();
    const input = leadInput();
    const [first, second] = [new Map<string, string>(), new Map<string, string>()];
    await at.send(input, { responseHeaders: first });
    await at.send(input, { responseHeaders: second });
    expect([first.get('Idempotent-Replayed'), second.get('Idempotent-Replayed')]).toEqual([
      undefined,
      'true',
    ]);
  });
});

describe('nobody answers for another sender', () => {
  test('a key that somebody without a token took first stays free for a script with one', async () => {
    await using at = await setUpIntake();
    const script = { ...(await getScript(at)), idempotencyKey: 'order-4712' };
    const [decoy, order] = [leadInput(), leadInput()];
    await at.send(decoy, { idempotencyKey: 'order-4712' });
    const stored = await at.send(order, script);
    expect(stored.replayed).toBe(false);
    expect(await at.send(order, script)).toEqual({ ...stored, replayed: true });
    await expect(at.send(leadInput(), script)).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' });
    expect((await at.send(decoy, { idempotencyKey: 'order-4712' })).replayed).toBe(true);
    expect(await countLeads(at.database)).toBe(2);
  });

  test('a key that a script used under 1.0.1 still gets its answer', async () => {
    await using at = await setUpIntake();
    const order = leadInput({ form: 'landing' });
    // 1.0.1 stored everybody's under the key that forms have.
    const first = await at.sendForm(order, { idempotencyKey: 'order-1' });
    expect(await at.send(order, { idempotencyKey: 'order-1' })).toEqual({ ...first, replayed: true });
    const script = { ...(await getScript(at)), idempotencyKey: 'order-1' };
    expect(await at.send(order, script)).toEqual({ ...first, replayed: true });
    at.clock.ms += 24 * 3_600_000;
    expect((await at.send(order, script)).replayed).toBe(false);
  });

  test('content from a script without a token doesn’t answer a form, or one with a token', async () => {
    await using at = await setUpIntake();
    const token = at.token('landing');
    const input = leadInput({ form: 'landing' });
    const copies = [
      await at.send(input),
      await at.send({ ...input, token }),
      await at.send(input, await getScript(at)),
    ];
    expect(copies.map(({ replayed }) => replayed)).toEqual([false, false, false]);
    const [copy, own] = copies.map(({ body }) => body.id);
    expect(await at.consent(own ?? 0)).toMatchObject({ form_key: 'landing' });
    expect(await at.consent(copy ?? 0)).toMatchObject({ form_key: 'api' });
    expect((await at.send(input)).body.id).toBe(copy);
    expect((await at.send({ ...input, token })).body.id).toBe(own);
  });
});
