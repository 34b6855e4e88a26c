import { type Browser, chromium, type Page } from 'playwright';
import type { Database } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { chromiumArgs, findTestBrowser } from '#test/support/chromium.ts';
import { providerRow } from '#test/support/factories.ts';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';
import type { ServerProcess } from '#test/support/serverProcess.ts';
import type { Figure } from './figure.ts';
import { median } from './load.ts';

const rounds = 3;
const rowsPerInsert = 1_000;
/** The continental states, roughly. */
const area = { south: 26, north: 48, west: -122, east: -70 };
const drags = 6;

/** Providers with hosts of their own, all over the country. */
export async function addMapProviders(db: Database, count: number): Promise<void> {
  const random = seededRandom(count);
  const between = (low: number, high: number): number => Number((low + random() * (high - low)).toFixed(6));
  for (let first = 0; first < count; first += rowsPerInsert) {
    const rows = Array.from({ length: Math.min(rowsPerInsert, count - first) }, (_, index) =>
      providerRow({
        domain: `map-${first + index}.example`,
        latitude: between(area.south, area.north),
        longitude: between(area.west, area.east),
      }),
    );
    await db.insert(providers).values(rows);
  }
}

/** Seconds from asking for the page until its list can be read and every pin in view is on the map, nothing cached. */
async function openMap(page: Page): Promise<number> {
  const startedAt = performance.now();
  await page.goto('/map', { waitUntil: 'commit' });
  await Promise.all([
    page.getByRole('heading', { level: 3 }).first().waitFor(),
    page.locator('[data-map=drawn] [aria-busy=false]').waitFor(),
  ]);
  return (performance.now() - startedAt) / 1000;
}

/**
 * The longest the page's own thread was held while the map was dragged about and zoomed, in milliseconds; 0 when
 * nothing took 50.
 */
async function panMap(page: Page): Promise<number> {
  await page.evaluate(() => {
    Object.assign(window, { longest: 0 });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        Object.assign(window, { longest: Math.max(duration, Number(Reflect.get(window, 'longest'))) });
    }).observe({ type: 'longtask' });
  });
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('the map has no canvas');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (let drag = 0; drag < drags; drag += 1) {
    const reach = drag % 2 === 0 ? 180 : -180;
    await page.mouse.move(x - reach, y);
    await page.mouse.down();
    await page.mouse.move(x + reach, y + reach / 2, { steps: 25 });
    await page.mouse.up();
    if (drag === drags / 2) await page.getByRole('button', { name: 'Zoom in' }).click();
  }
  await page.locator('[data-map=drawn] [aria-busy=false]').waitFor();
  return page.evaluate(() => Number(Reflect.get(window, 'longest')));
}

async function measure(browser: Browser, port: number): Promise<{ openSeconds: number; longestMs: number }> {
  const context = await browser.newContext({
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1280, height: 900 },
  });
  try {
    const page = await context.newPage();
    const openSeconds = await openMap(page);
    return { openSeconds, longestMs: await panMap(page) };
  } finally {
    await context.close();
  }
}

/** (g) The provider network with many providers in a real browser that draws WebGL without a graphics card. */
export async function providerMap(server: ServerProcess, count: number): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath: findTestBrowser(), args: chromiumArgs });
  try {
    // Once unmeasured: the server makes the list, Chromium its caches of shaders.
    await measure(browser, server.port);
    const runs: { openSeconds: number; longestMs: number }[] = [];
    for (let round = 0; round < rounds; round += 1) runs.push(await measure(browser, server.port));
    const size = `${count.toLocaleString('en')} providers`;
    return [
      {
        name: `map and list of ${size} usable`,
        measured: median(runs.map(({ openSeconds }) => openSeconds)),
        baseline: null,
        unit: 's',
        against:
          'Chromium’s headless shell if there is one, as in the tests; WebGL in software, nothing cached',
        bar: { of: 'measured', sign: '<=', value: 2 },
      },
      {
        name: `longest task while panning ${size}`,
        measured: Math.max(...runs.map(({ longestMs }) => longestMs)),
        baseline: null,
        unit: 'ms',
        against: 'on the page’s own thread; 0: none of 50 ms or more',
        bar: { of: 'measured', sign: '<=', value: 200 },
      },
    ];
  } finally {
    await browser.close();
  }
}
