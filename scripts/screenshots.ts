import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { connect } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { chromiumArgs, findChromium } from '#test/support/chromium.ts';
import { insertClinic } from '#test/support/factories.ts';
import { sampleHosts, seedSampleData } from '#test/support/sampleClinics.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import type { TestDb } from '#test/support/testDb.ts';
import { startTestServer } from '#test/support/testServer.ts';
import { ensureBuilt } from './build.ts';

const widths = [360, 768, 1280];

interface Shot {
  name: string;
  host?: string;
  path: string;
  /** Brings the page into the state that is wanted. */
  prepare?: (page: Page) => Promise<void>;
  /** The viewport alone instead of the whole page. */
  viewport?: boolean;
}

function shots(clinicId: number): Shot[] {
  const [first, hued, plain] = sampleHosts();
  const openLegal = async (page: Page): Promise<void> => {
    await page.getByRole('link', { name: 'Terms and Conditions' }).first().click();
    await page.getByRole('dialog').waitFor();
  };
  const submitEmpty = async (page: Page): Promise<void> => {
    await page.locator('form[action^="/api/leads"] [type=submit]').click();
    await page.locator('[aria-invalid=true]').first().waitFor();
  };
  return [
    { name: 'landing', path: '/' },
    { name: 'landing-fold', path: '/', viewport: true },
    { name: 'landing-errors', path: '/#provider-form', prepare: submitEmpty },
    { name: 'calculator', path: '/#size-calculator', viewport: true },
    { name: 'legal-dialog', path: '/', viewport: true, prepare: openLegal },
    { name: 'microsite', host: first ?? '', path: '/' },
    { name: 'microsite-hue', host: hued ?? '', path: '/' },
    { name: 'microsite-plain', host: plain ?? '', path: '/' },
    { name: 'success', path: `/success?providerId=${clinicId}` },
    { name: 'success-none', path: '/success?noProvider=true' },
    { name: 'success-unknown', path: '/success?providerId=999999' },
    { name: 'success-clinic', host: first ?? '', path: `/success?providerId=${clinicId}` },
    { name: 'not-found', path: '/no-such-page' },
    { name: 'provider-not-found', path: '/?providerId=999999' },
    { name: 'privacy', path: '/privacy' },
    { name: 'terms', path: '/terms' },
    { name: 'refunds', path: '/refunds' },
  ];
}

async function take(
  browser: Browser,
  app: TestApp,
  shot: Shot,
  width: number,
  folder: string,
): Promise<void> {
  const page = await browser.newPage({
    viewport: { width, height: width < 600 ? 740 : 860 },
    baseURL: `http://${shot.host ?? 'localhost'}:${app.port}`,
    reducedMotion: 'reduce',
  });
  await page.goto(shot.path, { waitUntil: 'networkidle' });
  await shot.prepare?.(page);
  await page.screenshot({
    path: join(folder, `${shot.name}-${width}.jpg`),
    type: 'jpeg',
    quality: 70,
    fullPage: shot.viewport !== true,
  });
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
    await migrate(url.href, { zipTable: loadZipTable() });
    const { sql, db, close } = connect(url.href, { applicationName: 'screenshots', max: 2 });
    return {
      url: url.href,
      sql,
      db,
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

/** Every screen and state at three widths, for people to look at. `npm run screenshots -- landing success` takes those alone. */
async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const folder = 'screenshots';
  await mkdir(folder, { recursive: true });
  await ensureBuilt();
  await using database = await ownDatabase();
  await using app = await testApp({ database });
  await seedSampleData(app.db);
  const clinic = await insertClinic(app.db, {
    name: 'Dr. Sample Without Picture',
    practiceName: null,
    imageUrl: null,
    website: 'clinic.example.com',
  });
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArgs });
  try {
    for (const shot of shots(clinic.id)) {
      if (wanted.length > 0 && !wanted.includes(shot.name)) continue;
      for (const width of widths) await take(browser, app, shot, width, folder);
      console.log(shot.name);
    }
  } finally {
    await browser.close();
  }
}

await main();
