import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRenderer } from '#server/render/document.ts';
import type { MailProps } from '#shared/mail/mail.ts';
import * as secondEntries from '#test/brands/fernbend/placeholders.ts';
import * as secondStudy from '#test/brands/fernbend/trust/study.ts';
import { rewriteModule, rewriteText, specifiedModule } from '#test/brands/secondBrand.ts';
import { type BrandCopy, type BuiltFile, builtText, copyWithSecondBrand } from '#test/support/brandCopy.ts';
import { byModule, listPhrases, plainHtml } from '#test/support/brandTerms.ts';
import { visit } from '#test/support/browser.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { mailSamples } from '#test/support/mailSamples.ts';
import { isFirstBrand } from '#test/support/firstBrand.ts';
import { formToken } from '#test/support/formToken.ts';
import { pressStrip } from '#shared/brand/variant.ts';
import { meets } from '#test/support/meets.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { type ServerProcess, startServer } from '#test/support/serverProcess.ts';
import { client, type Client, testApp } from '#test/support/testApp.ts';
import { longDate } from '#shared/formats/writing.ts';
import { expectNothingOffScreen } from '#test/support/offScreen.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

const first = byModule(
  import.meta.glob(['../src/shared/brand/**/*.ts', '!**/*.test.ts'], { eager: true }),
  'src/shared/brand',
);
/** Words of forms and the dashboard that no brand owns: code outside of the brand has them too. */
const commonPhrases = new Set([
  ...['Phone number', 'Practice name', 'Role or credential', 'Certified Provider', 'Not on the map'],
  ...['Certified since', 'Report a problem', 'Another provider'],
  ...['opens in a new tab', '(opens in a new tab)', 'Something went wrong', 'Please enter a valid'],
  ...['-digit zip code', 'You must agree to receive communications to continue.'],
]);
/** The phrases of the first brand that its rewritten texts don't have, and those of the rewritten ones. */
const { [specifiedModule]: _specified, ...ownModules } = first;
const rewritten = [...listPhrases(ownModules)]
  .filter((phrase) => !commonPhrases.has(phrase))
  .map((phrase) => [phrase, rewriteText(phrase)] as const);
const changed = rewritten.filter(([phrase, other]) => phrase !== other);
const firstOnly = changed.map(([phrase]) => phrase);
const secondOnly = changed.map(([, other]) => other);

/** Names, colours and the words of the trade, which no phrase need hold. */
const firstMarks =
  /P-Long|enhancement|\binch(?:es)?\b|girth|urolog|erectile|#(?:4b157a|7928ca|b24ae0|280a46|f7f4fb|e4dcee)/i;
const secondMarks = /Fernbend|\bknees?\b|#(?:0b4a3f|136f5c|1f9478|06251f|f2f8f6|d3e5df)/i;

const contacts = {
  CONTACT_EMAIL: 'desk@kneebrand.example',
  CONTACT_PHONE: '(555) 555-0199',
  LEGAL_POSTAL_ADDRESS: '7 Meadow Lane, Eugene, OR 97401',
  LEGAL_ARBITRATION_PLACE: 'Eugene, Oregon',
};

const pages = [
  '/',
  '/homev2',
  '/start',
  '/study',
  '/find',
  '/clinics',
  '/map',
  '/providers',
  '/privacy',
  '/terms',
  '/refunds',
  '/success?noProvider=true',
  '/?providerId=999999',
  '/nowhere',
];

const mailNames = ['leadWelcome', 'leadNoProvider', 'providerLead', 'leadWithdrawn', 'leadErased'] as const;
/** Without the first brand's sentence, which would be evidence. */
const plainConsent = { ...mailSamples.leadWelcome.consent, text: 'I agree.' };
const plainSamples: MailProps = {
  ...mailSamples,
  leadWelcome: { ...mailSamples.leadWelcome, consent: plainConsent },
  leadNoProvider: { ...mailSamples.leadNoProvider, consent: plainConsent },
  providerLead: { ...mailSamples.providerLead, consent: plainConsent },
};

/** Where a text holds a mark or phrase of the brand it isn't of. */
function strangeMessages({ name, content }: BuiltFile, marks: RegExp, phrases: readonly string[]): string[] {
  const marked = marks.exec(content);
  const found = phrases.filter((phrase) => content.includes(phrase));
  if (marked !== null) found.push(content.slice(Math.max(0, marked.index - 60), marked.index + 60));
  return found.map((words) => `${name}: ${words}`);
}

async function drawn(site: Client, path: string): Promise<BuiltFile> {
  const { text } = await site.get(path);
  return { name: path, content: plainHtml(text) };
}

describe.skipIf(!isFirstBrand)('another brand in shared/brand and another environment', () => {
  const made = new AsyncDisposableStack();
  let copy: BrandCopy;
  let database: TestDb;
  let server: ServerProcess;
  let main: Client;

  beforeAll(async () => {
    copy = made.use(await copyWithSecondBrand());
    await copy.run('scripts/build.ts');
    database = made.use(await testDb());
    const env = {
      DATABASE_URL: database.url,
      SECRET_KEYS: testSecret,
      MAP_TILES_URL: 'off',
      ...contacts,
    };
    server = made.use(await startServer(env, copy.folder));
    main = client(server.port, 'localhost');
  });

  afterAll(() => made.disposeAsync());

  test('satisfy the type checker', async () => {
    // Several threads look at what all of them need each for itself: twice the work.
    const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'];
    await expect(copy.run(...tsc)).resolves.toBeUndefined();
  });

  test('leave nothing of the first brand in the build', async () => {
    meets('D.copy.01');
    const files = await builtText(copy.folder);
    expect(files.flatMap((file) => strangeMessages(file, firstMarks, firstOnly))).toEqual([]);
    expect(files.filter(({ content }) => content.includes('Fernbend™')).map(({ name }) => name)).toContain(
      'server/entryServer.js',
    );
  });

  test.each(pages)('show only the second brand on %s, in its colors', async (path) => {
    meets('D.copy.01');
    const page = await drawn(main, path);
    expect(page.content).toContain('Fernbend');
    expect(page.content).toContain('--primary:#0b4a3f');
    expect(strangeMessages(page, firstMarks, firstOnly)).toEqual([]);
  });

  test('show the testimonial, the video and the logos that the brand sets', async () => {
    meets('D.copy.01 D.copy.07 P2.micro.25 P2.recruit.07 P2.recruit.11');
    const clinics = (await main.get('/clinics')).text;
    expect(clinics).toContain(secondEntries.testimonial?.quote ?? 'no testimonial');
    expect(clinics).toContain(secondEntries.testimonial?.author ?? 'no testimonial');
    expect(clinics).toContain(secondEntries.explainerVideo?.title ?? 'no video');
    expect(clinics).toContain(`href="${secondEntries.explainerVideo?.url ?? 'no video'}"`);
    const variant = (await main.get('/homev2')).text;
    expect(variant).toContain(rewriteText(pressStrip.title));
    for (const { name } of secondEntries.pressLogos) expect(variant).toContain(`alt="${name}"`);
    const { id } = await insertProvider(database.db, { acceptsFinancing: true });
    const path = `/?providerId=${id}`;
    await expect.poll(async () => (await main.get(path)).status).toBe(200);
    const { text } = await main.get(path);
    for (const { name } of secondEntries.financingPartners) expect(text).toContain(`alt="${name}"`);
  });

  test.each([
    ['in a dialog', true],
    ['without scripts on the study page', false],
  ])('show all eight facts of a study behind a claim’s mark, %s', async (_, javaScript) => {
    const { labels, months, reviewed } = secondStudy.studyTexts;
    const study = secondStudy.protocolStudy;
    await using visitor = await visit(server, { width: 360, touch: true, javaScript });
    const { page } = visitor;
    await page.goto('/');
    await page.locator('main a[href$="#all-gained"]').first().tap();
    const place = javaScript ? page.getByRole('dialog') : page.locator('section:has([id="all-gained"])');
    await place.getByText(labels.design, { exact: true }).waitFor();
    const facts = await place
      .locator('dl > div')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    expect(facts).toEqual([
      [labels.participants, String(study.participants)],
      [labels.months, months(study.months ?? 0)],
      [labels.design, study.design],
      [labels.measuredBy, study.measuredBy],
      [labels.funding, study.funding],
      [labels.limits, study.limits],
      [labels.citation, study.citation],
      [labels.reviewed, reviewed(study.reviewedBy ?? '', longDate(study.reviewedOn ?? ''))],
    ]);
    expect(await place.getByText(secondStudy.studyTexts.notPublished).count()).toBe(0);
    expect(await place.getByRole('link', { name: secondStudy.studyTexts.read }).getAttribute('href')).toBe(
      study.url,
    );
    await expectNothingOffScreen(page, javaScript ? 'dialog *' : 'main *');
  });

  test('show the provider and the second brand on a provider’s host', async () => {
    const provider = await insertProvider(database.db);
    const host = client(server.port, provider.domain ?? '');
    await expect.poll(async () => (await host.get('/')).text).toContain(provider.practiceName);
    const page = await drawn(host, '/');
    expect(page.content).toContain('Fernbend™');
    expect(strangeMessages(page, firstMarks, firstOnly)).toEqual([]);
  });

  test('determine the icon, share images, the API document and the site’s files', async () => {
    const icon = await main.get('/favicon.svg');
    expect(icon.text).toContain('fill="#0b4a3f"');
    const [, picture] = /og:image" content="http:\/\/[^/]+([^"]+)"/.exec((await main.get('/')).text) ?? [];
    const image = await main.get(picture ?? '');
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
    for (const path of ['/api/openapi.json', '/robots.txt', '/sitemap.xml'])
      expect(strangeMessages(await drawn(main, path), firstMarks, firstOnly)).toEqual([]);
  });

  test('print the configured contacts and place of arbitration in the legal texts', async () => {
    meets('D.copy.16');
    for (const path of ['/privacy', '/terms', '/refunds']) {
      const { content } = await drawn(main, path);
      expect(content).toContain(contacts.CONTACT_EMAIL);
      expect(content).toContain(contacts.CONTACT_PHONE);
      expect(content).toContain(contacts.LEGAL_POSTAL_ADDRESS);
    }
    expect((await drawn(main, '/terms')).content).toContain(contacts.LEGAL_ARBITRATION_PLACE);
  });

  test('determine messages and the pages that they link to', async () => {
    meets('D.copy.02');
    const entry: unknown = await import(`${copy.folder}/dist/server/entryServer.js`);
    if (typeof entry !== 'object' || entry === null || !isRenderer(entry)) throw new Error('no renderer');
    const said = [
      ...mailNames.map((name) => ({ name, ...entry.renderMail(name, plainSamples[name]) })),
      { name: 'ask', ...entry.renderScreen('withdraw', { state: 'ask', formToken: 'token' }, null) },
      ...(['done', 'reported', 'failed', 'unknown'] as const).map((state) => ({
        name: state,
        ...entry.renderScreen('withdraw', { state, contactEmail: contacts.CONTACT_EMAIL }, null),
      })),
      ...(['returned', 'moved', 'gone', 'restored', 'expired', 'failed', 'unknown'] as const).map(
        (state) => ({
          name: state,
          ...entry.renderScreen('outcome', { state, contactEmail: contacts.CONTACT_EMAIL }, null),
        }),
      ),
      ...[{}, { noted: 'reached' as const }, { isPending: true }, { contradicts: true }].map((standing) => ({
        name: `outcome ${JSON.stringify(standing)}`,
        ...entry.renderScreen(
          'outcome',
          {
            ...{ state: 'open', firstName: 'Kit', zipCode: '80202', noted: null, proposed: 'booked' },
            ...{ isPending: false, contradicts: false, formToken: 'token', ...standing },
          },
          { name: 'Kit Clinic', logoUrl: null, initial: 'K', iconTag: 'a' },
        ),
      })),
    ].map(({ name, ...drawnParts }) => ({ name, content: plainHtml(Object.values(drawnParts).join('\n')) }));
    expect(said.flatMap((file) => strangeMessages(file, firstMarks, firstOnly))).toEqual([]);
    for (const { content } of said) expect(content).toContain('#0b4a3f');
  });

  test('store the second brand’s consent text and version as evidence', async () => {
    meets('D.leads.35');
    const page = await drawn(main, '/');
    const [, shown] = /name="acceptance_message" value="([^"]*)"/.exec(page.content) ?? [];
    const { first_name, last_name, email, phone, zip_code } = leadInput();
    const answer = await main.post(
      '/api/leads',
      new URLSearchParams({
        first_name,
        last_name,
        email,
        phone,
        zip_code,
        acceptance_consent: 'true',
        acceptance_message: shown ?? '',
        form: 'landing',
        token: formToken('landing'),
        website: '',
      }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    );
    expect(answer.status).toBe(303);
    const rows = await database.sql`
      select text_id, text_version, text_known, text_shown, form_key from consent_records where email = ${email}`;
    expect([...rows]).toEqual([
      {
        text_id: 'knee-clinic-contact',
        text_version: 2,
        text_known: true,
        text_shown:
          'A clinic that teaches Fernbend™ may call, write or text me about my knees. A text with STOP ends it.',
        form_key: 'landing',
      },
    ]);
  });
});

describe.skipIf(!isFirstBrand)('the first brand', () => {
  test('has its texts rewritten in the second, and keeps addresses, keys and drawings', () => {
    expect(firstOnly.length).toBeGreaterThan(300);
    expect(rewritten.length - changed.length).toBeLessThan(3);
    const code = `export const copy = { kind: 'choice', link: '/map', title: 'Ask P-Long® by \\'STOP\\' now', n: \`in \${ago(1)} days\` };`;
    expect(rewriteModule(code)).toBe(
      `export const copy = { kind: 'choice', link: '/map', title: 'Esk Fernbend™ by \\'STOP\\' nuw', n: \`on \${ago(1)} deys\` };`,
    );
  });

  test('shows nothing of the second brand', async () => {
    const files = await builtText('.');
    expect(files.flatMap((file) => strangeMessages(file, secondMarks, secondOnly))).toEqual([]);
    await using app = await testApp();
    for (const path of pages)
      expect(strangeMessages(await drawn(app, path), secondMarks, secondOnly)).toEqual([]);
  });
});
