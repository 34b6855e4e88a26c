import { describe, expect, test } from 'vitest';
import { mail } from '#shared/brand/mail.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { insertProvider } from '#test/support/factories.ts';
import { setUpMail } from '#test/support/mailSetup.ts';
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

test('two hundred spellings of ten numbers reach the provider as what a reader would dial', async () => {
  await using given = await setUpMail();
  const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
  expect(phoneSpellings).toHaveLength(200);
  expect(new Set(phoneSpellings.map(({ dialed }) => dialed.split(';')[0])).size).toBe(10);
  for (const { typed, dialed } of phoneSpellings) {
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

test('mail to a person goes to the deliverable address; lead and evidence keep what was typed', async () => {
  await using given = await setUpMail();
  const typed = 'kit.o’brien@example.com';
  const lead = await given.sendForm({ email: typed });
  expect(await given.deliver('lead-email', lead, null)).toMatchObject({ outcome: 'delivered' });
  expect((await given.newest()).to?.[0]?.address).toBe("kit.o'brien@example.com");
  expect([lead.email, (await given.at.consent(lead.id))['email']]).toEqual([typed, typed]);
});
