import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Cookie, type Page } from 'playwright';
import { connect } from '#server/db/connect.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { chromiumArgs, findChromium } from '#test/support/chromium.ts';
import { applicationButton, fillApplication } from '#test/support/fillApplication.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { fillLeadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { sampleHosts, seedSampleData } from '#scripts/sampleData/sampleProviders.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { followRequests } from '#test/support/settle.ts';
import type { TestDb } from '#test/support/testDb.ts';
import { startTestServer } from '#test/support/testServer.ts';
import { waitForHydration } from '#test/support/waitForHydration.ts';
import { adminShots, insertAdminSamples, signInAsStaff } from './adminShots.ts';
import { ensureBuilt } from '#scripts/build.ts';

const widths = [360, 768, 1280];
/** The pictures of the README, their file names there and how wide they are. */
const readmeShots = {
  'landing-fold': 'landing',
  'microsite-fold': 'microsite',
  calculator: 'calculator',
  'success-fold': 'success',
  'map-fold': 'map',
  'recruitment-fold': 'clinics',
  'admin-leads': 'dashboard',
  'admin-insights': 'insights',
};
const readmeWidth = 900;
/** The landing page's first section ends here; below it is only white. */
const readmeHeight = 752;

interface Shot {
  name: string;
  host?: string;
  path: string;
  /** Stores what it needs before it is taken. */
  fill?: (app: TestApp) => Promise<void>;
  /** Brings the page into the state that is wanted. */
  prepare?: (page: Page) => Promise<void>;
  /** Only the viewport instead of the whole page. */
  viewport?: boolean;
  /** Seen by the signed-in user. */
  isStaff?: boolean;
}

interface Providers {
  /** One without a picture. */
  bare: number;
  /** Host of one with a long name and no logo. */
  longNamed: string;
}

function shots({ bare, longNamed }: Providers): Shot[] {
  const [first, hued, plain] = sampleHosts();
  const openMenu = async (page: Page): Promise<void> => {
    const toggle = page.getByRole('banner').getByRole('button', { name: 'Open menu' });
    if (await toggle.isVisible()) await toggle.click();
  };
  const openAnswer = async (page: Page): Promise<void> => {
    await page.locator('#faq [aria-expanded]').nth(2).click();
  };
  const loseNetwork = async (page: Page): Promise<void> => {
    const { first_name, last_name, email, phone, zip_code } = leadInput();
    await fillLeadForm(page, { first_name, last_name, email, phone, zip_code });
    await page.route('**/trpc/leads.create*', (route) => route.abort());
    await submitButton(page).click();
    await page.getByRole('alert').waitFor();
  };
  const nextStep =
    (name: string, zip: string) =>
    async (page: Page): Promise<void> => {
      await page.locator('[name=zip_code]').fill(zip);
      await page.getByRole('button', { name }).click();
      await page.locator('[data-match], [aria-invalid=true]').first().waitFor();
    };
  const startWithZip =
    (zip: string) =>
    async (page: Page): Promise<void> => {
      await page.getByLabel('Your ZIP code').fill(zip);
      await page.getByRole('link', { name: 'Get Started Today!' }).first().click();
      await page.locator('[data-match], [aria-invalid=true]').first().waitFor();
    };
  const emptyDetails = async (page: Page): Promise<void> => {
    await nextStep('Find Providers', '80202')(page);
    await page.getByRole('button', { name: 'Find My Provider' }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    await page.getByRole('alert').waitFor();
  };
  const openLegal = async (page: Page): Promise<void> => {
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms and Conditions' }).click();
    await page.getByRole('dialog').waitFor();
  };
  const submitApplication = async (page: Page): Promise<void> => {
    await applicationButton(page).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
  };
  const apply = async (page: Page): Promise<void> => {
    await fillApplication(page);
    await applicationButton(page).click();
    await page.getByRole('heading', { name: 'Your application is in' }).waitFor();
  };
  const submitEmpty = async (page: Page): Promise<void> => {
    await submitButton(page).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
  };
  const awaitMap = async (page: Page): Promise<void> => {
    // Until a visitor touches it, there is only a drawing of the map.
    await page.locator('[data-map]').dispatchEvent('pointerdown');
    await page.locator('[data-map=drawn] [aria-busy=false]').waitFor();
  };
  const openPopup = async (page: Page): Promise<void> => {
    await awaitMap(page);
    await page.getByRole('button', { name: 'Show on map' }).nth(3).click();
    await page.locator('.maplibregl-popup').waitFor();
  };
  const sortByZip = async (page: Page): Promise<void> => {
    await awaitMap(page);
    await page.getByLabel('ZIP code').fill('80202');
    await page.getByRole('button', { name: 'Sort by distance' }).click();
    await page.getByText('Sorted by distance').waitFor();
  };
  const scrollBy =
    (top: number) =>
    (page: Page): Promise<void> =>
      page.evaluate((by) => window.scrollBy({ top: by, behavior: 'instant' }), top);
  const scrollToMap = async (page: Page): Promise<void> => {
    await awaitMap(page);
    await scrollBy(150)(page);
  };
  const showRecruitmentMap = async (page: Page): Promise<void> => {
    await page.getByText('Are you a healthcare provider?').scrollIntoViewIfNeeded();
    await awaitMap(page);
  };
  const loseProviders = async (page: Page): Promise<void> => {
    await page.route('**/api/providers', (route) => route.abort());
    await page.reload();
    await page.getByText('Failed to fetch active providers').waitFor();
  };
  return [
    { name: 'landing', path: '/' },
    { name: 'landing-fold', path: '/', viewport: true },
    { name: 'landing-bad-zip', path: '/', viewport: true, prepare: startWithZip('80') },
    { name: 'landing-zip', path: '/', prepare: startWithZip('80202') },
    { name: 'landing-errors', path: '/#provider-form', prepare: submitEmpty },
    { name: 'landing-menu', path: '/', viewport: true, prepare: openMenu },
    { name: 'landing-answer', path: '/#faq', viewport: true, prepare: openAnswer },
    { name: 'landing-offline', path: '/', viewport: true, prepare: loseNetwork },
    { name: 'variant', path: '/homev2' },
    { name: 'variant-fold', path: '/homev2', viewport: true },
    { name: 'quiz', path: '/start' },
    { name: 'quiz-zip-error', path: '/start', viewport: true, prepare: nextStep('Continue', '123') },
    { name: 'quiz-details', path: '/start', prepare: nextStep('Continue', '80202') },
    { name: 'quiz-none', path: '/start', prepare: nextStep('Continue', '00001') },
    { name: 'quiz-beyond', path: '/start', prepare: nextStep('Continue', '59430') },
    { name: 'find', path: '/find' },
    { name: 'find-details', path: '/find', prepare: nextStep('Find Providers', '80202') },
    { name: 'find-errors', path: '/find', prepare: emptyDetails },
    { name: 'calculator', path: '/#size-calculator', viewport: true, prepare: scrollBy(100) },
    { name: 'legal-dialog', path: '/', viewport: true, prepare: openLegal },
    { name: 'microsite', host: first ?? '', path: '/' },
    { name: 'microsite-fold', host: first ?? '', path: '/', viewport: true },
    { name: 'microsite-long', host: longNamed, path: '/' },
    { name: 'microsite-hue', host: hued ?? '', path: '/' },
    { name: 'microsite-plain', host: plain ?? '', path: '/' },
    { name: 'success', path: '/success?providerId=1' },
    { name: 'success-fold', path: '/success?providerId=1', viewport: true },
    { name: 'success-bare', path: `/success?providerId=${bare}` },
    { name: 'success-none', path: '/success?noProvider=true' },
    { name: 'success-unknown', path: '/success?providerId=999999' },
    { name: 'success-clinic', host: first ?? '', path: '/success?providerId=1' },
    { name: 'location', host: first ?? '', path: '/map', prepare: awaitMap },
    { name: 'map', path: '/map', prepare: awaitMap },
    { name: 'map-fold', path: '/map', prepare: scrollToMap, viewport: true },
    { name: 'map-popup', path: '/map', prepare: openPopup },
    { name: 'map-zip', path: '/map', prepare: sortByZip },
    { name: 'recruitment-map', path: '/clinics', viewport: true, prepare: showRecruitmentMap },
    { name: 'map-failed', path: '/map', prepare: loseProviders },
    { name: 'recruitment', path: '/clinics' },
    { name: 'recruitment-fold', path: '/clinics', viewport: true },
    { name: 'recruitment-menu', path: '/clinics', viewport: true, prepare: openMenu },
    { name: 'recruitment-offer', path: '/clinics#special-offer', viewport: true },
    {
      name: 'recruitment-errors',
      path: '/clinics#provider-form',
      prepare: submitApplication,
      viewport: true,
    },
    { name: 'recruitment-applied', path: '/clinics#provider-form', prepare: apply, viewport: true },
    { name: 'not-found', path: '/no-such-page' },
    { name: 'provider-not-found', path: '/?providerId=999999' },
    { name: 'privacy', path: '/privacy' },
    { name: 'terms', path: '/terms' },
    { name: 'refunds', path: '/refunds' },
    ...adminShots,
  ];
}

interface Picture {
  shot: Shot;
  width: number;
  /** By default a phone's or a laptop's. */
  height?: number;
  file: string;
  scale?: number;
}

/** A phone draws its scrollbar over the page; a headless desktop leaves the gutter of one it doesn't draw. */
const noGutter = 'html { scrollbar-gutter: auto !important }';

let session: Cookie[] | null = null;

/** The same account in every picture. */
async function signIn(app: TestApp, context: BrowserContext): Promise<void> {
  if (session === null) await signInAsStaff(app, context, `http://localhost:${app.port}`);
  else await context.addCookies(session);
  session ??= await context.cookies();
}

async function take(
  browser: Browser,
  app: TestApp,
  { shot, width, height, file, scale = 1 }: Picture,
): Promise<void> {
  const isPhone = width < 600;
  const page = await browser.newPage({
    viewport: { width, height: height ?? (isPhone ? 740 : 860) },
    deviceScaleFactor: scale,
    isMobile: isPhone,
    hasTouch: isPhone,
    baseURL: `http://${shot.host ?? 'localhost'}:${app.port}`,
    reducedMotion: 'reduce',
    bypassCSP: true,
  });
  waitForHydration(page);
  if (shot.isStaff === true) await signIn(app, page.context());
  const settle = followRequests(page.context());
  await page.goto(shot.path);
  await settle(page);
  await page.addStyleTag({ content: noGutter });
  await shot.prepare?.(page);
  await settle(page);
  await page.screenshot({ path: file, type: 'jpeg', quality: 80, fullPage: shot.viewport !== true });
  await page.close();
}

/** A migrated database on a server of its own; testDb() would ask the test runner for its template. */
async function ownDatabase(): Promise<TestDb> {
  const server = await startTestServer();
  try {
    const admin = connect(server.adminUrl, { applicationName: 'screenshots-admin', max: 1 });
    const name = `screenshots_${process.pid}`;
    await admin.sql`create database ${admin.sql(name)}`;
    const url = new URL(server.adminUrl);
    url.pathname = `/${name}`;
    await prepareDatabase({ url: url.href, ownerUrl: null });
    const { sql, db, health, close } = connect(url.href, { applicationName: 'screenshots', max: 2 });
    return {
      url: url.href,
      sql,
      db,
      health,
      async [Symbol.asyncDispose]() {
        await close();
        await admin.sql`drop database if exists ${admin.sql(name)} with (force)`;
        await admin.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Providers the sample data lacks. */
async function insertProviders(app: TestApp): Promise<Providers> {
  const bare = await insertProvider(app.db, {
    name: 'Dr. Sample Without Picture',
    practiceName: null,
    imageUrl: null,
    website: 'clinic.example.com',
  });
  const longNamed = 'long-named.localhost';
  await insertProvider(app.db, {
    name: 'Wolfeschlegelsteinhausenbergerdorff & Featherstonehaugh Associates',
    practiceName:
      'The Featherstonehaugh and Wolfeschlegelsteinhausenbergerdorff Center for Men’s Health and Wellness',
    domain: longNamed,
    logoUrl: null,
    acceptsFreeConsultation: true,
  });
  return { bare: bare.id, longNamed };
}

async function takeAll(browser: Browser, app: TestApp, wanted: readonly string[]): Promise<void> {
  const folder = 'screenshots';
  await mkdir(folder, { recursive: true });
  const all = shots(await insertProviders(app));
  await insertAdminSamples(app);
  for (const shot of all) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue;
    await shot.fill?.(app);
    for (const width of widths)
      await take(browser, app, { shot, width, file: join(folder, `${shot.name}-${width}.jpg`) });
    process.stdout.write(`${shot.name}\n`);
  }
}

async function takeReadme(browser: Browser, app: TestApp): Promise<void> {
  const folder = join('docs', 'screenshots');
  await mkdir(folder, { recursive: true });
  const width = 1280;
  const all = shots(await insertProviders(app));
  await insertAdminSamples(app);
  for (const [name, fileName] of Object.entries(readmeShots)) {
    const found = all.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`No shot is called ${name}`);
    const shot = { ...found, viewport: true };
    await shot.fill?.(app);
    const file = join(folder, `${fileName}-${width}.jpg`);
    await take(browser, app, { shot, width, height: readmeHeight, file, scale: readmeWidth / width });
    process.stdout.write(`${file}\n`);
  }
}

/**
 * Every screen and state at three widths, for people to look at. `npm run screenshots -- landing success` takes
 * only those, `npm run screenshots -- --readme` the README's pictures.
 */
async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  await ensureBuilt();
  await using database = await ownDatabase();
  await using app = await testApp({ database });
  await seedSampleData(app.db);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArgs });
  try {
    if (wanted.includes('--readme')) await takeReadme(browser, app);
    else await takeAll(browser, app, wanted);
  } finally {
    await browser.close();
  }
}

await main();
