import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { setUpSync } from '#test/support/syncSetup.ts';
import { feedRecord } from '#scripts/demo/wordpressFeed.ts';

const unplaced = (id: number, address: string) =>
  feedRecord(id, { acf: { address, latitude: '', longitude: 0 } });

/** A service that answers as the Census Bureau's geocoder does, as `answer` has it; what is asked is kept. */
async function geocoder(answer: (address: string, response: ServerResponse) => void) {
  const asked: URLSearchParams[] = [];
  let [open, most] = [0, 0];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://geocoder');
    asked.push(searchParams);
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
    setImmediate(() => answer(searchParams.get('address') ?? '', response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/geocoder/locations/onelineaddress`;
  return {
    url,
    asked,
    most: () => most,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function matched(response: ServerResponse, x: number, y: number): void {
  const match = { matchedAddress: 'SOMEWHERE', coordinates: { x, y } };
  response.end(JSON.stringify({ result: { input: {}, addressMatches: [match] } }));
}

test('missing coordinates are found once and kept in later runs', async () => {
  await using service = await geocoder((_, response) => matched(response, -104.99, 39.75));
  await using setup = await setUpSync(
    [unplaced(1, '1  Main St, Denver, CO'), unplaced(2, '1 main st, DENVER, CO'), feedRecord(3)],
    { GEOCODER_URL: service.url },
  );
  await setup.run();
  expect(service.asked.map((query) => Object.fromEntries(query))).toEqual([
    { address: '1 main st, denver, co, 80202', format: 'json', benchmark: 'Public_AR_Current' },
  ]);
  const placed = { latitude: 39.75, longitude: -104.99, locationSource: 'coordinates' };
  expect((await setup.providers()).slice(0, 2)).toMatchObject([placed, placed]);
  expect(await setup.run({ kind: 'full' })).toMatchObject({ run: { unchanged: 3, updated: 0 } });
  expect(service.asked).toHaveLength(1);
});

test('an address not found or found far away keeps the ZIP location, asked once', async () => {
  await using service = await geocoder((address, response) => {
    if (address.startsWith('2')) matched(response, -73.9, 40.7);
    else response.end('{"result":{"addressMatches":[]}}');
  });
  await using setup = await setUpSync([unplaced(1, '1 Nowhere'), unplaced(2, '2 Broadway')], {
    GEOCODER_URL: service.url,
  });
  await setup.run();
  await setup.run({ kind: 'full' });
  const approximate = { latitude: null, locationSource: 'zip' };
  expect(await setup.providers()).toMatchObject([approximate, approximate]);
  expect(service.asked).toHaveLength(2);
});

test('a geocoder that fails never fails the run and is soon skipped', async () => {
  const answers = [
    (response: ServerResponse) => response.writeHead(500).end(),
    (response: ServerResponse) => response.end('<html>'),
    (response: ServerResponse) => response.destroy(),
    (response: ServerResponse) => response.end('{"result":{"addressMatches":[{"coordinates":{"x":"a"}}]}}'),
  ];
  let count = 0;
  await using service = await geocoder((_, response) => answers[(count += 1) % 4]?.(response));
  const records = Array.from({ length: 40 }, (_, index) => unplaced(index + 1, `${index} Street`));
  await using setup = await setUpSync(records, { GEOCODER_URL: service.url });
  expect(await setup.run()).toMatchObject({ success: true, run: { created: 40 } });
  expect(service.asked.length).toBeLessThan(10);
  expect(service.most()).toBeLessThanOrEqual(4);
});

test('addresses that the geocoder refuses are requested once and block no others', async () => {
  await using service = await geocoder((address, response) => {
    if (address.startsWith('9')) matched(response, -104.99, 39.75);
    else response.writeHead(400).end();
  });
  const records = Array.from({ length: 8 }, (_, index) => unplaced(index + 1, `${index + 1} Refused Street`));
  await using setup = await setUpSync([...records, unplaced(9, '9 Main St')], { GEOCODER_URL: service.url });
  await setup.run();
  expect((await setup.providers()).at(-1)).toMatchObject({ latitude: 39.75 });
  await setup.run({ kind: 'full' });
  expect(service.asked).toHaveLength(9);
});

test('a dry run requests no coordinates', async () => {
  await using service = await geocoder((_, response) => matched(response, -104.99, 39.75));
  await using setup = await setUpSync([unplaced(1, '1 Main St')], { GEOCODER_URL: service.url });
  expect(await setup.run({ dryRun: true })).toMatchObject({ success: true, run: { created: 1 } });
  expect(service.asked).toEqual([]);
});

test('without a configured geocoder, nothing is requested', async () => {
  await using setup = await setUpSync([unplaced(1, '1 Main St')]);
  expect(await setup.run()).toMatchObject({ success: true });
  expect((await setup.providers())[0]).toMatchObject({ latitude: null, locationSource: 'zip' });
});
