import { expect, test } from 'vitest';
import { withdraw } from '#shared/brand/withdraw.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { insertProvider } from '#test/support/factories.ts';
import { formType, pageToken } from '#test/support/linkForm.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

const oneClick = 'List-Unsubscribe=One-Click';

function getPath({ services }: TestApp, { publicId }: { publicId: string }): string {
  return `/withdraw/${signWithdrawal(services.config.secretKeys, publicId)}`;
}

async function withdrawals({ sql }: TestApp): Promise<unknown[]> {
  return [...(await sql`select lead_id, how from consent_withdrawals order by lead_id`)];
}

test('a POST without the page’s token shows the page again, and one more press counts', async () => {
  const clock = { ms: Date.parse('2026-06-01T12:00:00Z') };
  await using app = await testApp({ now: () => new Date(clock.ms) });
  const lead = await insertAgreed(app.db);
  const other = await insertAgreed(app.db);
  const path = getPath(app, lead);
  const expired = await pageToken(app, path);
  clock.ms += 86_400_001;
  const foreign = await pageToken(app, getPath(app, other));
  for (const body of ['', 'token=', `token=${expired}`, `token=${foreign}`, 'token=a_b.c']) {
    const { status, text } = await app.post(path, body, formType);
    expect([body, status, text.includes(withdraw.ask.title)]).toEqual([body, 200, true]);
    expect(await withdrawals(app)).toEqual([]);
  }
  const { text } = await app.post(path, `token=${expired}`, formType);
  const [, fresh = ''] = /name="token" value="([^"]+)"/.exec(text) ?? [];
  expect((await app.post(path, `token=${fresh}`, formType)).status).toBe(303);
  expect(await withdrawals(app)).toMatchObject([{ lead_id: String(lead.id), how: 'page' }]);
});

test('withdraws with the body of RFC 8058, which has no page', async () => {
  await using app = await testApp();
  const lead = await insertAgreed(app.db);
  expect((await app.post(getPath(app, lead), oneClick, formType)).status).toBe(303);
  expect(await withdrawals(app)).toHaveLength(1);
});

test('shows the logo of the host’s provider, also an inline one, or its name', async () => {
  meets('D.hosts.24');
  await using app = await testApp();
  const logoUrl = 'data:image/png;base64,iVBORw0KGgo=';
  for (const [provider, shown, images] of [
    [await insertProvider(app.db, { name: 'Inline Clinic', logoUrl }), `src="${logoUrl}"`, "'self' data:;"],
    [
      await insertProvider(app.db, { name: 'Plain Clinic', logoUrl: null }),
      '>Plain Clinic</span>',
      "'self';",
    ],
  ] as const) {
    await app.knows(provider);
    const { text, headers } = await app.as(provider).get('/withdraw/unknown');
    expect(text).toContain(shown);
    expect(headers['content-security-policy']).toContain(`img-src ${images}`);
  }
  const { text } = await app.get('/withdraw/unknown');
  expect(text).not.toMatch(/Inline Clinic|Plain Clinic/);
});
