import { type BrowserContext, chromium, type Page } from 'playwright';
import type { Database } from '#server/db/connect.ts';
import { leadCopy, leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { chromiumArgs, findTestBrowser } from '#test/support/chromium.ts';
import { startServer } from '#test/support/serverProcess.ts';
import { addAdminData } from './adminData.ts';
import type { Figure } from './figure.ts';
import { openSession } from './idleStreams.ts';
import { median } from './load.ts';

const rounds = 20;
const rowsOnPage = 40;
const medianMsMax = 100;
/** Chromium reports nothing shorter. */
const leastMs = 16;

interface Interaction {
  name: string;
  /** The press that is measured. */
  act: (page: Page) => Promise<void>;
  /** Waits for what it shows. */
  shows: (page: Page) => Promise<unknown>;
  /** Back to the list. */
  undo: (page: Page) => Promise<unknown>;
}

const drawer = (page: Page) => page.getByRole('dialog').first();
const firstOption = (page: Page) => page.getByRole('option').first();
const escape = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.locator('[role=dialog], [role=menu], [role=listbox]').first().waitFor({ state: 'detached' });
};
const selectAll = (page: Page) => page.getByRole('checkbox', { name: leadCopy.selectAll });
const key =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.keyboard.press(name);

const interactions: Interaction[] = [
  {
    name: 'open a lead',
    act: (page) => page.locator('[data-lead] [data-cell=date]').nth(2).click(),
    shows: (page) => drawer(page).waitFor(),
    undo: escape,
  },
  {
    name: 'next lead by key',
    act: key('j'),
    shows: (page) => page.locator('[data-lead] a:focus').waitFor(),
    undo: () => Promise.resolve(),
  },
  {
    name: 'tick a lead',
    act: (page) => page.locator('[data-lead]').nth(3).getByRole('checkbox').click(),
    shows: (page) => page.getByRole('region', { name: leadCopy.bulk.label }).waitFor(),
    undo: (page) => page.getByRole('button', { name: leadCopy.bulk.clear }).click(),
  },
  {
    name: 'tick every lead',
    act: (page) => selectAll(page).click(),
    shows: (page) => page.getByText(leadCopy.bulk.count(rowsOnPage)).waitFor(),
    undo: (page) => page.getByRole('button', { name: leadCopy.bulk.clear }).click(),
  },
  {
    name: 'open a row’s menu',
    act: (page) =>
      page
        .locator('[data-lead]')
        .nth(4)
        .getByRole('button', { name: /^More for / })
        .click(),
    shows: (page) => page.getByRole('menu').waitFor(),
    undo: escape,
  },
  {
    name: 'open the list of providers',
    act: key('a'),
    shows: (page) => firstOption(page).waitFor(),
    undo: escape,
  },
  {
    name: 'open the filters',
    act: (page) => page.getByRole('button', { name: leadFilterCopy.add }).click(),
    shows: (page) => firstOption(page).waitFor(),
    undo: escape,
  },
  {
    name: 'type into the search',
    act: key('e'),
    shows: (page) => page.getByRole('searchbox', { name: leadFilterCopy.search }).waitFor(),
    undo: key('Backspace'),
  },
  {
    name: 'open the command palette',
    act: key('Control+k'),
    shows: (page) => firstOption(page).waitFor(),
    undo: escape,
  },
  {
    name: 'open another tab',
    act: (page) => page.getByRole('tab', { name: /^Applications/ }).click(),
    shows: (page) => page.getByRole('tabpanel', { name: /^Applications/ }).waitFor(),
    undo: async (page) => {
      await page.getByRole('tab', { name: /^Leads/ }).click();
      await page.locator('[data-lead]').first().waitFor();
    },
  },
];

/** What the page has to hold the focus on before its key is pressed. */
const focused: Record<string, (page: Page) => Promise<unknown>> = {
  'open the list of providers': (page) =>
    page
      .locator('[data-lead]')
      .nth(1)
      .getByRole('link', { name: /^Open / })
      .focus(),
  'type into the search': (page) => page.getByRole('searchbox', { name: leadFilterCopy.search }).focus(),
};

declare global {
  interface Window {
    /** Milliseconds of each press since the last question. */
    pressDurations?: number[];
  }
}

/** Keeps what Chromium's Event Timing reports of presses. */
function watch(): void {
  const durations: number[] = [];
  window.pressDurations = durations;
  const options: PerformanceObserverInit & { durationThreshold: number } = {
    type: 'event',
    durationThreshold: 16,
  };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) durations.push(duration);
  }).observe(options);
}

/** The longest event since the last question, in milliseconds: from the press to the next frame. */
function takeLongest(page: Page): Promise<number> {
  return page.evaluate(async (least) => {
    // Entries come after the frame that they end with.
    for (let frame = 0; frame < 3; frame += 1)
      await new Promise((resolve) => void requestAnimationFrame(resolve));
    await new Promise((resolve) => void setTimeout(resolve));
    return Math.max(least, ...(window.pressDurations?.splice(0) ?? []));
  }, leastMs);
}

async function time(page: Page, { name, act, shows, undo }: Interaction): Promise<number> {
  const taken: number[] = [];
  // The first one loads code.
  for (let round = 0; round <= rounds; round += 1) {
    await focused[name]?.(page);
    await takeLongest(page);
    await act(page);
    await shows(page);
    taken.push(await takeLongest(page));
    await undo(page);
  }
  return median(taken.slice(1));
}

async function openDashboard(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto('/admin');
  await page
    .locator('[data-lead]')
    .nth(rowsOnPage - 1)
    .waitFor();
  return page;
}

/** What staff press in the list of leads with forty rows: milliseconds from the press to the next frame, in Chromium. */
export async function dashboardInteractions(
  db: Database,
  databaseUrl: string,
  say: (line: string) => void,
): Promise<Figure[]> {
  await addAdminData(db, { leads: 10_000, providers: 500 });
  await using server = await startServer({
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    MAP_TILES_URL: 'off',
    WORKER: 'off',
  });
  const browser = await chromium.launch({ executablePath: findTestBrowser(), args: chromiumArgs });
  try {
    const baseURL = `http://localhost:${server.port}`;
    const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } });
    const [name = '', value = ''] = (await openSession(db)).split('=');
    await context.addCookies([{ name, value, url: baseURL }]);
    const page = await openDashboard(context);
    const figures: Figure[] = [];
    for (const interaction of interactions) {
      say(interaction.name);
      figures.push({
        name: `dashboard, ${rowsOnPage} rows: ${interaction.name}`,
        measured: await time(page, interaction),
        baseline: null,
        unit: 'ms',
        against: `median of ${rounds}, press to next frame`,
        bar: { of: 'measured', sign: '<=', value: medianMsMax },
      });
    }
    return figures;
  } finally {
    await browser.close();
  }
}
