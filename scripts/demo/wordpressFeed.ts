import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';

/** A record of WordPress's REST API. */
export type FeedRecord = Record<string, unknown> & { id: number };

/** A provider's record on a WordPress site with ACF; `acf` is merged into its fields. */
export function feedRecord(
  id: number,
  { acf = {}, ...rest }: { acf?: object; [name: string]: unknown } = {},
): FeedRecord {
  return {
    id,
    status: 'publish',
    link: `https://cms.example/provider/clinic-${id}/`,
    modified_gmt: '2026-05-01T10:00:00',
    title: { rendered: `Clinic ${id}` },
    featured_media: 0,
    meta: {},
    ...rest,
    acf: {
      practice_name: `Practice ${id}`,
      address: `${id} Sample Street, Denver, CO 80202`,
      zip_code: '80202',
      latitude: '39.7491',
      longitude: '-104.9946',
      phone: '(303) 555-0142',
      email: `clinic-${id}@example.com`,
      website: `https://clinic-${id}.example.com/`,
      domain: `clinic-${id}.example.com`,
      accepts_free_consultation: true,
      accepts_financing: false,
      ...acf,
    },
  };
}

/** `count` providers, numbered from 1. */
export function feedRecords(count: number): FeedRecord[] {
  return Array.from({ length: count }, (_, index) => feedRecord(index + 1));
}

/** What a WordPress site contains. */
export interface WordPressContent {
  records: FeedRecord[];
  media: { id: number; source_url: string }[];
}

interface FeedRequest {
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
}

export interface WordPressFeed extends WordPressContent, AsyncDisposable {
  url: string;
  /** The requests so far, with page or ids. */
  asked: FeedRequest[];
  /** Sends another response than usual, or does nothing and returns false. */
  instead: (request: FeedRequest, response: ServerResponse) => boolean;
}

/** Sends JSON like WordPress. */
export function sendAs(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  response.end(JSON.stringify(body));
  return true;
}

/** The application password that `users/me` accepts. */
export const feedLogin = { user: 'sync', appPassword: 'abcd efgh' };
const authorization = `Basic ${Buffer.from(`${feedLogin.user}:${feedLogin.appPassword}`).toString('base64')}`;

function listRecords({ records }: WordPressContent, query: URLSearchParams, response: ServerResponse): void {
  const include = query.get('include')?.split(',').map(Number);
  const after = query.get('modified_after');
  const statuses = query.get('status')?.split(',') ?? ['publish'];
  const found = records
    .filter((record) => include?.includes(record.id) ?? true)
    .filter(({ status }) => statuses.includes(String(status)))
    .filter(({ modified_gmt }) => after === null || new Date(`${String(modified_gmt)}Z`) > new Date(after));
  const size = Number(query.get('per_page') ?? 10);
  const page = Number(query.get('page') ?? 1);
  const pages = Math.ceil(found.length / size);
  if (found.length > 0 && page > pages)
    return void sendAs(response, 400, { code: 'rest_post_invalid_page_number', data: { status: 400 } });
  const headers = { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(pages) };
  sendAs(response, 200, found.slice((page - 1) * size, page * size), headers);
}

/** Answers a request below `wp-json/wp/v2/` as WordPress does. */
export function answerAsWordPress(
  content: WordPressContent,
  { path, query, headers }: FeedRequest,
  response: ServerResponse,
): void {
  if (path === 'provider') return listRecords(content, query, response);
  if (path === 'media') {
    const ids = query.get('include')?.split(',').map(Number) ?? [];
    const found = content.media.filter(({ id }) => ids.includes(id));
    return void sendAs(response, 200, found);
  }
  if (path === 'users/me') {
    const isRight = headers.authorization === authorization;
    return void sendAs(response, isRight ? 200 : 401, isRight ? { id: 1 } : { code: 'rest_not_logged_in' });
  }
  sendAs(response, 404, { code: 'rest_no_route' });
}

/**
 * An HTTP server on loopback that responds like a WordPress site's REST API (compared with a real one in
 * test/sync/realWordPress.test.ts).
 */
export async function wordpressFeed(records: FeedRecord[] = []): Promise<WordPressFeed> {
  const feed: Omit<WordPressFeed, 'url' | keyof AsyncDisposable> = {
    records,
    media: [],
    asked: [],
    instead: () => false,
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://feed');
    const asked = { path: pathname.replace('/wp-json/wp/v2/', ''), query, headers: request.headers };
    feed.asked.push(asked);
    if (!feed.instead(asked, response)) answerAsWordPress(feed, asked, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the feed has no port');
  return Object.assign(feed, {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
