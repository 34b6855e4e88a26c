import { describe, expect, test } from 'vitest';
import { applicationAnswerHours, applicationConsent } from '#shared/brand/application.ts';
import { claims } from '#shared/brand/claims.ts';
import { mail as copy } from '#shared/brand/mail.ts';
import { longTime } from '#shared/formats/localTime.ts';
import { hourMs } from '#shared/formats/time.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import { hiddenClaims, providerApplications } from '#server/db/schema/index.ts';
import { getIdentity } from '../identity/identity.ts';
import { ceilingReason, dayReason } from '../mail/recipientLimits.ts';
import { storeUnreachable } from '../mail/unreachableAddresses.ts';
import { insertSuppressions } from '../suppression/suppressions.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { applicationsPath, setUpApplications, staffAddress } from '#test/support/applicationMail.ts';
import { formToken } from '#test/support/formToken.ts';
import { type Received, refusal } from '#scripts/demo/mailServer.ts';
import { signedIn } from '#test/support/staff.ts';
import { mailNotices, mailReceipts, receiptLimitReasons } from './applicationMail.ts';

const toText = async (message: Received | undefined): Promise<string> => (await message?.email)?.text ?? '';
/** Whether a notice lists an application. */
const lists = (text: string, id: number, zipCode = '80202'): boolean =>
  text.includes(copy.applicationNotice.line(id, zipCode, '|', '').split('|')[0] ?? '');
const buildMessageId = ({ raw }: Received): string => /^Message-ID: (.*)$/im.exec(raw)?.[1] ?? '';
const sent = ['sent', null];

test('an application gets one receipt and staff one notice, also by two workers', async () => {
  await using given = await setUpApplications();
  const { app, server } = given;
  const near = await insertProvider(app.db, { zipCode: '80202' });
  await app.knows(near);
  const typed = {
    contact_name: 'Kit Elmsworth',
    practice_name: 'Win at spam.example',
    role: 'Owner of spam.example',
    website: 'spam.example',
    message: 'Go to spam.example',
    email: 'kit@practice.example',
    zip_code: '80202',
  };
  const id = await given.apply(typed);
  const { services } = app;
  const ends = await Promise.all([mailReceipts(services), mailReceipts(services), mailNotices(services)]);
  expect(ends[0] + ends[1]).toBe(1);
  expect([await mailReceipts(services), await mailNotices(services)]).toEqual([0, false]);
  await given.hourLater();
  expect([await mailReceipts(services), await mailNotices(services)]).toEqual([0, false]);
  expect([await given.stateOf(id), await given.stateOf(id, 'notice')]).toEqual([sent, sent]);
  expect(server.received).toHaveLength(2);
  expect(server.received.some(({ raw }) => /spam\.example|Elmsworth/.test(raw))).toBe(false);

  const [receipt] = given.receivedBy(typed.email);
  const text = await toText(receipt);
  const { applicationReceipt, applicationNotice } = copy;
  for (const line of [
    applicationReceipt.heading('Kit'),
    applicationReceipt.received(id, '80202'),
    applicationReceipt.next,
    applicationReceipt.questions(staffAddress),
    applicationReceipt.notYou(staffAddress),
    applicationConsent.text,
  ])
    expect(text).toContain(line);
  expect(text).not.toContain(applicationReceipt.unknownZip);
  const email = await receipt?.email;
  expect([email?.subject, email?.to?.[0]?.name, email?.replyTo?.[0]?.address]).toEqual([
    applicationReceipt.subject,
    '',
    staffAddress,
  ]);

  const [notice] = given.receivedBy(staffAddress);
  const [row] = await app.db.select().from(providerApplications);
  const dueMs = (row?.createdAt.getTime() ?? 0) + applicationAnswerHours * hourMs;
  const due = longTime(new Date(dueMs).toISOString(), ['America/Denver']);
  const nearest = applicationNotice.nearest('1 mile');
  expect(await toText(notice)).toContain(applicationNotice.line(id, '80202', nearest, due));
  expect(await toText(notice)).toContain(`/admin?tab=applications`);
});

test('of a consent text that no form has, the receipt repeats nothing', async () => {
  await using given = await setUpApplications();
  await given.apply({
    acceptance_message: 'Visit spam.example',
    contact_name: 'http://spam.example Kit',
    email: 'kit@practice.example',
  });
  expect(await mailReceipts(given.app.services)).toBe(1);
  const [receipt] = given.receivedBy('kit@practice.example');
  expect(receipt?.raw).not.toContain('spam.example');
  const text = await toText(receipt);
  expect(text).toContain(copy.applicationReceipt.heading(null));
  const [beforeTime] = copy.applicationReceipt.consentNotShown('…').split('…');
  expect(text).toContain(beforeTime);
});

test('a receipt leaves out what states a hidden claim, and keeps the rest', async () => {
  await using given = await setUpApplications();
  const { app } = given;
  const [claim] = claims.filter(({ says }) =>
    says.some((words) => copy.applicationReceipt.next.includes(words)),
  );
  await app.db.insert(hiddenClaims).values({ claimId: claim?.id ?? '', hiddenBy: 'Dana Owner' });
  await expect.poll(() => app.services.tenants.hiddenClaims()).toEqual([claim?.id]);
  const id = await given.apply({ email: 'kit@practice.example' });
  expect(await mailReceipts(app.services)).toBe(1);
  const [receipt] = given.receivedBy('kit@practice.example');
  const text = await toText(receipt);
  expect(text).not.toContain(copy.applicationReceipt.next.slice(0, 20));
  for (const line of [copy.applicationReceipt.received(id, '80202'), applicationConsent.text])
    expect(text).toContain(line);
});

test('a message that was sent before a crash is repeated with the same Message-ID', async () => {
  await using given = await setUpApplications();
  const { app } = given;
  const { services } = app;
  const id = await given.apply({ email: 'kit@practice.example' });
  await app.sql`alter table application_messages add constraint fails check (state <> 'sent') not valid`;
  await expect(mailReceipts(services)).rejects.toThrow('application_messages');
  await expect(mailNotices(services)).rejects.toThrow('application_messages');
  await app.sql`alter table application_messages drop constraint fails`;
  const later = await given.apply();
  await given.hourLater();
  await mailReceipts(services);
  expect(await mailNotices(services)).toBe(true);
  const receipts = given.receivedBy('kit@practice.example');
  expect([receipts.length, new Set(receipts.map(buildMessageId)).size]).toEqual([2, 1]);
  const notices = given.receivedBy(staffAddress);
  expect([notices.length, new Set(notices.map(buildMessageId)).size]).toEqual([2, 1]);
  // The repeat is the same message. The later application is in the next one.
  expect([await given.stateOf(id, 'notice'), await given.stateOf(later, 'notice')]).toEqual([
    sent,
    ['waiting', null],
  ]);
  await given.hourLater();
  expect(await mailNotices(services)).toBe(true);
  expect(new Set(given.receivedBy(staffAddress).map(buildMessageId)).size).toBe(2);
});

describe('nobody gets a receipt', () => {
  test('without a form token, or if the application is quarantined', async () => {
    await using given = await setUpApplications();
    const scripts = await given.apply({ token: undefined });
    const filled = await given.apply({ homepage: 'x' });
    const forged = await given.apply({ token: 'forged' });
    await mailReceipts(given.app.services);
    await mailNotices(given.app.services);
    expect(given.server.received.map(({ to }) => to)).toEqual([[staffAddress]]);
    const text = await toText(given.server.received[0]);
    expect([scripts, filled, forged].map((id) => lists(text, id))).toEqual([true, false, false]);
    expect((await given.stateOf(scripts))[0]).toBe('withheld');
    expect([await given.stateOf(filled), await given.stateOf(forged)]).toEqual([
      ['none', null],
      ['none', null],
    ]);
  });

  test('at an address that bounced or is suppressed, in any spelling, or by phone', async () => {
    await using given = await setUpApplications();
    const { db, dataKeys } = given.app.services;
    const { key: identityKey } = await dataKeys.current('identity');
    const list = async (person: { emailNorm: string } | { phoneE164: string }): Promise<unknown> =>
      insertSuppressions(db, { identityKey, person }, { reason: 'erased', by: 'Test' });
    const bounced = await given.apply({ email: 'bounced@practice.example' });
    const listed = await given.apply({ email: 'Listed@practice.example' });
    const tagged = await given.apply({ email: 'k.i.t+two@gmail.com' });
    const phone = await given.apply({ phone: '(303) 555-0177' });
    const free = await given.apply();
    await storeUnreachable(db, {
      address: 'bounced@practice.example',
      cause: 'bounce',
      identityKey,
      now: new Date(),
    });
    await list({ emailNorm: getIdentity({ email: 'listed@practice.example' }).emailNorm });
    await list({ emailNorm: 'kit+one@gmail.com' });
    await list({ phoneE164: '+13035550177' });
    expect(await mailReceipts(given.app.services)).toBe(1);
    for (const id of [bounced, listed, tagged, phone])
      expect([id, (await given.stateOf(id))[0]]).toEqual([id, 'withheld']);
    expect((await given.stateOf(listed))[1]).toBe(suppressedReason);
    expect(await given.stateOf(free)).toEqual(sent);
  });

  test('above the limits that lead emails count toward, too', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const mailbox = 'kit@practice.example';
    const form = leadInput({ form: 'landing', token: formToken('landing'), email: mailbox });
    expect((await app.post('/api/leads', form)).status).toBe(201);
    const [lead] = await app.sql<{ id: string }[]>`select id from deliveries where channel = 'lead-email'`;
    await app.services.limits.recipients.permit({
      deliveryId: lead?.id ?? '',
      requestedBy: null,
      address: mailbox,
      now: new Date(),
    });
    const id = await given.apply({ email: 'kit+tag@practice.example' });
    expect(await mailReceipts(app.services)).toBe(0);
    const reason = receiptLimitReasons[dayReason];
    expect(reason).not.toMatch(/lead/);
    expect(await given.stateOf(id)).toEqual(['withheld', reason]);
    // A receipt counts for the lead emails, too.
    await given.apply({ email: 'robin@practice.example' });
    expect(await mailReceipts(app.services)).toBe(1);
    const permission = await app.services.limits.recipients.permit({
      deliveryId: crypto.randomUUID(),
      requestedBy: null,
      address: 'robin@practice.example',
      now: new Date(),
    });
    expect(permission).toEqual({ kind: 'withheld', reason: dayReason });
  });

  test('once staff answered, and staff get no notice', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const id = await given.apply();
    await app.sql`update provider_applications set status = 'contacted'`;
    expect([await mailReceipts(app.services), await mailNotices(app.services)]).toEqual([0, false]);
    expect((await given.stateOf(id))[0]).toBe('withheld');
    expect((await given.stateOf(id, 'notice'))[0]).toBe('withheld');
  });
});

test('receipts above the hourly limit wait', async () => {
  await using given = await setUpApplications({}, { env: { LEAD_EMAILS_PER_HOUR: '1' } });
  const { app } = given;
  const ids = [await given.apply(), await given.apply({ email: 'kit@other.example' })];
  expect(await mailReceipts(app.services)).toBe(1);
  const states = await Promise.all(ids.map((id) => given.stateOf(id)));
  expect(states).toHaveLength(2);
  expect(states).toEqual(expect.arrayContaining([sent, ['waiting', ceilingReason]]));
  await app.sql`update recipient_emails set sent_at = sent_at - interval '61 minutes'`;
  await given.hourLater();
  expect(await mailReceipts(app.services)).toBe(1);
});

test('a flood of fifty is one message to staff and one to the mailbox that it names', async () => {
  await using given = await setUpApplications();
  const { app, server } = given;
  const ids: number[] = [];
  for (let count = 0; count < 50; count += 1)
    ids.push(await given.apply({ email: `victim+${count}@practice.example`, zip_code: '99999' }));
  for (let round = 0; round < 3; round += 1) {
    await mailReceipts(app.services);
    await Promise.all([mailNotices(app.services), mailNotices(app.services)]);
  }
  const toStaff = given.receivedBy(staffAddress);
  expect([toStaff.length, server.received.length]).toEqual([1, 2]);
  const text = await toText(toStaff[0]);
  expect(ids.filter((id) => lists(text, id, '99999'))).toHaveLength(20);
  expect(text).toContain(copy.applicationNotice.more(30));
  expect(text).toContain(copy.applicationNotice.unknownZip);
  const toMailbox = server.received.find(({ to }) => !to.includes(staffAddress));
  expect(await toText(toMailbox)).toContain(copy.applicationReceipt.unknownZip);
  await given.apply();
  expect(await mailNotices(app.services)).toBe(false);
  await app.sql`update application_messages set attempted_at = attempted_at - interval '15 minutes'`;
  expect(await mailNotices(app.services)).toBe(true);
});

test('an application above the limit causes its messages when the limit allows', async () => {
  await using given = await setUpApplications({}, { env: { RATE_LIMIT_LEADS: '1/30m' } });
  const { app } = given;
  await given.apply();
  const waiting = await given.apply();
  const [row] = await app.sql<{ minutes: number }[]>`
    select extract(epoch from next_attempt_at - created_at)::int / 60 as minutes from application_messages
    where application_id = ${waiting} and kind = 'receipt'`;
  expect(row?.minutes).toBeGreaterThan(25);
  await Promise.all([mailReceipts(app.services), mailNotices(app.services)]);
  expect(await given.stateOf(waiting)).toEqual(['waiting', null]);
  await given.hourLater();
  await Promise.all([mailReceipts(app.services), mailNotices(app.services)]);
  expect([await given.stateOf(waiting), await given.stateOf(waiting, 'notice')]).toEqual([sent, sent]);
});

test('a message that is refused for now waits two days; refused for good, it ends', async () => {
  let code = 451;
  await using given = await setUpApplications({
    onRcptTo: (_address, _session, callback) =>
      code === 250 ? callback() : callback(refusal(code, code === 550 ? '5.1.1 unknown' : 'later')),
  });
  const { services, sql } = given.app;
  const id = await given.apply();
  expect([await mailReceipts(services), await mailNotices(services)]).toEqual([0, false]);
  const waits = ['waiting', expect.stringContaining('451')];
  expect([await given.stateOf(id), await given.stateOf(id, 'notice')]).toEqual([waits, waits]);
  // Both go in one message after the refused one.
  const second = await given.apply();
  code = 250;
  await sql`update application_messages set attempted_at = attempted_at - interval '15 minutes'`;
  expect([await mailReceipts(services), await mailNotices(services)]).toEqual([1, true]);
  expect(await given.stateOf(id)).toEqual(waits);
  expect([await given.stateOf(id, 'notice'), await given.stateOf(second, 'notice')]).toEqual([
    ['sent', null],
    ['sent', null],
  ]);
  await sql`update application_messages set created_at = created_at - interval '49 hours'`;
  await mailReceipts(services);
  expect(await given.stateOf(id)).toEqual(['refused', expect.stringContaining('48 hours')]);
  code = 550;
  const third = await given.apply();
  expect([await mailReceipts(services), (await given.stateOf(third))[0]]).toEqual([0, 'refused']);
});

test('one that staff release is announced, and gets a receipt if its form was shown', async () => {
  await using given = await setUpApplications();
  const { app } = given;
  const filled = await given.apply({ homepage: 'x' });
  const forged = await given.apply({ token: 'forged' });
  const free = await given.apply({ email: 'free@practice.example' });
  const manager = await signedIn(app, 'manager');
  const release = async (id: number, headers: Record<string, string>) =>
    (await app.post('/trpc/admin.applications.release', { id }, headers)).status;
  expect(await release(filled, await signedIn(app, 'viewer'))).toBe(403);
  expect([await release(filled, manager), await release(forged, manager)]).toEqual([200, 200]);
  expect([await release(filled, manager), await release(free, manager)]).toEqual([404, 404]);
  expect([await mailReceipts(app.services), await mailNotices(app.services)]).toEqual([2, true]);
  expect(await given.stateOf(filled)).toEqual(sent);
  expect((await given.stateOf(forged))[0]).toBe('withheld');
  const text = await toText(given.receivedBy(staffAddress)[0]);
  expect([filled, forged, free].map((id) => lists(text, id))).toEqual([true, true, true]);
  const audited =
    await app.sql`select detail from audit_log where action = 'application.release' order by id`;
  expect(audited.map((row) => row['detail'])).toEqual([{ reason: 'honeypot' }, { reason: 'token-forged' }]);
});

test('the messages are stored with their application, or not at all', async () => {
  await using given = await setUpApplications();
  const { app } = given;
  await app.sql`alter table application_messages add constraint fails check (kind <> 'receipt') not valid`;
  expect((await app.post(applicationsPath, applicationInput())).status).toBe(500);
  const [row] = await app.sql`select (select count(*)::int from provider_applications) as applications,
    (select count(*)::int from application_messages) as messages`;
  expect(row).toEqual({ applications: 0, messages: 0 });
  await app.sql`alter table application_messages drop constraint fails`;
  await given.apply();
  await app.sql`delete from provider_applications`;
  expect(await app.sql`select 1 from application_messages`).toHaveLength(0);
});
