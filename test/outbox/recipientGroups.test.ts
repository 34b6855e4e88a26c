import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { deliveries, recipientEmails } from '#server/db/schema/index.ts';
import { mailboxHash } from '#server/features/identity/identityHashes.ts';
import {
  createRecipientLimits,
  dayReason,
  domainReason,
  prefixReason,
} from '#server/features/mail/recipientLimits.ts';
import { createLog } from '#server/log.ts';
import { type MailSetup, setUpMail } from '#test/support/mailSetup.ts';
import { deliverOne } from '#test/support/outboxSetup.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';

const dayMs = 24 * 3_600_000;
const delivered = { state: 'delivered', reason: null };

/** Sends a lead by the form and makes one attempt of its email. */
async function arrive(given: MailSetup, email: string): Promise<unknown> {
  const lead = await given.sendForm({ email });
  const { db } = given.at.services;
  const rows = await db.select().from(deliveries).where(eq(deliveries.leadId, lead.id));
  const id = rows.find(({ channel }) => channel === 'lead-email')?.id ?? '';
  await deliverOne(given.at.services, id, new AbortController().signal);
  const [row] = await db
    .select({ state: deliveries.state, reason: deliveries.reason })
    .from(deliveries)
    .where(eq(deliveries.id, id));
  return row;
}

describe('spellings of one mailbox', () => {
  test.each([
    [
      'dots and both domains of Google',
      ['b.omb@gmail.com', 'bomb@gmail.com', 'bo.mb@googlemail.com', 'b.o.m.b+x@gmail.com'],
    ],
    ['keywords at Yahoo', ['bomb@yahoo.com', 'bomb-a@yahoo.com', 'bomb-b+c@yahoo.com']],
    [
      'full-width letters and other tags',
      ['bomb@target.example', 'ｂｏｍｂ＋ａ@target.example', 'bomb=b@target.example'],
    ],
  ])('%s are one address', async (_, spellings) => {
    await using given = await setUpMail();
    const outcomes: unknown[] = [];
    for (const email of spellings) outcomes.push(await arrive(given, email));
    const withheld = { state: 'cancelled', reason: dayReason };
    expect(outcomes).toEqual([delivered, ...spellings.slice(1).map(() => withheld)]);
    expect(given.server.received).toHaveLength(1);
  });

  test('other people of one domain are no one’s spelling', async () => {
    await using given = await setUpMail();
    for (const email of [
      'jo-ann@target.example',
      'jo@target.example',
      'j.o@target.example',
      'jo_2@target.example',
    ])
      expect(await arrive(given, email)).toEqual(delivered);
  });

  test('a row of 1.0.0 or 1.0.1 counts for the address that it was sent to', async () => {
    await using given = await setUpMail();
    const { db } = given.at.services;
    const key = await testIdentityKey(given.at.database);
    const sentAt = given.at.services.now();
    for (const earlier of ['b.omb@gmail.com', 'kit.o’brien@target.example'])
      await db
        .insert(recipientEmails)
        .values({ deliveryId: randomUUID(), recipientHmac: mailboxHash(key, earlier), sentAt });
    for (const email of ['b.omb+x@gmail.com', 'Kit.O’Brien@target.example'])
      expect(await arrive(given, email)).toEqual({ state: 'cancelled', reason: dayReason });
  });
});

/** Requests emails to these addresses within a day. Returns the distinct reasons why not, with their number. */
async function countWithheld(
  { at }: MailSetup,
  addresses: readonly string[],
): Promise<Record<string, number>> {
  const { db, dataKeys, now } = at.services;
  const limits = createRecipientLimits({ db, dataKeys, log: createLog('silent'), perHour: 1_000 });
  const counts: Record<string, number> = {};
  for (const address of addresses) {
    const asked = { deliveryId: randomUUID(), requestedBy: null, address, now: now() };
    const permission = await limits.permit(asked);
    const name = permission.kind === 'withheld' ? permission.reason : permission.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const numbered = (count: number, addressOf: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => addressOf(n));
/** As many different words of letters as needed. */
const word = (n: number): string =>
  String(n)
    .padStart(4, '0')
    .replaceAll(/\d/g, (digit) => 'bcdfghjklm'.charAt(Number(digit)));

describe('addresses that may all be one person’s', () => {
  test.each([
    ['numbers at a mail service', (n: number) => `victim${n}@outlook.com`],
    ['unknown tags', (n: number) => `victim_${word(n)}@proton.me`],
    ['a catch-all domain', (n: number) => `victim-${word(n)}@target.example`],
  ])('get twenty emails a day: %s', async (_, addressOf) => {
    await using given = await setUpMail();
    expect(await countWithheld(given, numbered(24, addressOf))).toEqual({ granted: 20, [prefixReason]: 4 });
    expect(await countWithheld(given, ['other@target.example', 'other@proton.me'])).toEqual({ granted: 2 });
    given.at.clock.ms += dayMs;
    expect(await countWithheld(given, [addressOf(99)])).toEqual({ granted: 1 });
  });

  test('get 100 a day at a domain of one owner, whatever the letters and subdomains', async () => {
    await using given = await setUpMail();
    const addresses = numbered(104, (n) => `${word(n)}@${word(n)}.target.example`);
    expect(await countWithheld(given, addresses)).toEqual({ granted: 100, [domainReason]: 4 });
    expect(await countWithheld(given, ['someone@else.example'])).toEqual({ granted: 1 });
  });

  test('are not the many customers of a mail service on one day', async () => {
    await using given = await setUpMail();
    const addresses = numbered(300, (n) => `${word(n)}${n}@gmail.com`);
    expect(await countWithheld(given, addresses)).toEqual({ granted: 300 });
  });
});
