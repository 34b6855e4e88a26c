import { describe, expect, test } from 'vitest';
import { isSuppressed } from '#server/features/suppression/suppressions.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { leads } from '#server/db/schema/index.ts';
import { signText } from '#server/security/signedText.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { linkForm, pressLink } from '#test/support/linkForm.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { getToken } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { withdraw } from '#shared/brand/withdraw.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const oneClick = 'List-Unsubscribe=One-Click';

async function tokenFor({ services, sql }: TestApp, leadId: number): Promise<string> {
  const [row] = await sql<{ public_id: string }[]>`
    select lead_public_id as public_id from consent_records where lead_id = ${leadId}`;
  return signWithdrawal(services.config.secretKeys, row?.public_id ?? '');
}

/** Presses the button of a page that was opened just now, also where the page has none any more. */
function press(app: TestApp, path: string): Promise<Answer> {
  return app.post(path, linkForm(app.services, path), form);
}

async function withdrawals({ sql }: TestApp): Promise<unknown[]> {
  return [...(await sql`select lead_id, how, by, ip from consent_withdrawals order by lead_id`)];
}

describe('the page behind the link', () => {
  test('asks and changes nothing when it is opened', async () => {
    await using app = await testApp();
    const { id } = await insertAgreed(app.db);
    const path = `/withdraw/${await tokenFor(app, id)}`;
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await app.request(method, path);
      expect([status, headers['cache-control'], headers['x-robots-tag'], headers['referrer-policy']]).toEqual(
        [200, 'no-store', 'noindex', 'no-referrer'],
      );
    }
    const { text } = await app.get(path);
    expect(text).toContain(withdraw.ask.title);
    expect(text).toContain('<form method="post"><input type="hidden" name="token"');
    expect(text).not.toContain('<script');
    expect(await withdrawals(app)).toEqual([]);
  });

  test('withdraws on a plain POST and confirms; a second POST changes nothing', async () => {
    meets('D.abuse.16');
    await using app = await testApp();
    const { id } = await insertAgreed(app.db);
    const path = `/withdraw/${await tokenFor(app, id)}`;
    for (let count = 0; count < 2; count += 1) {
      const answer = await press(app, path);
      expect([answer.status, answer.headers.location]).toEqual([303, path]);
    }
    expect((await app.get(path)).text).toContain(withdraw.done.title);
    expect(await withdrawals(app)).toEqual([
      { lead_id: String(id), how: 'page', by: 'Visitor', ip: '127.0.0.1' },
    ]);
    const reasons = await app.sql`select kind, reason, by from suppressions order by kind`;
    expect([...reasons]).toEqual([{ kind: 'email', reason: 'withdrawn', by: 'Visitor' }]);
  });

  test('works on the host of a provider', async () => {
    meets('D.conformity.17');
    await using app = await testApp();
    const assignedProvider = await insertProvider(app.db);
    await app.knows(assignedProvider);
    const { id } = await insertAgreed(app.db);
    expect((await pressLink(app.as(assignedProvider), `/withdraw/${await tokenFor(app, id)}`)).status).toBe(
      303,
    );
    expect(await withdrawals(app)).toHaveLength(1);
  });

  test('rejects a forged link', async () => {
    meets('D.abuse.22');
    await using app = await testApp();
    const [one, other] = [await insertAgreed(app.db), await insertAgreed(app.db)];
    const token = await tokenFor(app, one.id);
    const [, mac] = token.split('.');
    const byNumber = signText(app.services.config.secretKeys, 'withdraw', String(one.id));
    for (const wrong of [`${other.publicId}.${mac}`, 'x', token.slice(0, -2), byNumber, '%00']) {
      for (const method of ['GET', 'POST']) {
        const { status, text } = await app.request(method, `/withdraw/${wrong}`);
        expect([method, wrong, status]).toEqual([method, wrong, 404]);
        expect(text).toContain(withdraw.unknown.title);
      }
    }
    expect(await withdrawals(app)).toEqual([]);
    expect((await app.request('DELETE', `/withdraw/${token}`)).headers.allow).toBe('GET, HEAD, POST');
  });

  test('works without the lead, by the evidence of its consent', async () => {
    await using app = await testApp();
    const input = leadInput();
    const { id } = (await app.post('/api/leads', input)).json() as { id: number };
    await app.db.delete(leads);
    const path = `/withdraw/${await tokenFor(app, id)}`;
    expect((await press(app, path)).status).toBe(303);
    expect((await app.get(path)).text).toContain(withdraw.done.title);
    expect(await app.sql`select 1 from suppressions`).toHaveLength(1);
    const again = await insertLead(app.db, { email: input.email.toUpperCase() });
    expect(await isSuppressed(app.services, again)).toBe(true);
  });

  test('asks to retry while the database is unavailable', async () => {
    await using app = await testApp();
    const { id } = await insertAgreed(app.db);
    const path = `/withdraw/${await tokenFor(app, id)}`;
    await app.services.db.$client.end();
    const { status, headers, text } = await app.get(path);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(text).toContain(withdraw.failed.title);
  });
});

describe('repeated clicks', () => {
  test('a repeated click writes only its count', async () => {
    await using app = await testApp();
    const { id } = await insertAgreed(app.db);
    const token = await tokenFor(app, id);
    expect((await press(app, `/withdraw/${token}`)).status).toBe(303);
    // Every write, a lock of a row too, changes xmin, xmax or ctid of it.
    const state = async () => [
      ...(await app.sql`select xmin::text, xmax::text, ctid::text, at from suppressions`),
      ...(await app.sql`select xmin::text, xmax::text, ctid::text from leads`),
      ...(await app.sql`select xmin::text, xmax::text, ctid::text from consent_withdrawals`),
    ];
    const before = await state();
    expect(before).toHaveLength(3);
    expect((await press(app, `/withdraw/${token}`)).status).toBe(303);
    expect((await app.post(`/api/unsubscribe?token=${token}`, oneClick, form)).status).toBe(200);
    expect(await state()).toEqual(before);
  });

  test('a second click withdraws later leads with the same address', async () => {
    await using app = await testApp();
    const first = await insertAgreed(app.db, { email: 'vera@victim.example' });
    const path = `/withdraw/${await tokenFor(app, first.id)}`;
    await press(app, path);
    const later = await insertAgreed(app.db, { email: 'vera@victim.example' });
    await press(app, path);
    expect(await withdrawals(app)).toMatchObject([
      { lead_id: String(first.id) },
      { lead_id: String(later.id) },
    ]);
  });

  test('a network may withdraw 60 times a minute, or 600 times by one-click', async () => {
    await using app = await testApp({ env: { TRUSTED_PROXIES: '1' } });
    const { id } = await insertAgreed(app.db);
    const token = await tokenFor(app, id);
    const from = (ip: string) => ({ ...form, 'x-forwarded-for': ip });
    const path = `/withdraw/${token}`;
    const click = (ip: string) => app.post(path, linkForm(app.services, path), from(ip));
    const oneClickFrom = (ip: string) => app.post(`/api/unsubscribe?token=${token}`, oneClick, from(ip));
    expect((await click('203.0.113.7')).headers['ratelimit-policy']).toBe(
      '"1m";q=60;w=60, "1h";q=600;w=3600',
    );
    expect((await oneClickFrom('203.0.113.7')).headers['ratelimit-policy']).toBe(
      '"1m";q=600;w=60, "1h";q=6000;w=3600',
    );
    await app.sql`update rate_limits set points = 60 where key like 'lead-withdrawal-60:%'`;
    const refused = await click('203.0.113.7');
    expect([refused.status, refused.text.includes(withdraw.failed.title)]).toEqual([429, true]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await oneClickFrom('203.0.113.7')).status).toBe(200);
    await app.sql`update rate_limits set points = 600 where key like 'lead-one-click-60:%'`;
    expect((await oneClickFrom('203.0.113.7')).status).toBe(429);
    expect([(await click('198.51.100.1')).status, (await oneClickFrom('198.51.100.1')).status]).toEqual([
      303, 200,
    ]);
    // A link that isn't ours counts nowhere and is none, whatever the network has left.
    expect((await app.post('/withdraw/made-up', '', from('203.0.113.7'))).status).toBe(404);
  });
});

/** Stores a lead as a visitor would, and returns its number. */
async function send(app: TestApp, input: Partial<ReturnType<typeof leadInput>>): Promise<number> {
  const lead = leadInput({ form: 'landing', token: formToken('landing'), ...input });
  const { id }: { id: number } = Object((await app.post('/api/leads', lead)).json());
  return id;
}

/** Deliveries of a lead: by channel and template, their state. */
async function listDeliveries({ sql }: TestApp, leadId: number): Promise<unknown> {
  const rows = await sql`select channel, template, state from deliveries where lead_id = ${leadId}`;
  return Object.fromEntries(rows.map(({ channel, template, state }) => [`${channel} ${template}`, state]));
}

describe('a link proves a mailbox', () => {
  const phone = '(303) 555-0191';

  test('a link of a stranger with the same phone stops no lead, staff get a task', async () => {
    meets('D.abuse.17');
    await using app = await testApp();
    const assignedProvider = await insertProvider(app.db, { zipCode: '80202' });
    const victim = await send(app, { email: 'vera@victim.example', phone, zip_code: '80202' });
    const attacker = await send(app, { email: 'mal@attacker.example', phone, zip_code: '80202' });
    await app.sql`update deliveries set state = 'delivered', reason = null, next_attempt_at = null, finished_at = now() where lead_id = ${victim}`;
    const path = `/withdraw/${await tokenFor(app, attacker)}`;
    expect((await press(app, path)).status).toBe(303);
    const later = await send(app, { email: 'vera.new@victim.example', phone, zip_code: '80202' });

    const listed = await app.sql`select kind, reason from suppressions`;
    expect([...listed]).toEqual([{ kind: 'email', reason: 'withdrawn' }]);
    expect(await withdrawals(app)).toMatchObject([{ lead_id: String(attacker) }]);
    expect(await app.sql`select 1 from deliveries where template = 'withdrawn'`).toHaveLength(0);
    expect(Object.values(Object(await listDeliveries(app, attacker)))).toEqual(
      expect.not.arrayContaining(['queued']),
    );
    expect(await listDeliveries(app, victim)).toMatchObject({ 'provider-email lead': 'delivered' });
    expect(await listDeliveries(app, later)).toMatchObject({ 'lead-email lead': 'queued' });
    const provider = { provider_id: String(assignedProvider.id) };
    expect([...(await app.sql`select provider_id from leads where id = ${later}`)]).toEqual([provider]);
    const tasks = await app.sql`select kind, lead_id::int as lead, done_at from staff_tasks order by id`;
    expect([...tasks]).toEqual(
      [victim, later].map((lead) => ({ kind: 'phone-withdrawn', lead, done_at: null })),
    );

    // A second click, even after staff decided, asks them nothing again.
    await app.sql`update staff_tasks set done_at = now(), done_by = 'Robin Staff'`;
    await press(app, path);
    expect(await app.sql`select 1 from staff_tasks`).toHaveLength(2);
  });

  test('a withdrawal opens tasks for the phones of all stopped leads', async () => {
    await using app = await testApp();
    const email = 'vera@victim.example';
    const clicked = await insertAgreed(app.db, { email, phone });
    await insertAgreed(app.db, { email, phone: '(303) 555-0192' });
    const sharing: number[] = [];
    for (const shared of [phone, '(303) 555-0192'])
      sharing.push((await insertAgreed(app.db, { phone: shared })).id);
    await press(app, `/withdraw/${await tokenFor(app, clicked.id)}`);
    const tasks = await app.sql`select lead_id::int as lead from staff_tasks order by lead_id`;
    expect(tasks.map(({ lead }) => lead)).toEqual(sharing);
  });

  test('a later lead with the phone opens a task unless staff decided', async () => {
    await using app = await testApp();
    const one = await send(app, { email: 'vera@victim.example', phone });
    await press(app, `/withdraw/${await tokenFor(app, one)}`);
    const open = async (email: string): Promise<boolean> => {
      const id = await send(app, { email, phone });
      return (await app.sql`select 1 from staff_tasks where lead_id = ${id}`).length === 1;
    };
    expect(await open('vera@victim.example')).toBe(false);
    expect(await open('wim@other.example')).toBe(true);
    await app.sql`update staff_tasks set done_at = now(), done_by = 'Robin Staff'`;
    expect(await open('wim@other.example')).toBe(false);
    expect(await open('xan@other.example')).toBe(true);
    await app.sql`delete from suppressions`;
    expect(await open('yul@other.example')).toBe(false);
  });

  test('a link stops every lead with its email address, whatever the phone', async () => {
    meets('D.abuse.16');
    await using app = await testApp();
    await insertProvider(app.db, { zipCode: '80202' });
    const one = await send(app, { email: 'vera@victim.example', phone, zip_code: '80202' });
    const two = await send(app, { email: 'Vera@victim.example', phone: '(303) 555-0192', zip_code: '80202' });
    await app.sql`update deliveries set state = 'delivered', reason = null, next_attempt_at = null, finished_at = now()
      where lead_id = ${two} and channel = 'provider-email'`;
    await press(app, `/withdraw/${await tokenFor(app, one)}`);
    expect(await withdrawals(app)).toMatchObject([{ lead_id: String(one) }, { lead_id: String(two) }]);
    const ended = { 'lead-email lead': 'cancelled', 'crm lead': 'cancelled' };
    expect(await listDeliveries(app, one)).toMatchObject(ended);
    expect(await listDeliveries(app, two)).toMatchObject({ ...ended, 'provider-email withdrawn': 'queued' });
    expect(await app.sql`select 1 from staff_tasks`).toHaveLength(0);
  });
});

describe('one-click unsubscribe (RFC 8058)', () => {
  test.each([
    ['a form', form, oneClick],
    [
      'a form of several parts',
      { 'content-type': 'multipart/form-data; boundary=b' },
      `--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n`,
    ],
    ['nothing', {}, ''],
  ])('withdraws immediately with %s as its body', async (_name, headers, body) => {
    meets('D.deliveries.36');
    await using app = await testApp();
    const { id } = await insertAgreed(app.db);
    const answer = await app.request('POST', `/api/unsubscribe?token=${await tokenFor(app, id)}`, {
      headers,
      body,
    });
    expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
    expect(await withdrawals(app)).toMatchObject([{ lead_id: String(id), how: 'one-click', by: 'Visitor' }]);
    expect(await app.sql`select 1 from suppressions where reason = 'unsubscribed'`).toHaveLength(1);
  });

  test('by GET redirects to the page that asks', async () => {
    meets('D.deliveries.37');
    await using app = await testApp();
    const { id } = await insertAgreed(app.db);
    const token = await tokenFor(app, id);
    const answer = await app.get(`/api/unsubscribe?token=${token}`);
    expect([answer.status, answer.headers.location]).toEqual([302, `/withdraw/${token}`]);
    const withHash = await app.get(`/api/unsubscribe?token=${token}&hash=//a.b`);
    expect(withHash.headers.location).toBe(`/withdraw/${token}?hash=%2F%2Fa.b`);
    expect(await withdrawals(app)).toEqual([]);
    expect((await app.get('/api/unsubscribe?token=//evil.example')).headers.location).toBe(
      '/withdraw/%2F%2Fevil.example',
    );
  });
});

describe('staff', () => {
  test('suppress the person of a lead, with history and audit entry', async () => {
    await using app = await testApp();
    const lead = await insertAgreed(app.db);
    const headers = await getToken(app, ['leads:read', 'leads:write']);
    const answer = await app.post('/trpc/admin.suppressions.add', { id: lead.id }, headers);
    expect(answer.json()).toEqual({ result: { data: { leadIds: [lead.id] } } });
    const detail = await app.get(
      `/trpc/admin.leads.get?input=${encodeURIComponent(`{"id":${lead.id}}`)}`,
      headers,
    );
    expect(detail.json()).toMatchObject({
      result: {
        data: {
          isSuppressed: true,
          events: expect.arrayContaining([
            expect.objectContaining({
              kind: 'withdrawn',
              by: expect.any(String),
              detail: 'Recorded by staff',
            }),
          ]),
        },
      },
    });
    const logged = await app.sql`select subject_id from audit_log where action = 'lead.suppress'`;
    expect([...logged]).toEqual([{ subject_id: String(lead.id) }]);
    expect((await app.post('/trpc/admin.suppressions.add', { id: 999_999 }, headers)).status).toBe(404);
  });
});
