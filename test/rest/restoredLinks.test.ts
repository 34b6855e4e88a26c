import { expect, test } from 'vitest';
import { outcome as outcomeCopy } from '#shared/brand/outcome.ts';
import { withdraw } from '#shared/brand/withdraw.ts';
import { identityHash } from '#server/features/identity/identityHashes.ts';
import {
  linkEnd,
  signAddressHash,
  signOutcome,
  signWithdrawal,
  stopAddress,
} from '#server/features/mail/linkTokens.ts';
import { signWebhook } from '#server/features/outbox/httpResult.ts';
import { isSuppressed } from '#server/features/suppression/suppressions.ts';
import { liftSuppression } from '#server/features/withdrawals/staffSuppression.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { insertProvider } from '#test/support/factories.ts';
import { formType, pressLink } from '#test/support/linkForm.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { signedIn } from '#test/support/staff.ts';
import { testActor } from '#test/support/staffActions.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';

const oneClick = 'List-Unsubscribe=One-Click';
const secret = `whsec_${'A'.repeat(44)}`;
const env = { INBOUND_MAIL_ADDRESS: 'stop@reply.example', INBOUND_MAIL_SECRET: secret };
const email = 'lost@mail.example';
const person = { emailNorm: email, phoneE164: '+13035550177' };

/** A lead that messages name and the database lacks, as after a restore. */
async function lostLead(app: TestApp) {
  const { db, services } = app;
  const keys = services.config.secretKeys;
  const provider = await insertProvider(db, { name: 'Elm Clinic' });
  const publicId = crypto.randomUUID();
  const emailHmac = identityHash(await testIdentityKey(app.database), 'email', email);
  const said = { publicId, providerId: provider.id, endsAt: linkEnd(services.now()) };
  return {
    ...{ publicId, provider },
    outcomePath: `/outcome/${signOutcome(keys, { ...said, outcome: 'booked' })}`,
    token: signWithdrawal(keys, publicId),
    hash: signAddressHash(keys, emailHmac),
    stopAddress: stopAddress(keys, env.INBOUND_MAIL_ADDRESS, { publicId }),
  };
}

async function listAlerts({ sql }: TestApp): Promise<unknown[]> {
  return [...(await sql`select kind, subject from alerts order by kind, subject`)];
}

async function outcomePage(app: TestApp, path: string): Promise<unknown> {
  const { status, text } = await app.get(path);
  const states = ['restored', 'gone'] as const;
  return [status, states.filter((state) => text.includes(outcomeCopy[state].title))];
}

test('a provider with a lost lead reads that it may continue; staff see which one', async () => {
  await using app = await testApp();
  const { outcomePath, publicId, provider } = await lostLead(app);
  expect(await outcomePage(app, outcomePath)).toEqual([200, ['restored']]);
  const { status, text } = await app.post(outcomePath, 'outcome=booked', formType);
  expect([status, text.includes(app.services.config.contacts.email)]).toEqual([200, true]);
  expect(await listAlerts(app)).toEqual([{ kind: 'restored-link', subject: publicId }]);
  const [alert] = await app.sql`select message from alerts`;
  expect(alert?.['message']).toContain(`Elm Clinic (provider ${provider.id}) has lead ${publicId}`);
});

test('a withdrawal of a lost lead suppresses its address and alerts staff', async () => {
  await using app = await testApp();
  const { token, hash, publicId, outcomePath } = await lostLead(app);
  const path = `/withdraw/${token}?hash=${hash}`;
  expect((await app.get(path)).text).toContain(withdraw.ask.title);
  expect(await listAlerts(app)).toEqual([]);
  const pressed = await pressLink(app, path);
  expect([pressed.status, pressed.headers.location]).toEqual([303, path]);
  expect((await app.get(path)).text).toContain(withdraw.done.title);
  expect(await isSuppressed(app.services, person)).toBe(true);
  expect(await listAlerts(app)).toEqual([{ kind: 'restored-withdrawal', subject: publicId }]);
  // Once staff have dealt with it, another click says nothing new.
  await app.sql`delete from alerts`;
  expect((await app.post(`/api/unsubscribe?token=${token}&hash=${hash}`, oneClick, formType)).status).toBe(
    200,
  );
  expect(await app.sql`select 1 from erasure_ledger`).toHaveLength(1);
  expect(await listAlerts(app)).toEqual([]);
  expect(await outcomePage(app, outcomePath)).toEqual([410, ['gone']]);
});

test('withdrawing a lost lead stops other leads with its address, with their notices', async () => {
  await using app = await testApp();
  const { token, hash } = await lostLead(app);
  const other = await insertAgreed(app.db, { email, phone: '(303) 555-0177' });
  expect((await app.post(`/api/unsubscribe?token=${token}&hash=${hash}`, oneClick, formType)).json()).toEqual(
    {
      success: true,
    },
  );
  expect([...(await app.sql`select lead_id::int as lead, how from consent_withdrawals`)]).toEqual([
    { lead: other.id, how: 'one-click' },
  ]);
});

test.each([
  ['without a hash', ''],
  ['with a hash that was changed', `?hash=${signAddressHash(['another key'], '00'.repeat(32))}`],
])('a link %s is a task for staff, and its page says so', async (_, query) => {
  await using app = await testApp();
  const { token, publicId, outcomePath } = await lostLead(app);
  const answer = await pressLink(app, `/withdraw/${token}${query}`);
  expect([answer.status, answer.text.includes(withdraw.reported.title)]).toEqual([202, true]);
  expect(answer.text).toContain(app.services.config.contacts.email);
  expect((await app.post(`/api/unsubscribe?token=${token}`, oneClick, formType)).status).toBe(200);
  const alert = { kind: 'restored-withdrawal', subject: publicId };
  expect(await listAlerts(app)).toEqual([alert]);
  expect(await outcomePage(app, outcomePath)).toEqual([410, ['gone']]);
  // Staff have passed it on: the clinic's link still says to stop.
  expect((await app.post('/trpc/admin.alerts.dismiss', alert, await signedIn(app))).status).toBe(200);
  expect(await listAlerts(app)).toEqual([]);
  expect(await outcomePage(app, outcomePath)).toEqual([410, ['gone']]);
  expect(await listAlerts(app)).toEqual([]);
});

test('a reply to a message about a lost lead is a task for staff, without the sender', async () => {
  await using app = await testApp({ env });
  const { stopAddress: to, publicId } = await lostLead(app);
  for (const text of ['STOP', 'When will you call?']) {
    const body = JSON.stringify({ to, from: email, subject: 'Re: Your request', text });
    const headers = signWebhook({ id: 'msg_1', body, secrets: [secret], now: new Date() });
    const sent = { ...headers, 'content-type': 'application/json' };
    expect((await app.post('/api/mail/inbound', body, sent)).status).toBe(200);
  }
  expect(await listAlerts(app)).toEqual([
    { kind: 'restored-link', subject: `${publicId} reply` },
    { kind: 'restored-withdrawal', subject: publicId },
  ]);
  expect(JSON.stringify(await app.sql`select message from alerts`)).not.toContain('@');
});

test('the ledger decides about a lost lead: erased or suppressed stays, a lift ends it', async () => {
  await using app = await testApp();
  const { services, db } = app;
  const provider = await insertProvider(db);
  const erased = await insertAgreed(db, { providerId: provider.id, email: 'erased@mail.example' });
  const stopped = await insertAgreed(db, { providerId: provider.id, email: 'stopped@mail.example' });
  const endsAt = linkEnd(services.now());
  const keys = services.config.secretKeys;
  const getPath = ({ publicId }: { publicId: string }): string =>
    `/outcome/${signOutcome(keys, { publicId, providerId: provider.id, outcome: 'booked', endsAt })}`;
  await erasePerson({ services, actor: testActor, ip: null }, { leadId: erased.id, reason: 'asked' });
  await pressLink(app, `/withdraw/${signWithdrawal(keys, stopped.publicId)}`);
  // As after a restore: the ledger was replayed, and the leads are younger than the backup.
  await app.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`delete from consent_records`;
    await tx`delete from leads`;
  });
  expect(await outcomePage(app, getPath(erased))).toEqual([410, ['gone']]);
  expect(await outcomePage(app, getPath(stopped))).toEqual([410, ['gone']]);
  const path = `/withdraw/${signWithdrawal(keys, erased.publicId)}`;
  expect((await app.get(path)).text).toContain(withdraw.done.title);
  expect(await listAlerts(app)).toEqual([]);
  const identityKey = await testIdentityKey(app.database);
  await liftSuppression(db, {
    ...{ kind: 'email', person: { emailNorm: 'stopped@mail.example' }, identityKey },
    reason: 'Asked to be called.',
    ...{ actor: testActor, ip: null, now: services.now() },
  });
  expect(await outcomePage(app, getPath(stopped))).toEqual([200, ['restored']]);
});
