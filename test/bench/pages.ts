import { request as httpRequest } from 'node:http';
import type { Figure } from './figure.ts';
import { alternate, load, type LoadRequest, type LoadResult } from './load.ts';
import { type ServerProcess, startBareServer } from '#test/support/serverProcess.ts';

const connections = 32;
const rounds = 15;
const seconds = 1.5;

function pageRequest(host: string): LoadRequest {
  const headers = { host, accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' };
  return { method: 'GET', path: '/', headers };
}

interface Page {
  body: Buffer;
  headers: Record<string, string>;
}

/** One page as it is sent, still compressed. fetch can't be used: it forbids setting Host and decompresses. */
function getPage(port: number, host: string): Promise<Page> {
  return new Promise((resolve, reject) => {
    httpRequest(
      { host: '127.0.0.1', port, path: '/', headers: { host, 'accept-encoding': 'gzip, deflate, br' } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            body: Buffer.concat(chunks),
            headers: {
              'content-type': 'text/html; charset=utf-8',
              'content-encoding': String(response.headers['content-encoding']),
            },
          }),
        );
      },
    )
      .on('error', reject)
      .end();
  });
}

/** (a) The cached landing page against a bare node:http server that sends the same bytes. */
export async function cachedPage(server: ServerProcess): Promise<Figure> {
  const request = pageRequest('localhost');
  const run = (port: number) =>
    load({ port, connections, seconds, expectedStatus: 200, request: () => request });
  await run(server.port);
  const page = await getPage(server.port, 'localhost');
  await using bare = await startBareServer(page.body, {
    ...page.headers,
    'Content-Length': String(page.body.length),
  });
  await run(bare.port);
  const { measured, baseline } = await alternate(
    rounds,
    () => run(server.port),
    () => run(bare.port),
  );
  return {
    name: 'cached page',
    measured,
    baseline,
    unit: 'requests/s',
    against: `bare node:http sending the same ${page.body.length} bytes`,
    bar: { of: 'ratio', sign: '>=', value: 0.6 },
  };
}

/** The bytes of the landing page as a browser gets it, once it is hot: after `cachedPage`. */
export async function landingHtml(server: ServerProcess): Promise<Figure> {
  const { body, headers } = await getPage(server.port, 'localhost');
  if (headers['content-encoding'] !== 'br') throw new Error('the landing page is not hot');
  return {
    name: 'HTML of /',
    measured: body.length / 1000,
    baseline: null,
    unit: 'KB brotli',
    against: 'styles and boot data included',
    bar: { of: 'measured', sign: '<=', value: 16.384 },
  };
}

/** (d) Pages of many tenant hosts, hit at random, against one host; and the memory the process takes for them. */
export async function manyTenants(server: ServerProcess, hosts: string[]): Promise<Figure[]> {
  const requests = hosts.map(pageRequest);
  const [one] = requests;
  if (one === undefined) throw new Error('no hosts');
  // Every host once, so that "known" means known, as after a day in production.
  await sweep(server.port, requests);
  const many = atRandom(server.port, requests);
  const single = () =>
    load({ port: server.port, connections, seconds, expectedStatus: 200, request: () => one });
  const { measured, baseline } = await alternate(rounds, many, single);
  return [
    {
      name: `${hosts.length.toLocaleString('en')} tenants at random`,
      measured,
      baseline,
      unit: 'requests/s',
      against: 'one of those hosts',
      bar: { of: 'ratio', sign: '>=', value: 0.75 },
    },
    {
      name: 'memory with those tenants',
      measured: server.residentMegabytes(),
      baseline: null,
      unit: 'MB',
      against: 'resident set of the process',
      bar: { of: 'measured', sign: '<=', value: 350 },
    },
  ];
}

/**
 * (k) `/` of many tenant hosts, requested at random, with templates against rendering each page (PAGE_TEMPLATES=off).
 */
export async function pageTemplates(
  server: ServerProcess,
  plain: ServerProcess,
  hosts: string[],
): Promise<Figure> {
  const requests = hosts.map(pageRequest);
  // More connections would wait for rendering until their reads time out.
  const withTemplates = atRandom(server.port, requests, 4);
  const without = atRandom(plain.port, requests, 4);
  await withTemplates();
  await without();
  const { measured, baseline } = await alternate(rounds, withTemplates, without);
  return {
    name: `templates, ${hosts.length.toLocaleString('en')} tenants at random`,
    measured,
    baseline,
    unit: 'requests/s',
    against: 'the same with PAGE_TEMPLATES=off',
    bar: { of: 'ratio', sign: '>=', value: 4 },
  };
}

/** A load that requests a random page each time. */
function atRandom(
  port: number,
  requests: readonly LoadRequest[],
  connectionCount = connections,
): () => Promise<LoadResult> {
  const random = () => requests[Math.floor(Math.random() * requests.length)] ?? pageRequest('localhost');
  return () => load({ port, connections: connectionCount, seconds, expectedStatus: 200, request: random });
}

async function sweep(port: number, requests: LoadRequest[]): Promise<void> {
  let left = requests.length;
  let index = 0;
  while (left > 0) {
    const result = await load({
      port,
      connections,
      seconds: 1,
      expectedStatus: 200,
      request: () => requests[index++ % requests.length] ?? pageRequest('localhost'),
    });
    left -= result.requests;
  }
}
