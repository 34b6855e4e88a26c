import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { requestRematch } from '#server/features/leads/changes/rematch.ts';
import { linkEnd, signOutcome } from '#server/features/mail/linkTokens.ts';
import { takeDueReturns } from '#server/features/outcomes/recordOutcome.ts';
import { signText } from '#server/security/signedText.ts';
import { outcome as copy } from '#shared/brand/outcome.ts';
import { type LeadOutcome, leadOutcomeNames as names, leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { linkForm, pageToken, pressLink } from '#test/support/linkForm.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { getToken } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
interface Given {
  leadId: number;
  providerId: number;
  pathOf: (outcome: LeadOutcome) => string;
}

/** A lead with its provider, and the links in that provider's email. */
async function given(app: TestApp, now = new Date()): Promise<Given> {
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  const lead = await insertAgreed(app.db, {
    providerId: provider.id,
    firstName: 'Kit',
    lastName: 'Concealed',
    email: 'concealed@mail.example',
    phone: '(303) 555-0142',
  });
  const link = { publicId: lead.publicId, providerId: provider.id, endsAt: linkEnd(now) };
  const getPath = (outcome: LeadOutcome): string =>
    `/outcome/${signOutcome(app.services.config.secretKeys, { ...link, outcome })}`;
  return { leadId: lead.id, providerId: provider.id, pathOf: getPath };
}

async function listOutcomes({ sql }: TestApp): Promise<unknown[]> {
  return (await sql`select outcome, by from lead_outcomes order by id`).map((row) => Object.values(row));
}

/** The buttons' values, in order. */
function listButtons(html: string): string[] {
  const buttons = html.match(/<button[^>]*name="outcome"[^>]*>/g) ?? [];
  return buttons.map((button) => /value="([^"]*)"/.exec(button)?.[1] ?? '');
}

describe('the page of the link of a provider', () => {
  test('shows first name and ZIP, proposes the outcome and changes nothing', async () => {
    await using app = await testApp();
    const { pathOf } = await given(app);
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await app.request(method, pathOf('booked'));
      expect([status, headers['cache-control'], headers['x-robots-tag'], headers['referrer-policy']]).toEqual(
        [200, 'no-store', 'noindex', 'no-referrer'],
      );
    }
    const { text } = await app.get(pathOf('booked'));
    expect(text).toContain(copy.ask.title('Kit', '80202'));
    expect(text).toContain('method="post"');
    expect(listButtons(text)).toEqual(['booked', 'reached', 'not-reachable', 'wrong-area', 'duplicate']);
    expect(text).not.toMatch(/<script|concealed|555-?0142|3035550142/i);
    expect(await listOutcomes(app)).toEqual([]);
  });

  test('records the choice on a plain POST, confirms it and accepts another', async () => {
    const clock = { ms: Date.now() };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const { pathOf } = await given(app);
    const path = pathOf('reached');
    for (const body of ['outcome=reached', 'outcome=reached', '']) {
      const answer = await pressLink(app, path, body);
      expect([answer.status, answer.headers.location]).toEqual([303, path]);
    }
    expect(await listOutcomes(app)).toEqual([['reached', 'Clinic']]);
    const { text } = await app.get(path);
    expect(text).toContain(copy.noted.title(names.reached));
    expect(listButtons(text)).toEqual(['reached', 'booked', 'not-reachable', 'wrong-area', 'duplicate']);
    expect(text).toMatch(/<button[^>]*value="reached"[^>]*aria-current="true"/);
    clock.ms += 60_000;
    await pressLink(app, path, 'outcome=booked');
    expect((await app.get(path)).text).toContain(copy.noted.title(names.booked));
    expect(await listOutcomes(app)).toEqual([
      ['reached', 'Clinic'],
      ['booked', 'Clinic'],
    ]);
    expect((await pressLink(app, path, 'outcome=sold')).status).toBe(400);
    expect(await listOutcomes(app)).toHaveLength(2);
  });

  test('a POST without the page’s token records nothing, and the page asks again', async () => {
    const clock = { ms: Date.now() };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const { pathOf } = await given(app, new Date(clock.ms));
    const path = pathOf('wrong-area');
    const expired = await pageToken(app, path);
    clock.ms += 86_400_001;
    const foreign = await pageToken(app, pathOf('booked'));
    for (const token of [null, '', expired, foreign]) {
      const body = `outcome=wrong-area${token === null ? '' : `&token=${token}`}`;
      const { status, text } = await app.post(path, body, form);
      expect([body, status, text.includes(copy.ask.title('Kit', '80202'))]).toEqual([body, 200, true]);
    }
    expect(await takeDueReturns(app.services)).toBe(0);
    expect(await app.sql`select 1 from outcome_choices`).toHaveLength(0);
    expect(await listOutcomes(app)).toEqual([]);
  });

  test('a scanner that opens every link and presses it records nothing', async () => {
    const clock = { ms: Date.now() };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const { pathOf, leadId, providerId } = await given(app, new Date(clock.ms));
    const answers = [];
    for (const outcome of leadOutcomes) {
      answers.push((await pressLink(app, pathOf(outcome))).status);
      clock.ms += 1_000;
    }
    expect(answers).toEqual([303, 200, 200, 200, 200]);
    clock.ms += 600_000;
    await takeDueReturns(app.services);
    expect(await listOutcomes(app)).toEqual([]);
    const standing = await app.sql`select provider_id::int, outcome from leads where id = ${leadId}`;
    expect([...standing]).toEqual([{ provider_id: providerId, outcome: null }]);
    expect((await pressLink(app, pathOf('booked'))).status).toBe(303);
    expect(await listOutcomes(app)).toEqual([['booked', 'Clinic']]);
  });

  test('two different outcomes within a minute keep the earlier one, and say why', async () => {
    const clock = { ms: Date.now() };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const { pathOf, leadId } = await given(app, new Date(clock.ms));
    await app.sql`
      insert into webhook_endpoints (id, url, types, secret, created_by) values (gen_random_uuid(), 'https://a.example', '{}', 's', 'x')`;
    await pressLink(app, pathOf('not-reachable'));
    clock.ms += 86_400_000;
    await pressLink(app, pathOf('booked'));
    clock.ms += 59_000;
    const { status, text } = await pressLink(app, pathOf('booked'), 'outcome=duplicate');
    expect([status, text.includes(copy.contradiction.title)]).toEqual([200, true]);
    expect(await listOutcomes(app)).toEqual([['not-reachable', 'Clinic']]);
    const events = await app.sql`select data->'outcome' as outcome from webhook_events order by at, id`;
    expect(events.map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(['not-reachable', 'booked', 'not-reachable']),
    );
    const headers = await getToken(app, ['leads:read']);
    expect((await app.get(`/api/leads/${leadId}/outcome`, headers)).json()).toMatchObject({
      outcome: 'not-reachable',
      reports: [{ outcome: 'not-reachable' }],
    });
    // Both are a minute old: another choice counts.
    clock.ms += 60_000;
    expect((await pressLink(app, pathOf('booked'))).status).toBe(303);
    expect(await listOutcomes(app)).toHaveLength(2);
  });

  test('wrong area waits five minutes, is shown to staff, and another choice replaces it', async () => {
    const clock = { ms: Date.now() };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const { pathOf, leadId, providerId } = await given(app, new Date(clock.ms));
    const headers = await getToken(app, ['leads:read']);
    await pressLink(app, pathOf('wrong-area'));
    expect((await app.get(pathOf('booked'))).text).toContain(copy.pending.text);
    const pressedAt = new Date(clock.ms);
    const seen = (await app.get(`/api/leads/${leadId}/outcome`, headers)).json();
    expect(seen).toMatchObject({
      outcome: null,
      reports: [
        { outcome: 'wrong-area', takes_effect_at: new Date(pressedAt.getTime() + 300_000).toISOString() },
      ],
    });
    clock.ms += 299_000;
    expect(await takeDueReturns(app.services)).toBe(0);
    expect((await pressLink(app, pathOf('booked'))).status).toBe(303);
    clock.ms += 3_600_000;
    expect(await takeDueReturns(app.services)).toBe(0);
    const standing = await app.sql`select provider_id::int, outcome from leads where id = ${leadId}`;
    expect([...standing]).toEqual([{ provider_id: providerId, outcome: 'booked' }]);
    expect(await app.sql`select 1 from outcome_choices`).toHaveLength(0);
  });

  test('says after wrong area that the lead was passed on', async () => {
    const clock = { ms: Date.now() };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const { pathOf, leadId } = await given(app, new Date(clock.ms));
    await pressLink(app, pathOf('wrong-area'));
    clock.ms += 300_000;
    // A process that starts later takes it too.
    await using second = await testApp({ database: app.database, now: () => new Date(clock.ms) });
    expect(await takeDueReturns(second.services)).toBe(1);
    expect((await app.get(pathOf('booked'))).text).toContain(copy.returned.title);
    const path = pathOf('booked');
    await app.post(path, linkForm(app.services, path), form);
    expect(await listOutcomes(app)).toEqual([['wrong-area', 'Clinic']]);
    const { pathOf: otherPath, leadId: other } = await given(app);
    const next = await insertProvider(app.db);
    await app.sql`update leads set provider_id = ${next.id} where id = ${other}`;
    expect((await app.get(otherPath('booked'))).text).toContain(copy.moved.title);
    await app.sql`update leads set deleted_at = now() where id = ${leadId}`;
    const gone = await app.get(pathOf('booked'));
    expect([gone.status, gone.text.includes(copy.gone.title)]).toEqual([410, true]);
  });

  test('expires after ninety days, to the second', async () => {
    const clock = { ms: Date.parse('2026-06-01T12:00:00Z') };
    await using app = await testApp({ now: () => new Date(clock.ms) });
    const { pathOf } = await given(app, new Date(clock.ms));
    clock.ms += 90 * 86_400_000 - 1;
    expect((await app.get(pathOf('booked'))).status).toBe(200);
    clock.ms += 1;
    for (const method of ['GET', 'POST']) {
      const { status, text } = await app.request(method, pathOf('booked'));
      expect([status, text.includes(copy.expired.title)]).toEqual([410, true]);
    }
    expect(await listOutcomes(app)).toEqual([]);
  });

  test('rejects a forged link on the main site', async () => {
    meets('D.abuse.22');
    await using app = await testApp();
    const { pathOf, providerId, leadId } = await given(app);
    const path = pathOf('booked');
    const seconds = Math.floor(Date.now() / 1000) + 3600;
    const byNumber = `${leadId}_${providerId}_booked_${seconds}`;
    for (const wrong of [
      `/outcome/${signText(app.services.config.secretKeys, 'outcome', byNumber)}`,
      path.slice(0, -2),
      path.replace('booked', 'reached'),
      '/outcome/x',
      '/outcome/%00',
    ]) {
      for (const method of ['GET', 'POST']) {
        const { status, text } = await app.request(method, wrong);
        expect([method, wrong, status, text.includes(copy.unknown.title)]).toEqual([
          method,
          wrong,
          404,
          true,
        ]);
      }
    }
    expect((await app.request('DELETE', path)).headers.allow).toBe('GET, HEAD, POST');
    expect(await listOutcomes(app)).toEqual([]);
  });

  test('works on the provider’s own host, and is a 404 on any other provider’s', async () => {
    meets('D.conformity.18');
    await using app = await testApp();
    const { pathOf, providerId } = await given(app);
    const [own] = await app.db.select().from(providers).where(eq(providers.id, providerId));
    const other = await insertProvider(app.db);
    if (own === undefined) throw new Error('the provider was not stored');
    await app.knows(own);
    await app.knows(other);
    const path = pathOf('booked');
    for (const host of [app.as(other), app.as('unknown.example')]) {
      expect((await host.get(path)).status).toBe(404);
      expect((await host.post(path, '', form)).status).not.toBe(303);
    }
    expect((await app.as(own).get(path.slice(0, -2))).status).toBe(404);
    expect(await listOutcomes(app)).toEqual([]);
    const opened = await app.as(own).get(path);
    expect([opened.status, opened.text.includes(copy.ask.title('Kit', '80202'))]).toEqual([200, true]);
    const answer = await pressLink(app.as(own), path);
    expect([answer.status, answer.headers.location]).toEqual([303, path]);
    expect(await listOutcomes(app)).toEqual([['booked', 'Clinic']]);
  });

  test('says that a purged lead is gone', async () => {
    await using app = await testApp();
    const { pathOf, leadId } = await given(app);
    await app.sql`delete from leads where id = ${leadId}`;
    for (const method of ['GET', 'POST'])
      expect([method, (await app.request(method, pathOf('booked'))).status]).toEqual([method, 410]);
    expect((await app.get(pathOf('booked'))).text).toContain(copy.gone.title);
    expect(await listOutcomes(app)).toEqual([]);
  });

  test('accepts sixty answers a minute from one network', async () => {
    await using app = await testApp();
    const { pathOf } = await given(app);
    const path = pathOf('booked');
    const body = linkForm(app.services, path);
    for (let count = 0; count < 60; count += 1) expect((await app.post(path, body, form)).status).toBe(303);
    const { status, headers, text } = await app.post(path, body, form);
    expect([status, text.includes(copy.failed.title)]).toEqual([429, true]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['ratelimit']).toContain('r=0');
  });

  test('asks to retry while the database is unavailable', async () => {
    await using app = await testApp();
    const { pathOf } = await given(app);
    await app.services.db.$client.end();
    const { status, headers, text } = await app.get(pathOf('booked'));
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(text).toContain(copy.failed.title);
  });
});

describe('scripts', () => {
  test('record an outcome and filter the list by it', async () => {
    await using app = await testApp();
    const { leadId } = await given(app);
    const headers = await getToken(app, ['leads:read', 'leads:write']);
    const noted = await app.post(`/api/leads/${leadId}/outcome`, { outcome: 'booked' }, headers);
    expect([noted.status, noted.json()]).toEqual([
      200,
      expect.objectContaining({ id: leadId, outcome: 'booked' }),
    ]);
    const listIds = async (query: string): Promise<unknown> => {
      const { leads }: { leads: { id: number }[] } = Object(
        (await app.get(`/api/leads?${query}`, headers)).json(),
      );
      return leads.map(({ id }) => id);
    };
    const other = await insertLead(app.db);
    expect(await listIds('outcome=booked')).toEqual([leadId]);
    expect(await listIds('outcome=reached')).toEqual([]);
    expect(await listIds('outcome=none')).toEqual([other.id]);
    expect((await app.get('/api/leads?outcome=odd', headers)).status).toBe(422);
    const unmatched = await app.post(`/api/leads/${other.id}/outcome`, { outcome: 'booked' }, headers);
    expect(unmatched.json()).toMatchObject({ status: 422, error: expect.stringContaining('No provider') });
  });
});

test('workers match unmatched leads with a new provider within seconds', async () => {
  await using app = await testApp({ worker: true });
  await using second = await testApp({ database: app.database, worker: true });
  const answer = await app.post('/api/leads', leadInput({ zip_code: '80202' }));
  const { id, providerId }: { id: number; providerId?: number } = Object(answer.json());
  expect(providerId).toBeUndefined();
  const provider = await insertProvider(second.db, { zipCode: '80202' });
  await requestRematch(second.db);
  const holder = async (): Promise<unknown> => {
    const [row] = await app.sql`select provider_id::int as id from leads where id = ${id}`;
    return row?.['id'];
  };
  await expect.poll(holder).toBe(provider.id);
  expect(await app.sql`select 1 from audit_log where action = 'lead.rematch'`).toHaveLength(1);
});
