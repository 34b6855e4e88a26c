import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { hurried, idsOf, sourceOf } from '#test/support/syncSetup.ts';
import { sendAs, wordpressFeed, type WordPressFeed, feedRecords } from '#test/support/wordpressFeed.ts';

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
    'Page 1 returned a web page instead of data (HTTP 200). It may be a login page or a firewall.',
  ],
  [
    'a firewall’s refusal',
    (_, response) => sendRaw(response, 403, { 'content-type': 'text/html' }, '<html>Denied</html>'),
    'Page 1 was refused (HTTP 403).',
  ],
  [
    'an unknown type',
    (_, response) => sendAs(response, 404, { code: 'rest_no_route' }),
    'WordPress has no REST route for the type “provider” (HTTP 404). Check that its REST API, pretty permalinks and the type’s show_in_rest are on.',
  ],
  [
    'an object',
    (_, response) => sendAs(response, 200, { providers: [] }),
    'Page 1 is not a list of providers.',
  ],
  [
    'a refusal of our question',
    (_, response) => sendAs(response, 400, { code: 'rest_invalid_param' }),
    'Page 1 returned HTTP 400.',
  ],
  [
    'a redirect to elsewhere',
    (_, response) => sendRaw(response, 301, { location: 'https://www.cms.example/wp-json/' }, ''),
    'WordPress redirects to https://www.cms.example. Set WORDPRESS_URL to that address.',
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
])('%s is an error at the first attempt', async (_, instead, message) => {
  await using feed = await wordpressFeed(feedRecords(3));
  feed.instead = instead;
  await expect(idsOf(sourceOf(feed))).rejects.toThrow(message);
  expect(feed.asked).toHaveLength(1);
});

const jsonType = { 'content-type': 'application/json' };

test.each<[string, WordPressFeed['instead'], string]>([
  ['a fault of WordPress’s', (_, response) => sendAs(response, 500, {}), 'Page 1 returned HTTP 500 3 times.'],
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
    'Page 1 could not be read: the response was incomplete.',
  ],
])('%s is attempted three times, then reported', async (_, instead, message) => {
  await using feed = await wordpressFeed(feedRecords(3));
  feed.instead = instead;
  await expect(idsOf(sourceOf(feed))).rejects.toThrow(message);
  expect(feed.asked).toHaveLength(3);
  let failures = 0;
  feed.instead = (asked, response) => (failures += 1) < 3 && instead(asked, response);
  expect(await idsOf(sourceOf(feed))).toEqual([1, 2, 3]);
});

test('a server that never responds times out three times', async () => {
  await using feed = await wordpressFeed(feedRecords(3));
  feed.instead = () => true;
  const source = sourceOf(feed, { patience: { ...hurried, timeoutMs: 50 } });
  await expect(idsOf(source)).rejects.toThrow('Page 1 could not be read: no response in time.');
  expect(feed.asked).toHaveLength(3);
});

test('a response that never ends times out', async () => {
  await using feed = await wordpressFeed(feedRecords(3));
  feed.instead = (_, response) => {
    response.writeHead(200, jsonType);
    response.write('[');
    return true;
  };
  const source = sourceOf(feed, { patience: { ...hurried, timeoutMs: 50 } });
  await expect(idsOf(source)).rejects.toThrow('no response in time');
});

test('a refused connection is reported', async () => {
  await using feed = await wordpressFeed();
  const { url } = feed;
  await feed[Symbol.asyncDispose]();
  await expect(idsOf(sourceOf({ url }))).rejects.toThrow(
    'Page 1 could not be read: the connection was refused.',
  );
});

test('Retry-After is respected, in seconds or as a date, up to a limit', async () => {
  await using feed = await wordpressFeed(feedRecords(3));
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
  await expect(idsOf(sourceOf(feed))).rejects.toThrow('Page 1 can’t be retried for 86400 s.');
});
