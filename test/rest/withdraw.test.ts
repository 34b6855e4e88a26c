import { describe, expect, test } from 'vitest';
import { isSuppressed } from '#server/features/suppression/suppressions.ts';
import { signWithdrawal } from '#server/features/suppression/withdrawToken.ts';
import { leads } from '#server/db/schema/index.ts';
import { insertClinic, leadInput } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { tokenOf } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { withdraw } from '#shared/brand/withdraw.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const oneClick = 'List-Unsubscribe=One-Click';

function tokenFor({ services }: TestApp, leadId: number): string {
  return signWithdrawal(services.config.secretKeys, leadId);
}

async function withdrawals({ sql }: TestApp): Promise<unknown[]> {
  return [...(await sql`select lead_id, how, by, ip from consent_withdrawals order by lead_id`)];
}

describe('the page behind the link', () => {
  test('asks, and changes nothing however often it is opened', async () => {
    await using app = await testApp();
    const { id } = await insertLead(app.db);
    const path = `/withdraw/${tokenFor(app, id)}`;
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await app.request(method, path);
      expect([status, headers['cache-control'], headers['x-robots-tag'], headers['referrer-policy']]).toEqual(
        [200, 'no-store', 'noindex', 'no-referrer'],
      );
    }
    const { text } = await app.get(path);
    expect(text).toContain(withdraw.ask.title);
    expect(text).toContain('<form method="post">');
    expect(text).not.toContain('<script');
    expect(await withdrawals(app)).toEqual([]);
  });

  test('withdraws on a plain POST without cookie or Origin, and then says so; a second one changes nothing', async () => {
    await using app = await testApp();
    const { id } = await insertLead(app.db);
    const path = `/withdraw/${tokenFor(app, id)}`;
    for (let count = 0; count < 2; count += 1) {
      const answer = await app.post(path, '', form);
      expect([answer.status, answer.headers.location]).toEqual([303, path]);
    }
    expect((await app.get(path)).text).toContain(withdraw.done.title);
    expect(await withdrawals(app)).toEqual([
      { lead_id: String(id), how: 'page', by: 'Visitor', ip: '127.0.0.1' },
    ]);
    const reasons = await app.sql`select kind, reason, by from suppressions order by kind`;
    expect([...reasons]).toEqual([
      { kind: 'email', reason: 'withdrawn', by: 'Visitor' },
      { kind: 'phone', reason: 'withdrawn', by: 'Visitor' },
    ]);
  });

  test('works on a clinic’s own host too', async () => {
    await using app = await testApp();
    const clinic = await insertClinic(app.db);
    await expect.poll(() => app.services.tenants.hasHost(clinic.domain ?? '')).toBe(true);
    const { id } = await insertLead(app.db);
    expect((await app.as(clinic).post(`/withdraw/${tokenFor(app, id)}`, '', form)).status).toBe(303);
    expect(await withdrawals(app)).toHaveLength(1);
  });

  test('says that a link is none of ours, and does nothing for it', async () => {
    await using app = await testApp();
    const [one, other] = [await insertLead(app.db), await insertLead(app.db)];
    const [, mac] = tokenFor(app, one.id).split('.');
    for (const token of [`${other.id}.${mac}`, 'x', tokenFor(app, one.id).slice(0, -2), '%00']) {
      for (const method of ['GET', 'POST']) {
        const { status, text } = await app.request(method, `/withdraw/${token}`);
        expect([method, token, status]).toEqual([method, token, 404]);
        expect(text).toContain(withdraw.unknown.title);
      }
    }
    expect(await withdrawals(app)).toEqual([]);
    expect((await app.request('DELETE', `/withdraw/${tokenFor(app, one.id)}`)).headers.allow).toBe(
      'GET, HEAD, POST',
    );
  });

  test('works on when the lead itself is gone, by the evidence of its consent', async () => {
    await using app = await testApp();
    const input = leadInput();
    const { id } = (await app.post('/api/leads', input)).json() as { id: number };
    await app.db.delete(leads);
    const path = `/withdraw/${tokenFor(app, id)}`;
    expect((await app.post(path, '', form)).status).toBe(303);
    expect((await app.get(path)).text).toContain(withdraw.done.title);
    expect(await app.sql`select 1 from suppressions`).toHaveLength(2);
    const again = await insertLead(app.db, { email: input.email.toUpperCase() });
    expect(await isSuppressed(app.db, again)).toBe(true);
  });

  test('asks to try again while the database is away', async () => {
    await using app = await testApp();
    const { id } = await insertLead(app.db);
    const path = `/withdraw/${tokenFor(app, id)}`;
    await app.services.db.$client.end();
    const { status, headers, text } = await app.get(path);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(text).toContain(withdraw.failed.title);
  });
});

describe('a mail program’s own button (RFC 8058)', () => {
  test.each([
    ['a form', form, oneClick],
    [
      'a form of several parts',
      { 'content-type': 'multipart/form-data; boundary=b' },
      `--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n`,
    ],
    ['nothing', {}, ''],
  ])('withdraws at once with %s as its body', async (_name, headers, body) => {
    await using app = await testApp();
    const { id } = await insertLead(app.db);
    const answer = await app.request('POST', `/api/unsubscribe?token=${tokenFor(app, id)}`, {
      headers,
      body,
    });
    expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
    expect(await withdrawals(app)).toMatchObject([{ lead_id: String(id), how: 'one-click', by: 'Visitor' }]);
    expect(await app.sql`select 1 from suppressions where reason = 'unsubscribed'`).toHaveLength(2);
  });

  test('that opens the link instead is led to the page that asks', async () => {
    await using app = await testApp();
    const { id } = await insertLead(app.db);
    const token = tokenFor(app, id);
    const answer = await app.get(`/api/unsubscribe?token=${token}`);
    expect([answer.status, answer.headers.location]).toEqual([302, `/withdraw/${token}`]);
    expect(await withdrawals(app)).toEqual([]);
    expect((await app.get('/api/unsubscribe?token=//evil.example')).headers.location).toBe(
      '/withdraw/%2F%2Fevil.example',
    );
  });
});

describe('staff', () => {
  test('mark a lead’s author as not to be contacted, which their history and the log tell', async () => {
    await using app = await testApp();
    const lead = await insertLead(app.db);
    const headers = await tokenOf(app, ['leads:read', 'leads:write']);
    const answer = await app.post('/trpc/suppressions.add', { id: lead.id }, headers);
    expect(answer.json()).toEqual({ result: { data: { leadIds: [lead.id] } } });
    const detail = await app.get(
      `/trpc/adminLeads.get?input=${encodeURIComponent(`{"id":${lead.id}}`)}`,
      headers,
    );
    expect(detail.json()).toMatchObject({
      result: {
        data: {
          isSuppressed: true,
          events: expect.arrayContaining([
            expect.objectContaining({ kind: 'withdrawn', by: expect.any(String), detail: 'Noted by staff' }),
          ]),
        },
      },
    });
    const logged = await app.sql`select subject_id from audit_log where action = 'lead.suppress'`;
    expect([...logged]).toEqual([{ subject_id: String(lead.id) }]);
    expect((await app.post('/trpc/suppressions.add', { id: 999_999 }, headers)).status).toBe(404);
  });
});
