import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { createFieldMap } from '#server/config/fieldMap.ts';
import type { Source } from '#server/features/sync/source.ts';
import { collect } from '#test/support/collect.ts';
import { hurried, sourceOf } from '#test/support/syncSetup.ts';
import { feedRecord, sendAs, wordpressFeed, type WordPressFeed } from '#test/support/wordpressFeed.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => feedRecord(index + 1));

/** The numbers of all a source gives. */
async function idsOf(source: Source): Promise<number[]> {
  const pages = await collect(source.pages());
  return pages.flatMap(({ records }) => records.map((record) => Number(Reflect.get(Object(record), 'id'))));
}

const pagesAsked = ({ asked }: WordPressFeed) =>
  asked.filter(({ path }) => path === 'provider').map(({ query }) => query.get('page'));

test('every page is read, in order, and one more that proves the end', async () => {
  await using feed = await wordpressFeed(many(250));
  expect(await idsOf(sourceOf(feed))).toEqual(many(250).map(({ id }) => id));
  expect(new Set(pagesAsked(feed))).toEqual(new Set(['1', '2', '3', '4']));
  expect(pagesAsked(feed)).toHaveLength(4);
  const { query, headers } = feed.asked[0] ?? { query: new URLSearchParams(), headers: {} };
  expect(Object.fromEntries(query)).toMatchObject({
    per_page: '100',
    orderby: 'id',
    order: 'asc',
    status: 'publish',
    _fields: expect.stringMatching(
      /^id,status,modified_gmt,.*\btitle\b.*\bacf\b.*\bmeta\b.*\bfeatured_media\b/,
    ),
  });
  expect(headers.authorization).toBeUndefined();
});

test('a site without clinics is read once or twice and gives none', async () => {
  await using feed = await wordpressFeed();
  expect(await idsOf(sourceOf(feed))).toEqual([]);
  expect(feed.asked.length).toBeLessThanOrEqual(2);
});

test('headers that a proxy took away are not needed', async () => {
  await using feed = await wordpressFeed(many(250));
  feed.instead = ({ path, query }, response) => {
    const page = Number(query.get('page'));
    if (path !== 'provider' || page > 3) return false;
    return sendAs(response, 200, feed.records.slice((page - 1) * 100, page * 100));
  };
  expect(await idsOf(sourceOf(feed))).toHaveLength(250);
});

test('a count of pages that is too low is not believed', async () => {
  await using feed = await wordpressFeed(many(250));
  feed.instead = ({ path, query }, response) => {
    const page = Number(query.get('page'));
    if (path !== 'provider' || page > 3) return false;
    const headers = { 'x-wp-total': '100', 'x-wp-totalpages': '1' };
    return sendAs(response, 200, feed.records.slice((page - 1) * 100, page * 100), headers);
  };
  expect(await idsOf(sourceOf(feed))).toHaveLength(250);
});

test('a count of pages that is far too high ends where WordPress says so, a few pages on', async () => {
  await using feed = await wordpressFeed(many(250));
  feed.instead = ({ path, query }, response) => {
    const page = Number(query.get('page'));
    if (path !== 'provider' || page > 3) return false;
    const headers = { 'x-wp-total': '99999999', 'x-wp-totalpages': '1000000' };
    return sendAs(response, 200, feed.records.slice((page - 1) * 100, page * 100), headers);
  };
  const source = sourceOf(feed);
  expect(await idsOf(source)).toHaveLength(250);
  expect(source.expectedTotal()).toBe(99_999_999);
  expect(pagesAsked(feed).length).toBeLessThanOrEqual(8);
});

/** Whatever is asked for, the same hundred clinics. */
function repeatPage(feed: WordPressFeed, headers: Record<string, string>): void {
  feed.instead = ({ path }, response) => path === 'provider' && sendAs(response, 200, feed.records, headers);
}

test('a feed that gives the same page for ever is left', async () => {
  await using feed = await wordpressFeed(many(100));
  repeatPage(feed, { 'x-wp-totalpages': '1000000' });
  await expect(idsOf(sourceOf(feed))).rejects.toThrow('WordPress gives the same clinics again and again.');
  expect(feed.asked.length).toBeLessThan(9);
});

test('one that tells no count, and gives the same page for ever, ends at the second', async () => {
  await using feed = await wordpressFeed(many(100));
  repeatPage(feed, {});
  expect(await idsOf(sourceOf(feed))).toHaveLength(100);
  expect(feed.asked).toHaveLength(2);
});

/** Sends a head and a body, and says that it did. */
function sendRaw(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
): true {
  response.writeHead(status, headers);
  response.end(body);
  return true;
}

test.each<[string, WordPressFeed['instead'], string]>([
  [
    'a login page',
    (_, response) => sendRaw(response, 200, { 'content-type': 'text/html' }, '<html>Log in</html>'),
    'Page 1 came as a web page instead of data (HTTP 200): a login page, or a firewall’s.',
  ],
  [
    'a firewall’s refusal',
    (_, response) => sendRaw(response, 403, { 'content-type': 'text/html' }, '<html>Denied</html>'),
    'Page 1 was refused (HTTP 403).',
  ],
  [
    'an unknown type',
    (_, response) => sendAs(response, 404, { code: 'rest_no_route' }),
    'WordPress has no REST answer for the type “provider” (HTTP 404). Are its REST API, its pretty permalinks and the type’s show_in_rest on?',
  ],
  [
    'an object',
    (_, response) => sendAs(response, 200, { providers: [] }),
    'Page 1 is not a list of clinics.',
  ],
  [
    'a refusal of our question',
    (_, response) => sendAs(response, 400, { code: 'rest_invalid_param' }),
    'Page 1 was answered with HTTP 400.',
  ],
  [
    'a redirect to elsewhere',
    (_, response) => sendRaw(response, 301, { location: 'https://www.cms.example/wp-json/' }, ''),
    'WordPress redirects to https://www.cms.example. Set WORDPRESS_URL to where it is.',
  ],
  [
    'more than anyone wants',
    (_, response) => sendAs(response, 200, [{ id: 1, filler: 'x'.repeat(2 * 1024 * 1024) }]),
    'Page 1 is larger than 1 MiB.',
  ],
  [
    'more than anyone wants, unannounced',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('[');
      const timer = setInterval(() => response.write(' '.repeat(256 * 1024)), 1);
      response.on('close', () => clearInterval(timer));
      return true;
    },
    'Page 1 is larger than 1 MiB.',
  ],
])('%s is an error with its sentence, at the first try', async (_, instead, message) => {
  await using feed = await wordpressFeed(many(3));
  feed.instead = instead;
  await expect(idsOf(sourceOf(feed))).rejects.toThrow(message);
  expect(feed.asked).toHaveLength(1);
});

const jsonType = { 'content-type': 'application/json' };

test.each<[string, WordPressFeed['instead'], string]>([
  [
    'a fault of WordPress’s',
    (_, response) => sendAs(response, 500, {}),
    'Page 1 was answered with HTTP 500 3 times.',
  ],
  [
    'a warning of PHP’s before the data',
    (_, response) => sendRaw(response, 200, jsonType, '<b>Warning</b>: [{"id":1}]'),
    'Page 1 is not valid JSON.',
  ],
  [
    'half an answer',
    (_, response) => sendRaw(response, 200, jsonType, '[{"id":1},{"i'),
    'Page 1 is not valid JSON.',
  ],
  [
    'an answer that is cut off',
    (_, response) => {
      response.writeHead(200, { ...jsonType, 'content-length': '1000' });
      response.write('[{"id":1}', () => response.destroy());
      return true;
    },
    'Page 1 could not be read: the answer was cut off.',
  ],
])('%s is tried three times, then told', async (_, instead, message) => {
  await using feed = await wordpressFeed(many(3));
  feed.instead = instead;
  await expect(idsOf(sourceOf(feed))).rejects.toThrow(message);
  expect(feed.asked).toHaveLength(3);
  let failures = 0;
  feed.instead = (asked, response) => (failures += 1) < 3 && instead(asked, response);
  expect(await idsOf(sourceOf(feed))).toEqual([1, 2, 3]);
});

test('who never answers is given up after the time-out, three times', async () => {
  await using feed = await wordpressFeed(many(3));
  feed.instead = () => true;
  const source = sourceOf(feed, { patience: { ...hurried, timeoutMs: 50 } });
  await expect(idsOf(source)).rejects.toThrow('Page 1 could not be read: no answer in time.');
  expect(feed.asked).toHaveLength(3);
});

test('who begins an answer and never ends it is given up, too', async () => {
  await using feed = await wordpressFeed(many(3));
  feed.instead = (_, response) => {
    response.writeHead(200, jsonType);
    response.write('[');
    return true;
  };
  const source = sourceOf(feed, { patience: { ...hurried, timeoutMs: 50 } });
  await expect(idsOf(source)).rejects.toThrow('no answer in time');
});

test('nobody there is told as that', async () => {
  await using feed = await wordpressFeed();
  const { url } = feed;
  await feed[Symbol.asyncDispose]();
  await expect(idsOf(sourceOf({ url }))).rejects.toThrow('Page 1 could not be read: nobody answers there.');
});

test('Retry-After is waited for, as seconds or as a date, unless it asks for too long', async () => {
  await using feed = await wordpressFeed(many(3));
  const times: number[] = [];
  const refuseOnce = (retryAfter: () => string): void => {
    times.length = 0;
    feed.instead = (_, response) => {
      times.push(performance.now());
      return times.length === 1 && sendAs(response, 429, {}, { 'retry-after': retryAfter() });
    };
  };
  refuseOnce(() => '1');
  expect(await idsOf(sourceOf(feed))).toHaveLength(3);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950);
  refuseOnce(() => new Date(Date.now() + 2_000).toUTCString());
  expect(await idsOf(sourceOf(feed))).toHaveLength(3);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(900);
  refuseOnce(() => '86400');
  await expect(idsOf(sourceOf(feed))).rejects.toThrow('Page 1 may be asked for again in 86400 s only.');
});

test('an account is proved before anything is read, and sent with everything', async () => {
  await using feed = await wordpressFeed(many(3));
  const credentials = { user: 'sync', appPassword: 'abcd efgh' };
  expect(await idsOf(sourceOf(feed, { credentials }))).toEqual([1, 2, 3]);
  expect(feed.asked[0]?.path).toBe('users/me');
  expect(new Set(feed.asked.map(({ headers }) => headers.authorization))).toEqual(
    new Set([`Basic ${Buffer.from('sync:abcd efgh').toString('base64')}`]),
  );
  feed.asked.length = 0;
  const wrong = sourceOf(feed, { credentials: { ...credentials, appPassword: 'wrong' } });
  await expect(idsOf(wrong)).rejects.toThrow(
    'WordPress does not accept WORDPRESS_USER and WORDPRESS_APP_PASSWORD.',
  );
  expect(feed.asked.map(({ path }) => path)).toEqual(['users/me']);
});

test('what changed since is asked for in UTC; with an account, also what is no longer published', async () => {
  await using feed = await wordpressFeed([
    feedRecord(1),
    feedRecord(2, { modified_gmt: '2026-06-01T10:00:00' }),
    feedRecord(3, { modified_gmt: '2026-06-02T10:00:00', status: 'trash' }),
  ]);
  const modifiedAfter = new Date('2026-05-20T00:00:00Z');
  const source = sourceOf(feed, { modifiedAfter });
  expect(await idsOf(source)).toEqual([2]);
  expect(feed.asked[0]?.query.get('modified_after')).toBe('2026-05-20T00:00:00.000Z');
  expect(source.modifiedAt(feed.records[1])).toEqual(new Date('2026-06-01T10:00:00Z'));
  const credentials = { user: 'sync', appPassword: 'abcd efgh' };
  expect(await idsOf(sourceOf(feed, { modifiedAfter, credentials }))).toEqual([2, 3]);
});

test('pictures are asked for once a page, by their numbers', async () => {
  await using feed = await wordpressFeed([
    feedRecord(1, { featured_media: 31, acf: { logo_url: 32 } }),
    feedRecord(2, { featured_media: 31, acf: { logo_url: { ID: 33 } } }),
    feedRecord(3, { acf: { image_url: 'https://cms.example/3.jpg' } }),
  ]);
  feed.media = [{ id: 31, source_url: 'https://cms.example/31.jpg' }];
  const [page] = await collect(sourceOf(feed).pages());
  expect([...(page?.media ?? [])]).toEqual([[31, 'https://cms.example/31.jpg']]);
  const asked = feed.asked.filter(({ path }) => path === 'media').map(({ query }) => query.get('include'));
  expect(asked).toEqual(['31,32,33']);
});

test('a list of pictures that is refused stops the crawl: the clinics would lose theirs', async () => {
  await using feed = await wordpressFeed([feedRecord(1, { featured_media: 31 })]);
  feed.instead = ({ path }, response) => path === 'media' && sendAs(response, 401, {});
  await expect(idsOf(sourceOf(feed))).rejects.toThrow('The list of pictures was refused (HTTP 401).');
});

test('a list of pictures that isn’t there is not taken for a type without an answer', async () => {
  await using feed = await wordpressFeed([feedRecord(1, { featured_media: 31 })]);
  feed.instead = ({ path }, response) => path === 'media' && sendAs(response, 404, {});
  await expect(idsOf(sourceOf(feed))).rejects.toThrow('The list of pictures was answered with HTTP 404.');
  const found = sourceOf(feed).find?.([1]);
  await expect(found).rejects.toThrow('The list of pictures was answered with HTTP 404.');
  feed.instead = (_, response) => sendAs(response, 404, {});
  await expect(sourceOf(feed).find?.([1])).rejects.toThrow('What was missing was answered with HTTP 404.');
  await expect(idsOf(sourceOf(feed))).rejects.toThrow('WordPress has no REST answer for the type “provider”');
});

test('an account that may not see what isn’t published is told which right it lacks', async () => {
  await using feed = await wordpressFeed(many(1));
  const params = { status: 'Status is forbidden.' };
  const body = { code: 'rest_invalid_param', data: { status: 400, params } };
  feed.instead = ({ path }, response) => path === 'provider' && sendAs(response, 400, body);
  const credentials = { user: 'sync', appPassword: 'abcd efgh' };
  await expect(idsOf(sourceOf(feed, { modifiedAfter: new Date(0), credentials }))).rejects.toThrow(
    /may not see what is not published.*edit_posts.*role Editor/,
  );
});

test('fields that stand elsewhere are asked for', async () => {
  await using feed = await wordpressFeed(many(1));
  await idsOf(sourceOf(feed, { fields: createFieldMap({ phone: 'contact.phone' }) }));
  expect(feed.asked[0]?.query.get('_fields')?.split(',')).toContain('contact');
});

test('at most four pages are being read at a time, none of them after the crawl was left', async () => {
  await using feed = await wordpressFeed(many(2_000));
  /** What is being asked, by page, until the test lets it be answered. */
  const held = new Map<number, () => void>();
  feed.instead = ({ path, query }, response) => {
    const page = Number(query.get('page'));
    if (path !== 'provider' || page > 20) return false;
    const headers = { 'x-wp-total': '2000', 'x-wp-totalpages': '20' };
    held.set(page, () => sendAs(response, 200, feed.records.slice((page - 1) * 100, page * 100), headers));
    response.on('close', () => held.delete(page));
    return true;
  };
  /** Lets the first page of so many be answered. A question of the test's own gives more time to arrive, if they were asked. */
  const answerFirstOf = async (count: number): Promise<void> => {
    await vi.waitUntil(() => held.size >= count, { interval: 1, timeout: 15_000 });
    await (await fetch(`${feed.url}/wp-json/wp/v2/other`)).text();
    expect(held.size).toBe(count);
    const page = Math.min(...held.keys());
    held.get(page)?.();
    held.delete(page);
  };

  const left = sourceOf(feed).pages()[Symbol.asyncIterator]();
  for (const count of [1, 4]) await Promise.all([left.next(), answerFirstOf(count)]);
  await left.return?.();
  await vi.waitUntil(() => held.size === 0);
  expect(pagesAsked(feed)).toHaveLength(5);

  const whole = idsOf(sourceOf(feed));
  for (let page = 1; page <= 20; page += 1) await answerFirstOf(page === 1 ? 1 : Math.min(4, 21 - page));
  expect(await whole).toHaveLength(2_000);
});
