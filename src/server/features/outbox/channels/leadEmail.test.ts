import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import { mail } from '#shared/brand/mail.ts';
import { dayMs } from '#shared/formats/time.ts';
import { parseHours } from '#shared/providers/detailValues.ts';
import { hexColor, hueShades } from '#shared/pages/hueShades.ts';
import { leadOutcomes as reports } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { setUpMail } from '#test/support/mailSetup.ts';

test('a lead’s message has the sender of visitors, and its clinic’s has MAIL_FROM', async () => {
  await using given = await setUpMail({ MAIL_FROM_VISITORS: 'Services, Inc. <desk@services.example>' });
  const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
  const lead = await given.sendForm();
  await given.deliver('lead-email', lead, provider);
  await given.deliver('provider-email', lead, provider);
  const [toLead, toProvider] = await Promise.all(given.server.received.map(({ email }) => email));
  expect(toLead?.from).toEqual({ name: 'Services, Inc.', address: 'desk@services.example' });
  expect(toLead?.replyTo).toEqual([{ name: 'Services, Inc.', address: 'hello@example.com' }]);
  expect(toLead?.messageId).toMatch(/@services\.example>$/);
  expect(toProvider?.from).toEqual({ name: 'We', address: 'us@main.example' });
  expect(given.server.received.map(({ from }) => from)).toEqual(['desk@services.example', 'us@main.example']);
});

test('a message is the clinic’s own if the lead was left on its site and is still its', async () => {
  const inbound = {
    INBOUND_MAIL_ADDRESS: 'stop@reply.example',
    INBOUND_MAIL_SECRET: `whsec_${'A'.repeat(44)}`,
  };
  await using given = await setUpMail({ MAIL_FROM_VISITORS: 'Inc. <desk@services.example>', ...inbound });
  const { db } = given.at.database;
  const provider = await insertProvider(db, {
    ...{ practiceName: 'Quay Clinic', email: ' front@quay.example', themeHue: 140 },
    logoUrl: 'https://quay.example/logo.svg',
  });
  const lead = { ...(await given.sendForm()), siteProviderId: provider.id };
  const newest = async (to: typeof provider): Promise<Email> => {
    await given.deliver('lead-email', { ...lead, providerId: to.id }, to, { requestedBy: 'Staff' });
    return given.newest();
  };
  const own = await newest(provider);
  expect(own.from).toEqual({ name: 'Quay Clinic', address: 'desk@services.example' });
  // STOP reaches us in any case.
  expect(own.replyTo?.map(({ address }) => address)).toEqual([
    expect.stringMatching(/^stop\+[\da-f]{56}@reply\.example$/),
    'front@quay.example',
  ]);
  expect(own.text).toContain(mail.why.clinicLead('Quay Clinic'));
  expect(own.html).toMatch(new RegExp(`src="http://main\\.example:3000/media/logo/${provider.id}\\?v=\\w+"`));
  expect(own.html).toContain(hexColor(hueShades.primary, 140));

  const listed = await newest({
    ...provider,
    email: 'a@quay.example, b@quay.example',
    logoUrl: '/logo.svg?v=2',
  });
  expect(listed.replyTo).toHaveLength(1);
  expect(listed.html).not.toContain('<img');
  const brands = { name: 'Inc.', address: 'desk@services.example' };
  const other = await insertProvider(db);
  expect([(await newest(other)).from, (await newest({ ...provider, status: 'f' })).from]).toEqual([
    brands,
    brands,
  ]);
});

test.each([
  ['1 Quay, Denver, CO', '1 Quay, Denver, CO 80202'],
  ['1 Quay, Denver, CO, 80202', '1 Quay, Denver, CO 80202'],
  ['1 Quay, Denver, CO 80202 ', '1 Quay, Denver, CO 80202'],
  ['1 Quay, Denver, CO,', '1 Quay, Denver, CO 80202'],
  ['80202 Quay Road, Denver, CO', '80202 Quay Road, Denver, CO 80202'],
])('the address %j is written as %j', async (address, line) => {
  await using given = await setUpMail();
  const provider = await insertProvider(given.at.database.db, { zipCode: '80202', address });
  await given.deliver('lead-email', await given.sendForm(), provider);
  expect((await given.arrived()).text?.split('\n')).toContain(line);
});

test('a message has times in the ZIP’s zones, the clinic’s distance and its hours', async () => {
  await using given = await setUpMail();
  const { db } = given.at.database;
  const hours = 'Mon-Fri 09:00-17:00; Sat 09:00-12:00';
  const provider = await insertProvider(db, { zipCode: '80202', hours: parseHours(hours) ?? null });
  const stored = await given.sendForm({ zip_code: '83501' });
  const lead = { ...stored, providerId: provider.id, matchDistanceMiles: 6.6, outcome: 'booked' as const };
  const [sent, reached, booked] = [1, 2, 3].map((days) => new Date(lead.createdAt.getTime() + days * dayMs));
  await given.deliver('provider-email', lead, provider, {
    ...{ providerId: provider.id, state: 'delivered', nextAttemptAt: null, finishedAt: sent },
  });
  const report = { leadId: lead.id, providerId: provider.id, by: 'Clinic' };
  await db.insert(reports).values([
    { ...report, outcome: 'reached', at: reached },
    { ...report, outcome: 'booked', at: booked },
  ]);
  await given.deliver('lead-email', lead, provider);
  const { text = '' } = await given.newest();
  const when = (at: string): string => `${at} at 6:00 AM Mountain / 5:00 AM Pacific`;
  for (const said of [
    'Mon–Fri 9:00 AM – 5:00 PM\nSat 9:00 AM – 12:00 PM',
    `${mail.welcome.you} ├── 7 miles ──┤ ${provider.practiceName}`,
    `${mail.track.received} ${when('June 1, 2026')}`,
    `${mail.track.sent} ${when('June 2, 2026')}`,
    `${mail.track.reached} ${when('June 3, 2026')}`,
    `${mail.track.booked} ${when('June 4, 2026')}`,
  ])
    expect(text).toContain(said);
  const late = new Date(booked?.getTime() ?? 0);
  await db.insert(reports).values({ ...report, outcome: 'not-reachable', at: late });
  await given.deliver('lead-email', { ...lead, zipCode: 'none' }, provider, { requestedBy: 'Staff' });
  expect((await given.newest()).text).toContain(
    `${mail.track.sent} June 2, 2026 at 12:00 PM UTC · ${mail.track.reached} – · ${mail.track.booked} –`,
  );
});
