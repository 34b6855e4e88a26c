import type { Email } from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { identityHash } from '#server/features/identity/identityHashes.ts';
import {
  linkEnd,
  readOutcome,
  readStopAddress,
  readWithdrawal,
  signWithdrawal,
} from '#server/features/mail/linkTokens.ts';
import { insertSuppressions, isSuppressed } from '#server/features/suppression/suppressions.ts';
import { storeCorrection } from '#server/features/leads/changes/leadCorrections.ts';
import { withdrawByLink } from '#server/features/withdrawals/withdrawByLink.ts';
import { getConsentText } from '#shared/brand/consentTexts.ts';
import { mail } from '#shared/brand/mail.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { setUpMail } from '#test/support/mailSetup.ts';
import { meets } from '#test/support/meets.ts';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';

/** The addresses that a message links to. */
function listLinks({ html = '' }: Email): string[] {
  return [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href ?? '');
}

function tokenIn(link: string | undefined): string {
  return link?.split('/').at(-1) ?? '';
}

describe('the message to a lead', () => {
  test('names its clinic and the evidence’s own words, and both its links withdraw', async () => {
    meets('D.deliveries.35');
    await using given = await setUpMail();
    const { at } = given;
    const provider = await insertProvider(at.database.db, {
      zipCode: '80202',
      address: '1 Quay',
      domain: null,
    });
    const lead = await given.sendForm({ acceptance_message: getConsentText('landing')?.text });
    expect(await given.deliver('lead-email', lead, provider)).toMatchObject({ outcome: 'delivered' });
    const email = await given.arrived();
    expect(email.to).toEqual([{ name: '', address: lead.email }]);
    expect(email.text).toContain(mail.welcome.heading(lead.firstName).toUpperCase());
    // STOP in answer reaches people.
    expect(email.replyTo).toEqual([{ name: 'We', address: 'hello@example.com' }]);
    for (const said of [
      provider.practiceName,
      provider.phone,
      '1 Quay 80202',
      getConsentText('landing')?.text ?? 'no text',
      'June 1, 2026 at 6:00 AM Mountain',
    ])
      expect(email.text).toContain(said);
    const links = listLinks(email);
    expect(links).toContain(`http://main.example:3000/?providerId=${provider.id}`);
    const page = links.find((link) => link.includes('/withdraw/'));
    const oneClick = email.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    const { pathname, searchParams } = new URL(page ?? '');
    // 1.0.0, which a rollback starts, reads only the token.
    const token = signWithdrawal(at.services.config.secretKeys, lead.publicId);
    expect(pathname).toBe(`/withdraw/${token}`);
    const hash = searchParams.get('hash') ?? '';
    expect(oneClick).toBe(`<http://main.example:3000/api/unsubscribe?token=${token}&hash=${hash}>`);
    const emailHmac = identityHash(await testIdentityKey(at.database), 'email', lead.emailNorm);
    expect(readWithdrawal(at.services.config.secretKeys, { token, hash })).toEqual({
      publicId: lead.publicId,
      sentTo: null,
      emailHmac,
    });
    expect(await isSuppressed(at.services, lead)).toBe(false);
    const click = { how: 'page', ip: '203.0.113.1', responseHeaders: new Map() } as const;
    await withdrawByLink(at.services, { link: { token, hash }, ...click });
    expect(await isSuppressed(at.services, lead)).toBe(true);
    // Nothing personal is in an address.
    for (const link of links)
      for (const part of [lead.email, lead.lastName, lead.phoneE164.slice(1)])
        expect(link).not.toContain(part);
  });

  test('is bound to its address, in the link and for STOP, once staff corrected it', async () => {
    const env = {
      INBOUND_MAIL_ADDRESS: 'stop@reply.example',
      INBOUND_MAIL_SECRET: `whsec_${'A'.repeat(44)}`,
    };
    await using given = await setUpMail(env);
    const { database, services } = given.at;
    const lead = await given.sendForm();
    await storeCorrection(database.db, {
      ...{ leadId: lead.id, at: new Date(), by: 'Staff', field: 'email', before: 'slip@mail.example' },
    });
    await given.deliver('lead-email', lead, null);
    const email = await given.arrived();
    const sentTo = identityHash(await testIdentityKey(database), 'email', lead.emailNorm);
    const keys = services.config.secretKeys;
    const page = new URL(listLinks(email).find((link) => link.includes('/withdraw/')) ?? '');
    const token = page.pathname.slice('/withdraw/'.length);
    expect(readWithdrawal(keys, { token })).toEqual({ publicId: lead.publicId, sentTo, emailHmac: sentTo });
    const [{ address = '' } = {}] = email.replyTo ?? [];
    expect(address.slice(0, address.indexOf('@')).length).toBeLessThanOrEqual(64);
    expect([readStopAddress(keys, address), readStopAddress(keys, address, sentTo)]).toEqual([
      null,
      lead.publicId,
    ]);
  });

  test('offers STOP, with an address of its own for replies, only if we receive mail', async () => {
    const env = {
      INBOUND_MAIL_ADDRESS: 'stop@reply.example',
      INBOUND_MAIL_SECRET: `whsec_${'A'.repeat(44)}`,
    };
    await using given = await setUpMail(env);
    const lead = await given.sendForm();
    await given.deliver('lead-email', lead, null);
    const { replyTo = [], text } = await given.arrived();
    expect(text).toContain(mail.withdraw.stop);
    const [{ address = '' } = {}] = replyTo;
    expect(address.slice(0, address.indexOf('@')).length).toBeLessThanOrEqual(64);
    expect(address).toMatch(/^stop\+[\da-f]{56}@reply\.example$/);
    expect(readStopAddress(given.at.services.config.secretKeys, address)).toBe(lead.publicId);

    await using without = await setUpMail();
    await without.deliver('lead-email', await without.sendForm(), null);
    expect((await without.arrived()).text).not.toContain(mail.withdraw.stop);
  });

  test('says without a clinic that nobody calls yet', async () => {
    await using given = await setUpMail();
    const lead = await given.send({ zip_code: '80202' });
    await given.deliver('lead-email', lead, null);
    const { text } = await given.arrived();
    expect(text).toContain(mail.noProvider.lead('80202'));
  });

  test('isn’t sent without evidence of consent; the clinic’s fails then', async () => {
    await using given = await setUpMail();
    const { db } = given.at.database;
    const [lead, provider] = [await insertLead(db), await insertProvider(db)];
    const reason = 'There is no consent on record.';
    expect(await given.deliver('lead-email', lead, provider)).toEqual({ outcome: 'cancelled', reason });
    expect(await given.deliver('provider-email', lead, provider)).toMatchObject({
      ...{ outcome: 'failed', refusal: 'recipient', reason },
    });
    expect(given.server.received).toEqual([]);
  });
});

describe('the message to a clinic', () => {
  test('is answered to the lead, and its five links are this lead’s five outcomes', async () => {
    meets('D.abuse.03');
    await using given = await setUpMail();
    const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
    const lead = await given.send();
    expect(await given.deliver('provider-email', lead, provider)).toMatchObject({
      outcome: 'delivered',
      status: 'SMTP 250',
    });
    const email = await given.arrived();
    expect(email.to?.[0]?.address).toBe(provider.email);
    expect(email.replyTo).toEqual([{ name: lead.firstName, address: lead.email }]);
    expect(email.subject).toBe(mail.providerLead.subject(lead.zipCode));
    expect(email.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
    const links = listLinks(email);
    expect(links[0]).toBe(`tel:${lead.phoneE164}`);
    const outcomes = links
      .filter((link) => link.startsWith('http://main.example:3000/outcome/'))
      .map((link) => readOutcome(given.at.services.config.secretKeys, tokenIn(link)));
    expect(outcomes).toEqual(
      leadOutcomes.map((outcome) => ({
        publicId: lead.publicId,
        providerId: provider.id,
        outcome,
        endsAt: linkEnd(given.at.services.now()),
      })),
    );
  });

  test('names the lead it corrects, not whether it is of the same person or right', async () => {
    meets('D.leads.73');
    await using given = await setUpMail();
    const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
    const lead = await given.send();
    const { id: earlier } = await given.send({ email: lead.email });
    await given.at.database
      .sql`update deliveries set state = 'delivered', next_attempt_at = null, finished_at = now() where lead_id = ${earlier} and channel = 'provider-email'`;
    await given.deliver('provider-email', lead, provider, {
      providerId: provider.id,
      correctsLeadId: earlier,
    });
    const email = await given.arrived();
    expect(email.subject).toBe(mail.providerLead.correction.subject(earlier));
    expect(email.subject).toContain(mail.providerLead.number(earlier));
    expect(email.text).toContain(mail.providerLead.correction.text(earlier));
    expect(email.text).toContain(lead.phone);
  });

  test('says, once they withdrew, to stop; who it is, only if staff stopped the phone', async () => {
    await using given = await setUpMail();
    const { db, sql } = given.at.database;
    const provider = await insertProvider(db, { zipCode: '80202' });
    const lead = await given.send();
    const identityKey = await testIdentityKey(given.at.database);
    const byPhone = 'staff, by phone';
    for (const by of ['page', 'one-click', 'reply', 'complaint', 'staff', byPhone]) {
      const [how = ''] = by.split(',');
      if (by === byPhone) {
        const entry = { reason: 'do-not-contact', leadId: lead.id, by: 'Staff', at: new Date() } as const;
        await insertSuppressions(db, { identityKey, person: { phoneE164: lead.phoneE164 } }, entry);
      }
      await sql`insert into consent_withdrawals (lead_id, at, how, by) values (${lead.id}, now(), ${how}, 'Visitor')`;
      await given.deliver('provider-email', lead, provider, { template: 'withdrawn' });
      const email = await given.newest();
      expect(email.subject).toBe(mail.withdrawn.subject);
      expect(email.replyTo?.[0]?.address).toBe('hello@example.com');
      for (const named of [lead.email, mail.providerLead.number(lead.id)])
        expect(email.text).toContain(named);
      const said = `${email.text} ${email.html}`;
      for (const part of [lead.phone, lead.lastName])
        expect({ by, part, isNamed: said.includes(part) }).toEqual({ by, part, isNamed: by === byPhone });
    }
  });

  test('says, once only this request was withdrawn, that the others stay valid', async () => {
    await using given = await setUpMail();
    const { db, sql } = given.at.database;
    const provider = await insertProvider(db, { zipCode: '80202' });
    const sent = await given.send();
    const lead = { ...sent, acceptanceConsent: false };
    const notice = async (): Promise<string> => {
      await given.deliver('provider-email', lead, provider, { template: 'withdrawn' });
      return (await given.newest()).text ?? '';
    };
    await sql`insert into consent_withdrawals (lead_id, at, how, by) values (${lead.id}, now(), 'page', 'Visitor')`;
    expect(await notice()).toContain(mail.withdrawn.ofRequest(lead.id));
    const identityKey = await testIdentityKey(given.at.database);
    const entry = { reason: 'withdrawn', leadId: lead.id, by: 'Visitor', at: new Date() } as const;
    const { emailNorm } = lead;
    await insertSuppressions(db, { identityKey, person: { emailNorm } }, entry);
    expect(await notice()).toContain(mail.withdrawn.ofLead.text(lead.id));
  });

  test('says, once they were erased, to delete that number’s lead, and names nobody', async () => {
    await using given = await setUpMail();
    const { db } = given.at.database;
    const provider = await insertProvider(db, { zipCode: '80202' });
    // A tombstone, without evidence that a message could be rendered from.
    const erasedAt = new Date('2026-06-02T08:30:00Z');
    const lead = await insertLead(db, { firstName: 'Erased', lastName: '', deletedAt: erasedAt, erasedAt });
    expect(await given.deliver('provider-email', lead, provider, { template: 'erased' })).toMatchObject({
      outcome: 'delivered',
    });
    const email = await given.arrived();
    expect(email.subject).toBe(mail.erased.subject(lead.id));
    expect(email.to?.[0]?.address).toBe(provider.email);
    expect(email.replyTo?.[0]?.address).toBe('hello@example.com');
    expect(email.text).toContain(mail.erased.at('June 2, 2026 at 8:30 AM UTC'));
    for (const part of [lead.email, lead.phone, lead.zipCode]) expect(email.text).not.toContain(part);
    expect(listLinks(email)).toEqual(['mailto:hello@example.com']);
  });

  test.each(['', 'none', 'a@clinic.example, b@clinic.example', 'a@clinic.example\nBcc: all@example.com'])(
    'is not tried again where the record’s address is %j',
    async (email) => {
      await using given = await setUpMail();
      const provider = await insertProvider(given.at.database.db, { zipCode: '80202', email });
      expect(await given.deliver('provider-email', await given.send(), provider)).toEqual({
        outcome: 'failed',
        refusal: 'recipient',
        status: null,
        answer: null,
        reason: 'The provider’s record has no valid email address.',
      });
      expect(given.server.received).toEqual([]);
    },
  );
});

describe('without a mail server', () => {
  test('messages are put into a folder, and in production they wait with the reason', async () => {
    meets('D.deliveries.25 D.deliveries.27');
    await using development = await setUpIntake();
    expect(development.services.mail.mailer.heldReason()).toBeNull();
    expect(development.services.mail.folder).not.toBeNull();
    await using production = await setUpIntake({ ...productionEnvironment, MAIN_DOMAINS: 'main.example' });
    const reason = 'Email is not configured (SMTP_URL).';
    expect(production.services.mail.mailer.heldReason()).toBe(reason);
    await production.sendForm(leadInput());
    const held = await production.database.sql`
      select state, reason from deliveries where channel = 'lead-email'`;
    expect([...held]).toEqual([{ state: 'held', reason }]);
  });
});
