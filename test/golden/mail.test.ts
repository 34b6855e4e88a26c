import { expect, test } from 'vitest';
import { z } from 'zod';
import { applicationConsent } from '#shared/brand/application.ts';
import { getConsentText } from '#shared/brand/consentTexts.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import type { FormKey } from '#shared/leads/leadForms.ts';
import { mailNotices, mailReceipts } from '#server/features/applications/applicationMail.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { insertProvider } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { mailServer, type MailServer, type Received } from '#scripts/demo/mailServer.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { type Client, testApp, type TestApp } from '#test/support/testApp.ts';
import { expectGoldens, numbered } from './goldenFiles.ts';
import { noneQueued } from './queuedDeliveries.ts';

const toProvider = 'front@quay.example';
const kit: LeadCreateInput = {
  first_name: 'Kit',
  last_name: 'Elmsworth',
  email: 'kit@example.com',
  phone: '(303) 555-0101',
  zip_code: '80202',
  acceptance_consent: true,
};
const created = z.object({ id: z.number().int() });
const month = 'January|February|March|April|May|June|July|August|September|October|November|December';

function insertQuay({ db }: TestApp) {
  return insertProvider(db, {
    name: 'Dr. Quay',
    practiceName: 'Quay Clinic',
    address: '12 Harbour Street',
    zipCode: '80202',
    phone: '(303) 555-0100',
    email: toProvider,
    website: 'https://www.quay.example',
    domain: 'quay.example',
    themeHue: 200,
  });
}

/** Sends a lead as a page's form does, with the consent text that the form shows. */
async function sendForm(client: Client, form: FormKey, overrides: Partial<LeadCreateInput>): Promise<number> {
  const body = { ...kit, form, token: formToken(form), acceptance_message: getConsentText(form)?.text };
  const answer = await client.post('/api/leads', { ...body, ...overrides });
  expect(answer.status).toBe(201);
  return created.parse(answer.json()).id;
}

async function sendScript(app: TestApp, overrides: Partial<LeadCreateInput>): Promise<number> {
  const answer = await app.post('/api/leads', { ...kit, ...overrides }, await getToken(app, ['leads:write']));
  expect(answer.status).toBe(201);
  return created.parse(answer.json()).id;
}

/** The message to an address that came after so many others to it. */
async function messageTo({ received }: MailServer, address: string, earlier = 0): Promise<Received> {
  const found = (): Received | undefined => received.filter(({ to }) => to.includes(address))[earlier];
  await expect.poll(found).toBeDefined();
  const message = found();
  if (message === undefined) throw new Error('the message is gone');
  return message;
}

function toSubject({ raw }: Received): string {
  return /^Subject: (.*)$/m.exec(raw)?.[1] ?? '';
}

/** Every header in order, each on one line. */
function getHeaders(raw: string): string {
  const [head = ''] = raw.split('\r\n\r\n');
  return head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .replaceAll('\r\n', '\n')
    .replace(/^Date: \w{3}, \d{2} \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/m, 'Date: <date>')
    .replace(/boundary="[^"]+"/, 'boundary="<boundary>"');
}

async function toText({ from, to, raw, email }: Received, { port }: TestApp): Promise<string> {
  const { text = '', html = '' } = await email;
  const whole = [
    `MAIL FROM: ${from}`,
    `RCPT TO: ${to.join(', ')}`,
    '',
    getHeaders(raw),
    '',
    '---- text part ----',
    text,
    '---- HTML part, a line break added between tags ----',
    html.replaceAll('><', '>\n<'),
  ].join('\n');
  const plain = whole
    .replaceAll(`:${port}`, ':<port>')
    .replaceAll(/_\d{10}\.[\w-]{43}(?![\w-])/g, '_<seconds>.<signature>')
    .replaceAll(/([_=])[\w-]{43}\.[\w-]{43}(?![\w-])/g, '$1<hash>.<signature>')
    .replaceAll(/\.[\w-]{43}(?![\w-])/g, '.<signature>')
    .replaceAll(
      new RegExp(`(?:${month}) \\d{1,2}, \\d{4} at \\d{1,2}:\\d\\d\\s[AP]M (Mountain|Alaska|UTC)`, 'g'),
      '<time> $1',
    )
    // Both messages leave at the same time: chance decides whether the lead's knows that the clinic's has left.
    .replaceAll(/ · Sent (?:–|<time> Mountain)/g, '')
    .replaceAll(/<strong>Sent<\/strong> (?:–|<time> Mountain) ·<\/span> <span[^>]*>\n?/g, '');
  return `${numbered(plain).trimEnd()}\n`;
}

async function withdraw(app: TestApp, { email }: Received): Promise<void> {
  const header = (await email).headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const { pathname, search } = new URL(header.slice(1, -1));
  const answer = await app.request('POST', `${pathname}${search}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(answer.status).toBe(200);
}

test('each email has the same headers, text and HTML', async () => {
  meets('P7.call.33');
  await using server = await mailServer();
  await using app = await testApp({
    worker: true,
    env: {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIN_DOMAINS: 'brand.example',
      MAIL_FROM: 'The Brand <us@brand.example>',
      MAIL_FROM_VISITORS: 'Services, Inc. <desk@services.example>',
      CONTACT_EMAIL: 'hello@brand.example',
      LEGAL_POSTAL_ADDRESS: '100 Example Street, Springfield, IL 62701',
    },
  });
  await app.knows(await insertQuay(app));
  const main = app.as('brand.example');
  const found: Record<string, Received> = {};

  const kitId = await sendForm(main, 'landing', {});
  found['lead-welcome'] = await messageTo(server, 'kit@example.com');
  found['provider-lead'] = await messageTo(server, toProvider);

  await sendForm(app.as('quay.example'), 'microsite', {
    email: 'robin@example.com',
    phone: '(303) 555-0102',
  });
  found['lead-welcome-from-tenant-site'] = await messageTo(server, 'robin@example.com');
  found['provider-lead-from-tenant-site'] = await messageTo(server, toProvider, 1);

  await sendScript(app, {
    first_name: 'Visit www.spam.example',
    email: 'jo.o’brien@example.com',
    phone: '(303) 555-0103',
    zip_code: '80202-1234',
    acceptance_message: 'Words that no form shows.',
  });
  found['lead-welcome-from-script'] = await messageTo(server, "jo.o'brien@example.com");
  found['provider-lead-from-script'] = await messageTo(server, toProvider, 2);

  await sendForm(main, 'find', { email: 'far@example.com', phone: '(303) 555-0104', zip_code: '99501' });
  found['lead-no-provider'] = await messageTo(server, 'far@example.com');
  await sendForm(main, 'quiz', { email: 'lost@example.com', phone: '(303) 555-0105', zip_code: 'none' });
  found['lead-no-provider-unknown-zip'] = await messageTo(server, 'lost@example.com');

  // The same person within a day: other details go to the provider as a correction, equal ones to nobody.
  const correction = { email: 'kit@example.com', phone: '(303) 555-0106' };
  await sendForm(main, 'landing', correction);
  found['provider-lead-correction'] = await messageTo(server, toProvider, 3);
  await sendForm(main, 'landing', { ...correction, first_name: 'Christopher' });

  const resend = await app.post(`/api/leads/${kitId}/retry-email`, {}, await getToken(app, ['leads:write']));
  expect(resend.json()).toEqual({ success: true });
  found['lead-welcome-resent-by-staff'] = await messageTo(server, 'kit@example.com', 1);

  await withdraw(app, found['lead-welcome-from-tenant-site']);
  found['provider-withdrawn'] = await messageTo(server, toProvider, 4);

  // A stranger types Wanda's name and phone, and withdraws by the own link. Then staff stop the phone.
  const wanda = { first_name: 'Wanda', email: 'wanda@victim.example', phone: '(303) 555-0108' };
  await sendForm(main, 'landing', wanda);
  const wandas = await messageTo(server, toProvider, 5);
  expect(toSubject(wandas)).toBe('New lead from 80202');
  await sendForm(main, 'landing', { ...wanda, email: 'zz@stranger.example' });
  found['provider-lead-correction-other-email'] = await messageTo(server, toProvider, 6);
  const stranger = await messageTo(server, 'zz@stranger.example');
  // A withdrawal cancels what isn't recorded as delivered yet.
  const owner = await signedIn(app, 'owner');
  await noneQueued(app, owner);
  await withdraw(app, stranger);
  found['provider-withdrawn-shared-phone'] = await messageTo(server, toProvider, 7);
  await sendForm(main, 'landing', { ...wanda, email: 'wanda@work.example' });
  found['provider-lead-after-other-stop'] = await messageTo(server, toProvider, 8);
  const manager = await signedIn(app, 'manager');
  const [task] = await app.sql<{ id: number }[]>`select id::int from staff_tasks order by id`;
  const decision = { id: task?.id, decision: 'stop-phone' };
  expect((await app.post(`/api/tasks/${task?.id}/complete`, decision, manager)).status).toBe(200);
  found['provider-withdrawn-by-staff'] = await messageTo(server, toProvider, 9);
  // To Wanda, the stranger and Wanda, and to the provider about Wanda's first.
  const others = 4;
  await expect.poll(() => server.received.length).toBe(Object.keys(found).length + others);

  await noneQueued(app, owner);
  const erasure = { leadId: kitId, confirmation: String(kitId), reason: 'asked' };
  expect((await app.post('/trpc/admin.personalData.erase', erasure, owner)).status).toBe(200);
  // One for each of the person's leads that the provider received.
  const erased = [await messageTo(server, toProvider, 10), await messageTo(server, toProvider, 11)];
  const [first, correctionErased] = erased.toSorted((a, b) => toSubject(a).localeCompare(toSubject(b)));
  if (first !== undefined) found['provider-erased'] = first;
  if (correctionErased !== undefined) found['provider-erased-correction'] = correctionErased;

  await app.post('/api/provider-applications', {
    ...applicationInput({ contact_name: 'Kit Elmsworth', email: 'kit@practice.example' }),
    acceptance_message: applicationConsent.text,
    token: formToken('application'),
  });
  await Promise.all([mailReceipts(app.services), mailNotices(app.services)]);
  found['application-receipt'] = await messageTo(server, 'kit@practice.example');
  found['application-notice'] = await messageTo(server, 'hello@brand.example');

  expect(server.received).toHaveLength(Object.keys(found).length + others);
  const texts: Record<string, string> = {};
  for (const [name, message] of Object.entries(found)) texts[name] = await toText(message, app);
  await expectGoldens('mail', '.eml.txt', texts);
});
