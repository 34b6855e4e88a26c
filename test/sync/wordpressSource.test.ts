import { describe, expect, test } from 'vitest';
import { createFieldMap } from '#server/config/fieldMap.ts';
import { collect } from '#test/support/collect.ts';
import { meets } from '#test/support/meets.ts';
import { listIds, getSource } from '#test/support/syncSetup.ts';
import {
  feedRecord,
  sendAs,
  wordpressFeed,
  type WordPressFeed,
  feedRecords,
} from '#scripts/demo/wordpressFeed.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const pagesAsked = ({ asked }: WordPressFeed) =>
  asked.filter(({ path }) => path === 'provider').map(({ query }) => query.get('page'));

test('every page is read in order, and one more to confirm the end', async () => {
  meets('D.sync.01');
  await using feed = await wordpressFeed(feedRecords(250));
  expect(await listIds(getSource(feed))).toEqual(feedRecords(250).map(({ id }) => id));
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

test('a site without providers is read at most twice', async () => {
  await using feed = await wordpressFeed();
  expect(await listIds(getSource(feed))).toEqual([]);
  expect(feed.asked.length).toBeLessThanOrEqual(2);
});

test('headers removed by a proxy are not needed', async () => {
  await using feed = await wordpressFeed(feedRecords(250));
  feed.instead = ({ path, query }, response) => {
    const page = Number(query.get('page'));
    if (path !== 'provider' || page > 3) return false;
    return sendAs(response, 200, feed.records.slice((page - 1) * 100, page * 100));
  };
  expect(await listIds(getSource(feed))).toHaveLength(250);
});

test('a page count that is too low is ignored', async () => {
  await using feed = await wordpressFeed(feedRecords(250));
  feed.instead = ({ path, query }, response) => {
    const page = Number(query.get('page'));
    if (path !== 'provider' || page > 3) return false;
    const headers = { 'x-wp-total': '100', 'x-wp-totalpages': '1' };
    return sendAs(response, 200, feed.records.slice((page - 1) * 100, page * 100), headers);
  };
  expect(await listIds(getSource(feed))).toHaveLength(250);
});

test('a page count that is too high ends at WordPress’ last page', async () => {
  await using feed = await wordpressFeed(feedRecords(250));
  feed.instead = ({ path, query }, response) => {
    const page = Number(query.get('page'));
    if (path !== 'provider' || page > 3) return false;
    const headers = { 'x-wp-total': '99999999', 'x-wp-totalpages': '1000000' };
    return sendAs(response, 200, feed.records.slice((page - 1) * 100, page * 100), headers);
  };
  const source = getSource(feed);
  expect(await listIds(source)).toHaveLength(250);
  expect(source.expectedTotal()).toBe(99_999_999);
  expect(pagesAsked(feed).length).toBeLessThanOrEqual(8);
});

/** The same hundred clinics for every request. */
function repeatPage(feed: WordPressFeed, headers: Record<string, string>): void {
  feed.instead = ({ path }, response) => path === 'provider' && sendAs(response, 200, feed.records, headers);
}

test('a feed that repeats one page is an error', async () => {
  await using feed = await wordpressFeed(feedRecords(100));
  repeatPage(feed, { 'x-wp-totalpages': '1000000' });
  await expect(listIds(getSource(feed))).rejects.toThrow('WordPress keeps returning the same page.');
  expect(feed.asked.length).toBeLessThan(9);
});

test('a feed that repeats one page without a count ends at the second', async () => {
  await using feed = await wordpressFeed(feedRecords(100));
  repeatPage(feed, {});
  expect(await listIds(getSource(feed))).toHaveLength(100);
  expect(feed.asked).toHaveLength(2);
});

test('an account is verified first and sent with every request', async () => {
  meets('D.sync.02');
  await using feed = await wordpressFeed(feedRecords(3));
  const credentials = { user: 'sync', appPassword: 'abcd efgh' };
  expect(await listIds(getSource(feed, { credentials }))).toEqual([1, 2, 3]);
  expect(feed.asked[0]?.path).toBe('users/me');
  expect(new Set(feed.asked.map(({ headers }) => headers.authorization))).toEqual(
    new Set([`Basic ${Buffer.from('sync:abcd efgh').toString('base64')}`]),
  );
  feed.asked.length = 0;
  const wrong = getSource(feed, { credentials: { ...credentials, appPassword: 'wrong' } });
  await expect(listIds(wrong)).rejects.toThrow(
    'WordPress does not accept WORDPRESS_USER and WORDPRESS_APP_PASSWORD.',
  );
  expect(feed.asked.map(({ path }) => path)).toEqual(['users/me']);
});

describe('an account whose users/me is closed', () => {
  const credentials = { user: 'sync', appPassword: 'abcd efgh' };
  const closings: [number, string][] = [
    [403, 'rest_user_cannot_view'],
    [404, 'rest_no_route'],
    [403, 'rest_forbidden'],
    [406, 'blocked'],
  ];
  /** A site where users/me is closed and the list for editors answers with this status. */
  async function closedSite(
    [status, code]: [number, string],
    list: { status: number; code?: string } | null,
  ) {
    const feed = await wordpressFeed(feedRecords(3));
    feed.instead = ({ path, query }, response) => {
      if (path === 'users/me') return sendAs(response, status, { code });
      if (query.get('context') !== 'edit' || list === null) return false;
      return sendAs(response, list.status, { code: list.code });
    };
    return feed;
  }

  test.each(closings)('(HTTP %i, %s) is proved by a list for editors', async (...closing) => {
    await using feed = await closedSite(closing, null);
    expect(await listIds(getSource(feed, { credentials }))).toEqual([1, 2, 3]);
    expect(feed.asked[1]).toMatchObject({ path: 'provider' });
    expect(Object.fromEntries(feed.asked[1]?.query ?? [])).toEqual({
      context: 'edit',
      per_page: '1',
      _fields: 'id',
    });
    expect(feed.asked[1]?.headers.authorization).toMatch(/^Basic /);
  });

  test('is proved by a right that it lacks', async () => {
    await using feed = await closedSite([403, 'x'], { status: 403, code: 'rest_forbidden_context' });
    expect(await listIds(getSource(feed, { credentials }))).toEqual([1, 2, 3]);
  });

  test.each([
    [
      { status: 401, code: 'rest_forbidden_context' },
      'WordPress does not accept WORDPRESS_USER and WORDPRESS_APP_PASSWORD.',
    ],
    [
      { status: 403, code: 'incorrect_password' },
      'WordPress does not accept WORDPRESS_USER and WORDPRESS_APP_PASSWORD.',
    ],
    [
      { status: 403, code: 'rest_forbidden' },
      'The site blocks users/me (HTTP 403), perhaps a security plugin.',
    ],
    [{ status: 400 }, 'The site blocks users/me (HTTP 403), perhaps a security plugin.'],
    [{ status: 404, code: 'rest_no_route' }, 'WordPress has no REST route for the type “provider”'],
  ])('is not proved by %j', async (list, message) => {
    await using feed = await closedSite([403, 'rest_user_cannot_view'], list);
    await expect(listIds(getSource(feed, { credentials }))).rejects.toThrow(message);
    expect(feed.asked).toHaveLength(2);
  });

  test.each([
    [403, 'incorrect_password'],
    [400, 'invalid_username'],
    [401, 'rest_not_logged_in'],
  ])('is wrong if WordPress says so (HTTP %i, %s)', async (...closing) => {
    await using feed = await closedSite(closing, null);
    await expect(listIds(getSource(feed, { credentials }))).rejects.toThrow('WordPress does not accept');
    expect(feed.asked).toHaveLength(1);
  });

  test('by a firewall is reported with its name', async () => {
    await using feed = await wordpressFeed(feedRecords(1));
    feed.instead = (_, response) => sendAs(response, 403, {}, { server: 'cloudflare' });
    await expect(listIds(getSource(feed, { credentials }))).rejects.toThrow(
      'The site blocks users/me (HTTP 403), perhaps a security plugin or a firewall: Cloudflare answers for the site.',
    );
  });
});

test('every request has the configured User-Agent', async () => {
  await using feed = await wordpressFeed([feedRecord(1, { featured_media: 31 })]);
  const credentials = { user: 'sync', appPassword: 'abcd efgh' };
  await listIds(getSource(feed, { credentials, userAgent: 'Clinics (sync; +https://brand.example)' }));
  expect(feed.asked.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['users/me', 'provider', 'media']),
  );
  expect(new Set(feed.asked.map(({ headers }) => headers['user-agent']))).toEqual(
    new Set(['Clinics (sync; +https://brand.example)']),
  );
});

test('changes are requested in UTC, with an account also unpublished ones', async () => {
  await using feed = await wordpressFeed([
    feedRecord(1),
    feedRecord(2, { modified_gmt: '2026-06-01T10:00:00' }),
    feedRecord(3, { modified_gmt: '2026-06-02T10:00:00', status: 'trash' }),
  ]);
  const modifiedAfter = new Date('2026-05-20T00:00:00Z');
  const source = getSource(feed, { modifiedAfter });
  expect(await listIds(source)).toEqual([2]);
  expect(feed.asked[0]?.query.get('modified_after')).toBe('2026-05-20T00:00:00.000Z');
  expect(source.modifiedAt(feed.records[1])).toEqual(new Date('2026-06-01T10:00:00Z'));
  const credentials = { user: 'sync', appPassword: 'abcd efgh' };
  expect(await listIds(getSource(feed, { modifiedAfter, credentials }))).toEqual([2, 3]);
});

test('pictures are requested once per page, by id', async () => {
  await using feed = await wordpressFeed([
    feedRecord(1, { featured_media: 31, acf: { logo_url: 32 } }),
    feedRecord(2, { featured_media: 31, acf: { logo_url: { ID: 33 } } }),
    feedRecord(3, { acf: { image_url: 'https://cms.example/3.jpg' } }),
  ]);
  feed.media = [{ id: 31, source_url: 'https://cms.example/31.jpg' }];
  const [page] = await collect(getSource(feed).pages());
  expect([...(page?.media ?? [])]).toEqual([[31, 'https://cms.example/31.jpg']]);
  const asked = feed.asked.filter(({ path }) => path === 'media').map(({ query }) => query.get('include'));
  expect(asked).toEqual(['31,32,33']);
});

const webPage = { 'content-type': 'text/html' };
test.each<[string, number, Record<string, string>, string]>([
  ['refused to strangers', 401, {}, 'The list of pictures was refused (HTTP 401).'],
  ['refused by a firewall', 403, { server: 'cloudflare' }, 'Perhaps by a firewall: Cloudflare'],
  ['that a plugin removed', 404, {}, 'The list of pictures returned HTTP 404.'],
  [
    'behind a login page',
    200,
    webPage,
    'The list of pictures returned a web page instead of data (HTTP 200).',
  ],
  ['that redirects', 302, { location: '/wp-login.php' }, 'WordPress redirects to http://127.0.0.1'],
])('a list of pictures %s costs the pictures, with one note', async (_, status, headers, message) => {
  await using feed = await wordpressFeed([
    feedRecord(1, { featured_media: 31, acf: { logo_url: 'https://cms.example/logo.png' } }),
    ...feedRecords(250).slice(1),
    feedRecord(251, { acf: { logo_url: { ID: 32 } } }),
  ]);
  feed.instead = ({ path }, response) => path === 'media' && sendAs(response, status, {}, headers);
  const source = getSource(feed);
  const pages = await collect(source.pages());
  expect(pages.map(({ records }) => records.length)).toEqual([100, 100, 51]);
  expect(pages.map(({ kept }) => [kept?.[0], kept?.at(-1)])).toEqual([
    [['image_url'], []],
    [[], []],
    [[], ['logo_url']],
  ]);
  expect(source.notes?.()).toEqual([expect.stringContaining(message)]);
  expect(feed.asked.filter(({ path }) => path === 'media')).toHaveLength(1);
  const again = getSource(feed);
  expect(await again.find?.([1])).toMatchObject({ kept: [['image_url']] });
  expect(again.notes?.()).toHaveLength(1);
});

test.each<[string, WordPressFeed['instead']]>([
  ['an error of the server', (_, response) => sendAs(response, 503, {})],
  ['a broken connection', (_, response) => response.destroy().destroyed],
])('%s while pictures are read stops the run', async (_, answer) => {
  await using feed = await wordpressFeed([feedRecord(1, { featured_media: 31 })]);
  feed.instead = (request, response) => request.path === 'media' && answer(request, response);
  await expect(listIds(getSource(feed))).rejects.toThrow('The list of pictures');
  expect(feed.asked.filter(({ path }) => path === 'media')).toHaveLength(3);
});

test('a failed search by ids is not reported as a missing type', async () => {
  await using feed = await wordpressFeed(feedRecords(1));
  feed.instead = (_, response) => sendAs(response, 404, {});
  await expect(getSource(feed).find?.([1])).rejects.toThrow('What was missing returned HTTP 404.');
  await expect(listIds(getSource(feed))).rejects.toThrow(
    'WordPress has no REST route for the type “provider”',
  );
});

test('an account without access to unpublished records learns which right is missing', async () => {
  await using feed = await wordpressFeed(feedRecords(1));
  const params = { status: 'Status is forbidden.' };
  const body = { code: 'rest_invalid_param', data: { status: 400, params } };
  feed.instead = ({ path }, response) => path === 'provider' && sendAs(response, 400, body);
  const credentials = { user: 'sync', appPassword: 'abcd efgh' };
  await expect(listIds(getSource(feed, { modifiedAfter: new Date(0), credentials }))).rejects.toThrow(
    /can’t read unpublished records.*edit_posts.*Editor role/,
  );
});

test('fields in another place are requested', async () => {
  await using feed = await wordpressFeed(feedRecords(1));
  await listIds(getSource(feed, { fields: createFieldMap({ phone: 'contact.phone' }) }));
  expect(feed.asked[0]?.query.get('_fields')?.split(',')).toContain('contact');
});

test('at most four pages are read concurrently, none after the end', async () => {
  meets('D.sync.07');
  await using feed = await wordpressFeed(feedRecords(2_000));
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
  /**
   * Lets the first page of so many be answered. A question of the test's own gives more time to arrive, if they were
   * asked.
   */
  const getAnswerFirst = async (count: number): Promise<void> => {
    await waitUntil(() => held.size >= count, { interval: 1 });
    await (await fetch(`${feed.url}/wp-json/wp/v2/other`)).text();
    expect(held.size).toBe(count);
    const page = Math.min(...held.keys());
    held.get(page)?.();
    held.delete(page);
  };

  const left = getSource(feed).pages()[Symbol.asyncIterator]();
  for (const count of [1, 4]) await Promise.all([left.next(), getAnswerFirst(count)]);
  await left.return?.();
  await waitUntil(() => held.size === 0);
  expect(pagesAsked(feed)).toHaveLength(5);

  const whole = listIds(getSource(feed));
  for (let page = 1; page <= 20; page += 1) await getAnswerFirst(page === 1 ? 1 : Math.min(4, 21 - page));
  expect(await whole).toHaveLength(2_000);
});
