import { describe, expect, test } from 'vitest';
import { mail } from '#shared/brand/mail.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { suppress } from '../withdrawals/suppress.ts';
import { isSuppressed } from '../suppression/suppressions.ts';
import { insertProvider } from '#test/support/factories.ts';
import { deliverOne, crmEnvironment } from '#test/support/outboxSetup.ts';
import { type Receiver, startReceiver } from '#test/support/receiver.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';
import { type MailSetup, setUpMail } from '#test/support/mailSetup.ts';
import { phoneSpellings } from '#test/support/phoneSpellings.ts';

const { facts } = mail.providerLead;

/** The facts of the provider's email about a lead, by label, and its `tel:` link. */
async function providerMail(input: Partial<LeadCreateInput>): Promise<{
  facts: Record<string, string | undefined>;
  dialed: string | undefined;
  replyTo: string | undefined;
}> {
  await using given = await setUpMail();
  const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
  const lead = await given.send(input);
  expect(await given.deliver('provider-email', lead, provider)).toMatchObject({ outcome: 'delivered' });
  const { text = '', html = '', replyTo } = await given.newest();
  const found = Object.values(facts).map((label) => [
    label,
    new RegExp(`^${label}: (.*?)(?: tel:| mailto:|$)`, 'm').exec(text)?.[1]?.trim(),
  ]);
  return {
    facts: Object.fromEntries(found),
    dialed: /href="tel:([^"]+)"/.exec(html)?.[1],
    replyTo: replyTo?.[0]?.address,
  };
}

test('any spelling of a number reaches the provider as what a reader would dial', async () => {
  await using given = await setUpMail();
  const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
  // Which number a spelling is, normalForms.test.ts shows for all of them.
  const ofTwoNumbers = phoneSpellings.filter(({ dialed }) => /^\+(?:13035550142|442079460958)/.test(dialed));
  expect(ofTwoNumbers).toHaveLength(38);
  for (const { typed, dialed } of ofTwoNumbers) {
    const lead = await given.send({ phone: typed });
    await given.deliver('provider-email', lead, provider);
    const { html = '' } = await given.newest();
    expect({ typed, dialed: /href="tel:([^"]+)"/.exec(html)?.[1] }).toEqual({ typed, dialed });
    expect(lead.phone).toBe(typed.replace(/^\u202a|\u202c$/g, ''));
  }
});

describe('the provider’s email', () => {
  test.each([
    ['303-555-0777 ext. 44', '(303) 555-0777 ext. 44', undefined],
    ['303-555-0778 after 10am', '(303) 555-0778', '303-555-0778 after 10am'],
    ['home 303-555-0142, cell 720-555-0199', '(303) 555-0142', 'home 303-555-0142, cell 720-555-0199'],
    ['303-555-0142 please call before 5 p.m.!', '(303) 555-0142', '303-555-0142 before 5 pm'],
    ['020 7946 0958', '+02079460958', '020 7946 0958'],
    ['my number is (303) 555-0142', '(303) 555-0142', undefined],
  ])('prints of the phone %j %j, and as typed %j', async (phone, shown, typed) => {
    const printed = await providerMail({ phone });
    expect([printed.facts[facts.phone], printed.facts[facts.phoneTyped]]).toEqual([shown, typed]);
  });

  test.each([
    ['kit.o’brien@example.com', "kit.o'brien@example.com"],
    ['ｋｉｔ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'kit@example.com'],
    ['kit@example.com.', 'kit@example.com'],
  ])('prints the address %j, and replies go there, as %j', async (email, address) => {
    const printed = await providerMail({ email });
    expect([printed.facts[facts.email], printed.replyTo]).toEqual([address, address]);
  });
});

test('mail to a person goes to the deliverable address; evidence keeps what was typed', async () => {
  await using given = await setUpMail();
  const typed = 'kit.o’brien@example.com';
  const lead = await given.sendForm({ email: typed });
  expect(await given.deliver('lead-email', lead, null)).toMatchObject({ outcome: 'delivered' });
  expect((await given.newest()).to?.[0]?.address).toBe("kit.o'brien@example.com");
  expect([lead.email, (await given.at.consent(lead.id))['email']]).toEqual([typed, typed]);
});

describe('a further number that is suppressed', () => {
  const phone = 'home 303-555-0142, cell 720-555-0199 after 5';

  /** Sends a lead, and makes its attempts by the provider's email and the CRM. Returns what arrived. */
  async function deliverAll(
    given: MailSetup,
    receiver: Receiver,
    { suppressedAfter }: { suppressedAfter: boolean },
  ): Promise<{ leadId: number; typed: string | undefined; text: string; crm: string; tasks: number[] }> {
    const { database, services } = given.at;
    const stop = async (phoneE164: string) =>
      suppress(database.db, {
        ...{ person: { phoneE164 }, identityKey: await testIdentityKey(database), leadId: null },
        ...{ reason: 'do-not-contact', how: 'staff', by: 'Robin Staff', ip: null, now: services.now() },
      });
    if (!suppressedAfter) await stop('+17205550199');
    await insertProvider(database.db, { zipCode: '80202' });
    const lead = await given.send({ phone });
    const listTasks = async () =>
      (
        await database.sql<{ id: string }[]>`
        select lead_id as id from staff_tasks where kind = 'number-suppressed'`
      ).map(({ id }) => Number(id));
    expect(await listTasks()).toEqual(suppressedAfter ? [] : [lead.id]);
    if (suppressedAfter) await stop('+17205550199');
    const queued = await database.sql<{ id: string }[]>`
      select id from deliveries where lead_id = ${lead.id} and channel in ('provider-email', 'crm')`;
    expect(queued).toHaveLength(2);
    for (const { id } of queued) await deliverOne(services, id);
    const { text = '' } = await given.newest();
    const typed = new RegExp(`^${facts.phoneTyped}: (.*)$`, 'm').exec(text)?.[1];
    return { leadId: lead.id, typed, text, crm: receiver.received[0]?.body ?? '', tasks: await listTasks() };
  }

  test.each([false, true])(
    'reaches neither provider nor CRM, with one task (stopped later: %s)',
    async (later) => {
      await using receiver = await startReceiver();
      await using given = await setUpMail(crmEnvironment(receiver));
      const sent = await deliverAll(given, receiver, { suppressedAfter: later });
      expect(sent.tasks).toEqual([sent.leadId]);
      expect(sent.typed).toBe('home 303-555-0142, cell, after 5');
      for (const body of [sent.text, sent.crm]) {
        expect(body).toContain('555');
        expect(body).not.toContain('0199');
      }
    },
  );

  test('doesn’t stop the lead, and a suppressed first number does', async () => {
    await using given = await setUpMail();
    const { database, services } = given.at;
    const first = await given.send({ phone });
    expect(await isSuppressed(services, first)).toBe(false);
    await suppress(database.db, {
      ...{
        person: { phoneE164: '+13035550142' },
        identityKey: await testIdentityKey(database),
        leadId: null,
      },
      ...{ reason: 'do-not-contact', how: 'staff', by: 'Robin Staff', ip: null, now: services.now() },
    });
    expect(await isSuppressed(services, first)).toBe(true);
  });
});
