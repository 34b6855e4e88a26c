import { tmpdir } from 'node:os';
import { type Answer, testApp } from '#test/support/testApp.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { insertGoldenProviders } from './goldenProviders.ts';
import {
  foldLeadForm,
  normalizeBody,
  normalizeHeaders,
  outlineHtml,
  selectLeadForm,
} from './normalizeHtml.ts';

export const mainHost = 'brand.example';
const settings = { MAIN_DOMAINS: mainHost, TRUSTED_PROXIES: '1' };
const now = (): Date => new Date('2026-03-01T10:05:00Z');
/** The headers that differ between pages. Separate golden files hold complete headers. */
const pageHeaders = [
  ...['content-type', 'cache-control', 'location', 'allow', 'retry-after', 'x-robots-tag'],
  ...['referrer-policy', 'content-security-policy'],
];

export interface GoldenRequest {
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  /** Fields that are posted as a browser without scripts posts a form. */
  form?: Record<string, string>;
}

export interface GoldenSite extends AsyncDisposable {
  database: TestDb;
  port: number;
  ask: (path: string, request?: GoldenRequest) => Promise<Answer>;
  /** The response as a golden file states it: status, the headers that differ between pages, body without lead form. */
  page: (path: string, request?: GoldenRequest) => Promise<string>;
  /** The lead form of a response. */
  leadForm: (path: string, request?: GoldenRequest) => Promise<string>;
  /** Status, headers and what crawlers and other sites see of the body; the whole body if it isn't HTML. */
  outline: (path: string, request?: GoldenRequest) => Promise<string>;
  /** The same for a response that is not HTML. */
  text: (path: string, request?: GoldenRequest) => Promise<string>;
  /** The status and all headers. */
  headers: (path: string, request?: GoldenRequest) => Promise<string>;
}

/**
 * Path of a golden file, of a whole page or of parts of many responses, for `toMatchFileSnapshot`. A different text fails everywhere, a missing file fails in
 * continuous integration. `npm test -- test/golden -u` writes the files.
 */
export function goldenFile(name: string, extension: 'html' | 'txt' = 'html'): string {
  return `${extension === 'html' ? 'pages' : 'responses'}/${name}.${extension}`;
}

/** Returns the text. Throws if it contains a path of this machine. */
function portable(text: string): string {
  for (const own of [process.cwd(), tmpdir()])
    if (text.includes(`${own}/`)) throw new Error(`a golden text contains ${own}`);
  return text;
}

function requestLine(path: string, { host = mainHost, method, form }: GoldenRequest): string {
  return `${method ?? (form === undefined ? 'GET' : 'POST')} ${host}${path}`;
}

/**
 * The application at a fixed time, with a database that holds only the golden providers. `database` shares that of
 * another site.
 */
export async function goldenSite({
  env = {},
  database: shared,
}: { env?: Record<string, string>; database?: TestDb } = {}): Promise<GoldenSite> {
  const database = shared ?? (await testDb());
  // Inserted before the application starts, so that its first response knows every provider.
  if (shared === undefined) await insertGoldenProviders(database);
  const app = await testApp({ env: { ...settings, ...env }, now, database });
  const run = { port: app.port };

  const ask: GoldenSite['ask'] = (path, { host = mainHost, method, headers = {}, form } = {}) =>
    app.as(host).request(method ?? (form === undefined ? 'GET' : 'POST'), path, {
      headers:
        form === undefined
          ? headers
          : { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
    });
  const head = (answer: Answer, first: string, names?: readonly string[]): string =>
    [first, String(answer.status), ...normalizeHeaders(answer.headers, run, names)].join('\n');
  return {
    database,
    port: app.port,
    ask,
    async page(path, request = {}) {
      const answer = await ask(path, request);
      const shown = head(answer, requestLine(path, request), pageHeaders);
      return portable(`<!--\n${shown}\n-->\n${foldLeadForm(normalizeBody(answer, run))}`);
    },
    async leadForm(path, request = {}) {
      return portable(selectLeadForm(normalizeBody(await ask(path, request), run)));
    },
    async outline(path, request = {}) {
      const answer = await ask(path, request);
      const isHtml = answer.headers['content-type']?.startsWith('text/html') === true;
      // The policy of a page's kind is in `headers.txt`; only those of ad frames and maps depend on settings.
      const names = /^\/(?:ads|map)/.test(path)
        ? pageHeaders
        : pageHeaders.filter((name) => !name.endsWith('policy'));
      const body = normalizeBody(answer, run);
      return portable(
        `${head(answer, requestLine(path, request), names)}\n${isHtml ? outlineHtml(body) : `${body}\n`}`,
      );
    },
    async text(path, request = {}) {
      const answer = await ask(path, request);
      const shown = head(answer, requestLine(path, request), pageHeaders);
      return portable(`${shown}\n\n${normalizeBody(answer, run)}\n`);
    },
    async headers(path, request = {}) {
      const answer = await ask(path, request);
      return portable(`${head(answer, requestLine(path, request))}\n`);
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      if (shared === undefined) await database[Symbol.asyncDispose]();
    },
  };
}
