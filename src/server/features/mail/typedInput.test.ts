import { decodeHTML } from 'entities';
import * as fc from 'fast-check';
import type { Email } from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { getConsentText } from '#shared/brand/consentTexts.ts';
import { mail } from '#shared/brand/mail.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { insertProvider } from '#test/support/factories.ts';
import { type MailSetup, setUpMail } from '#test/support/mailSetup.ts';
import { meets } from '#test/support/meets.ts';

const origin = 'http://main.example:3000';
const signedLink = new RegExp(
  `^${origin}/(?:withdraw|outcome|api/unsubscribe\\?token=)/?[\\w.-]+(?:[?&]hash=[\\w.-]+)?$`,
);

const hostileWord = fc.oneof(
  fc.constantFrom(
    'https://evil.example/login',
    'www.evil.example',
    'evil.example',
    'evil。example',
    'mallory@evil.example',
    '<a href="https://evil.example">here</a>',
    '"><img src=x>',
    '$500',
    '303-555-0199',
    "O'Neill",
    'Anne-Marie',
    'Zoë',
    '李',
    'x'.repeat(21),
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 22 }),
);
const sentence = fc.array(hostileWord, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const name = sentence.map((text) => `q${text}`.slice(0, 100).toWellFormed().trim());
const hostilePhone = fc.constantFrom(
  '(303) 555-0142',
  '+1 303 555 0143',
  'CALL 900 555 0199 TO CLAIM PRIZE',
  'evil.example 303 555 0144',
  '303 555 0145 ext. 44 http://evil.example/303?claim=1',
  'www.evil.example/x home 303-555-0146, cell +1 900 555 0199 before 10 pm! claim',
);
/** Input that anyone can post. */
const hostileInput = fc.record({
  first_name: name,
  last_name: name,
  phone: hostilePhone,
  zip_code: fc.oneof(fc.constantFrom('80202', '99501-1234', 'www.evil.example', '8020'), name),
  acceptance_message: sentence.map((text) => `q${text}`),
});

interface Parts {
  subject: string;
  /** All header lines except those of the message's id, recipient and time. */
  headers: string[];
  /** Lines of both bodies, as a reader sees them. */
  lines: string[];
  /** Values of the HTML's attributes. */
  attributes: string[];
}

const ownHeaders = new Set(['to', 'reply-to', 'message-id', 'list-unsubscribe', 'content-type', 'subject']);

/** The ZIP chooses the zone: 'June 1, 2026 at 6:00 AM Mountain'. */
const time = /\d{1,2}:\d\d [AP]M (?:Mountain|Alaska|UTC)/g;

function buildLines(text: string): string[] {
  return text
    .replaceAll(time, '<time>')
    .split(/[\n\r]+/)
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

function toParts({ subject = '', headers, html = '', text = '' }: Email): Parts {
  const body = html.replaceAll(/<style[^>]*>[^]*?<\/style>/g, '');
  const seen = body.replaceAll(/<strong>([^<]*)<\/strong>/g, '$1').replaceAll(/<[^>]*>/g, '\n');
  return {
    subject,
    headers: headers.filter(({ key }) => !ownHeaders.has(key)).map(({ key, value }) => `${key}: ${value}`),
    lines: [...buildLines(decodeHTML(seen)), ...buildLines(text)],
    attributes: [...body.matchAll(/<[^>]*>/g)].flatMap(([tag]) =>
      [...tag.matchAll(/="([^"]*)"/g)].map(([, value = '']) => decodeHTML(value)),
    ),
  };
}

/** The parts of a message that another one, rendered without input, lacks. */
function beyond(template: Parts, { subject, headers, lines, attributes }: Parts): Parts {
  const without = (list: readonly string[], known: readonly string[]): string[] => {
    const all = new Set(known.map((line) => line.toUpperCase()));
    return list.filter((line) => !all.has(line.toUpperCase()));
  };
  return {
    subject: subject === template.subject ? '' : subject,
    headers: without(headers, template.headers),
    lines: without(lines, template.lines),
    attributes: without(attributes, template.attributes),
  };
}

/** Addresses that pass the lead form and that mail programs turn into links. */
const hostileEmail = fc
  .tuple(
    fc.constantFrom(
      'www.evil.example/claim?x=1',
      'https//evil.example/',
      'prize=claim&now',
      '303!555!0199',
      'www。evil。example/',
      'kit',
    ),
    fc.nat(),
    fc.constantFrom('a.co', 'bücher.example', 'ⓐ.co'),
  )
  .map(([local, count, domain]) => `${local}${count}@${domain}`);

const neutral: Partial<LeadCreateInput> = { first_name: '1', last_name: '1', zip_code: '-' };

async function messageTo(
  given: MailSetup,
  channel: 'lead-email' | 'provider-email',
  input: Partial<LeadCreateInput>,
  ...[provider, delivery]: [Parameters<MailSetup['deliver']>[2], Parameters<MailSetup['deliver']>[3]?]
): Promise<Email> {
  const lead = await given.send(input);
  expect(await given.deliver(channel, lead, provider, delivery)).toMatchObject({ outcome: 'delivered' });
  return given.newest();
}

/** A first name that a greeting may contain, by a rule independent of the product's. */
function mayGreet(firstName: string): boolean {
  const words = firstName.normalize('NFC').split(/\s+/);
  const isPlain = firstName.normalize('NFKC') === firstName.normalize('NFC');
  const marks = firstName
    .replaceAll(/[^'’-]/g, '')
    .replace(/['’]/, '')
    .replace('-', '');
  return (
    isPlain &&
    marks === '' &&
    words.length <= 2 &&
    words.every((word) => /^\p{L}[\p{L}'’-]{0,39}$/u.test(word))
  );
}

describe('a message to the person', () => {
  test.each(['leadWelcome', 'leadNoProvider'] as const)(
    '%s contains only a plain first name and a ZIP of the typed input',
    async (template) => {
      meets('D.abuse.01');
      await using given = await setUpMail({ LEAD_EMAILS_PER_HOUR: '100000' });
      const provider =
        template === 'leadWelcome' ? await insertProvider(given.at.database.db, { zipCode: '80202' }) : null;
      const plain = toParts(await messageTo(given, 'lead-email', neutral, provider));
      expect(plain.lines.length).toBeGreaterThan(10);
      // A ZIP that can be placed adds the distance.
      const near = toParts(await messageTo(given, 'lead-email', { ...neutral, zip_code: '80202' }, provider));
      plain.lines.push(...near.lines);
      plain.attributes.push(...near.attributes);
      let greeted = 0;
      const property = fc.asyncProperty(hostileInput, async (input) => {
        const email = await messageTo(given, 'lead-email', input, provider);
        expect(email.to).toEqual([{ name: '', address: expect.stringMatching(/^[\w.]+@example\.com$/) }]);
        expect(email.replyTo).toEqual([{ name: 'We', address: 'hello@example.com' }]);
        const { subject, headers, lines, attributes } = beyond(plain, toParts(email));
        expect({ subject, headers }).toEqual({ subject: '', headers: [] });
        for (const value of attributes) expect(value).toMatch(signedLink);
        const zip = /^\d{5}/.exec(input.zip_code)?.[0] ?? '-----';
        const thanks = mail.welcome.heading(null).toUpperCase();
        const typed = lines
          .map((line) => line.replace(/ ?http:\S+$/, (link) => (signedLink.test(link.trim()) ? '' : link)))
          .filter((line) => line !== mail.withdraw.link && line !== mail.noProvider.lead(zip))
          .map((line) =>
            line.toUpperCase().startsWith(thanks) ? line.slice(thanks.length + 1).trim() : line,
          );
        const isName = typed.every((line) => line.split(' ').length <= 2 && !/[/.:@\d]/.test(line));
        expect({ typed, isName, greets: typed.length > 0 && !mayGreet(input.first_name) }).toEqual({
          typed,
          isName: true,
          greets: false,
        });
        greeted += typed.length;
      });
      await fc.assert(property, { numRuns: 60, seed: 7 });
      expect(greeted).toBeGreaterThan(0);
    },
  );

  test('prints only a registered consent text', async () => {
    meets('D.abuse.04');
    await using given = await setUpMail();
    const registered = getConsentText('landing')?.text ?? '';
    expect(registered).not.toBe('');
    const typed = 'ACCOUNT NOTICE: confirm your identity at https://evil.example/login';
    const unknown = await messageTo(given, 'lead-email', { acceptance_message: typed }, null);
    expect(unknown.text).toContain(mail.consent.notShown);
    expect(unknown.text).not.toContain('evil.example');
    const lead = await given.sendForm({ acceptance_message: registered });
    await given.deliver('lead-email', lead, null);
    const known = await given.newest();
    expect(known.text).toContain(registered);
    expect(known.text).not.toContain(mail.consent.notShown);
  });
});

describe('a message to the provider', () => {
  const labels = Object.values(mail.providerLead.facts);
  const isDetail = (line: string): boolean => labels.some((label) => line.startsWith(`${label}:`));

  test.each(['lead', 'withdrawn'] as const)(
    '"%s" has typed input only in the contact details, without links',
    async (template) => {
      meets('D.abuse.03 D.abuse.04');
      await using given = await setUpMail();
      const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
      const plain = toParts(await messageTo(given, 'provider-email', neutral, provider, { template }));
      // A withdrawal's own sentences differ by the lead's number, and by whether others have the phone.
      const unnumbered = (line: string): string => line.replaceAll(/\d+/g, '#');
      const sentences = template === 'withdrawn' ? [...plain.lines, mail.withdrawn.othersStay(null)] : [];
      const own = new Set(sentences.map(unnumbered));
      const property = fc.asyncProperty(hostileInput, async (input) => {
        const email = await messageTo(given, 'provider-email', input, provider, { template });
        const greets = template === 'lead' && mayGreet(input.first_name);
        expect(email.replyTo?.map(({ name: displayed }) => displayed)).toEqual([
          template === 'lead' ? (greets ? input.first_name : '') : 'We',
        ]);
        const { subject, headers, lines, attributes } = beyond(plain, toParts(email));
        expect(['', mail.providerLead.subject('')]).toContain(subject.replace(/\d{5}/, ''));
        expect(headers).toEqual([]);
        for (const value of attributes)
          expect(value).toMatch(
            new RegExp(`${signedLink.source}|^tel:\\+\\d+(?:;ext=\\d+)?$|^mailto:[\\w.]+@example\\.com$`),
          );
        const strange = lines
          .map((line) => line.replace(/ (?:tel:\+\d+(?:;ext=\d+)?|mailto:[\w.]+@example\.com)$/, ''))
          .filter(
            (line) => line !== email.subject && line !== mail.providerLead.call && !own.has(unnumbered(line)),
          )
          .filter((line) => !line.split(' ').some((word) => signedLink.test(word)))
          .filter((line) => !/^(?:\(\d{3}\) 555-\d{4}(?: ext\. \d+)?|[\w.]+@example\.com|#?\d+)$/.test(line))
          // The details contain nothing that a mail program turns into a link.
          .filter((line) => !isDetail(line) || /:\/\/|[.。@]\p{L}/u.test(line))
          .filter((line) => !/^[^:]+: [\w.]+@example\.com$/.test(line));
        expect(strange).toEqual([]);
      });
      await fc.assert(property, { numRuns: 40, seed: 11 });
    },
  );

  test('prints the phone’s digits, and the email address only if it is plain', async () => {
    meets('D.abuse.03');
    await using given = await setUpMail();
    const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
    const { phone: phoneLabel, phoneTyped: typedLabel, email: emailLabel } = mail.providerLead.facts;
    const getValue = (text: string, label: string): string =>
      buildLines(text)
        .find((line) => line.startsWith(`${label}: `))
        ?.slice(label.length + 2) ?? '';
    const shown: string[] = [];
    let remarks = 0;
    const property = fc.asyncProperty(hostilePhone, hostileEmail, async (phone, email) => {
      for (const template of ['lead', 'withdrawn'] as const) {
        const { text = '', html = '' } = await messageTo(
          given,
          'provider-email',
          { phone, email },
          provider,
          {
            template,
          },
        );
        // A withdrawal names no phone.
        expect(getValue(text, phoneLabel)).toMatch(
          template === 'withdrawn'
            ? /^$/
            : /^\(\d{3}\) 555-\d{4}(?: ext\. \d+)?(?: tel:\+1\d{3}555\d{4}(?:;ext=\d+)?)?$/,
        );
        const typed = getValue(text, typedLabel);
        expect(typed.length).toBeLessThanOrEqual(40);
        expect(typed).toMatch(/^(?:[\d ,+()-]|ext|x|before|after|am|pm|home|work|cell)*$/);
        remarks += typed === '' ? 0 : 1;
        const address = getValue(text, emailLabel);
        shown.push(address);
        const isPlain = /^(kit\d+@(?:a\.co|xn--bcher-kva\.example))(?: mailto:\1)?$/.test(address);
        expect({ address, isFit: isPlain || address === mail.providerLead.emailNotPrinted }).toEqual({
          address,
          isFit: true,
        });
        expect(`${text}${html}`).not.toMatch(/evil|claim|prize|303!/i);
      }
    });
    await fc.assert(property, { numRuns: 30, seed: 5 });
    expect(new Set(shown.map((value) => value === mail.providerLead.emailNotPrinted)).size).toBe(2);
    expect(remarks).toBeGreaterThan(0);
  });

  test('prints the lead’s host only if it is a main or active provider’s host', async () => {
    await using given = await setUpMail();
    const { db } = given.at.database;
    const provider = await insertProvider(db, { zipCode: '80202', domain: 'quay.example' });
    await insertProvider(db, { status: 'f', domain: 'closed.example' });
    const cameFrom = async (host: string): Promise<string | undefined> => {
      const lead = await given.send({}, { site: { kind: 'unknown', host, tenant: null } });
      await given.deliver('provider-email', lead, provider);
      return new RegExp(`^${mail.providerLead.facts.cameFrom}: (.*)$`, 'm').exec(
        (await given.newest()).text ?? '',
      )?.[1];
    };
    expect(await cameFrom('main.example')).toBe('main.example');
    expect((await given.newest()).text).toContain(mail.why.providerLead);
    expect(await cameFrom('quay.example')).toBe('quay.example');
    expect((await given.newest()).text).toContain(mail.why.providerSite);
    expect(await cameFrom('closed.example')).toBe(mail.providerLead.otherHost);
    expect(await cameFrom('evil.example')).toBe(mail.providerLead.otherHost);
  });
});
