import { Agent, request as httpRequest } from 'node:http';
import type { ServerProcess } from '#test/support/serverProcess.ts';
import type { AnonymousRoute, BenchRequest } from './anonymousRequests.ts';
import { anonymousRoutes } from './anonymousRoutes.ts';
import { type Figure, toRatio } from './figure.ts';

const connections = 8;
/** Enough CPU time for the clock, which counts hundredths of a second. */
const cpuMsWanted = 200;
const requestsMax = 3_000;
const requestsAtOnce = 50;

interface Answer {
  status: number;
  bytes: number;
}

interface Cost {
  cpuMs: number;
  bytesOut: number;
}

/** An IPv4 address in a /24 of its own, so that no limit of one network is reached. */
function getAddress(count: number): string {
  return `${11 + ((count >> 16) % 80)}.${(count >> 8) % 256}.${count % 256}.1`;
}

function send(
  agent: Agent,
  port: number,
  { method = 'GET', path, headers = {}, body }: BenchRequest,
  ip: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          host: 'localhost',
          'accept-encoding': 'br, gzip',
          'x-forwarded-for': ip,
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      },
      (response) => {
        const head = response.rawHeaders.reduce((sum, text) => sum + text.length + 2, 17);
        let bytes = head;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * CPU time and bytes of one answer, on average. Throws when the answers aren't what the row says: another route would
 * be measured.
 */
async function getCost(server: ServerProcess, row: AnonymousRoute, nextAddress: () => string): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const shared = nextAddress();
  let index = 0;
  const run = async (count: number): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: count }, () =>
        send(agent, server.port, row.request(index++), row.oneNetwork === true ? shared : nextAddress()),
      ),
    );
  try {
    // What is made once or compressed when it is asked for often isn't the cost of a request.
    await run(row.requestsMax === undefined || row.oneNetwork === true ? requestsAtOnce : 2);
    const most = row.requestsMax ?? requestsMax;
    const startMs = server.cpuMs();
    let requests = 0;
    let bytes = 0;
    while (requests < most && server.cpuMs() - startMs < cpuMsWanted) {
      const answers = await run(Math.min(requestsAtOnce, most - requests));
      for (const answer of answers) {
        if (answer.status !== row.status)
          throw new Error(`${getName(row)} answers ${answer.status} and not ${row.status}`);
        bytes += answer.bytes;
      }
      requests += answers.length;
    }
    return { cpuMs: (server.cpuMs() - startMs) / requests, bytesOut: Math.round(bytes / requests) };
  } finally {
    agent.destroy();
  }
}

function getName({ route, variant }: AnonymousRoute): string {
  return variant === undefined ? route : `${route} (${variant})`;
}

/**
 * What each request that anyone may send costs this process, beside the cached front page in the same run; prints a
 * table of them.
 */
export async function anonymousCosts(server: ServerProcess): Promise<Figure[]> {
  let addresses = 0;
  const nextAddress = (): string => getAddress(addresses++);
  const front = anonymousRoutes.find(({ route }) => route === 'page /');
  if (front === undefined) throw new Error('there is no row of the front page');
  // A process that has just started takes several times as long for the same.
  for (let round = 0; round < 5; round++) await getCost(server, front, nextAddress);
  const baseline = (await getCost(server, front, nextAddress)).cpuMs;
  const figures: Figure[] = [];
  for (const row of anonymousRoutes) {
    const { cpuMs, bytesOut } = await getCost(server, row, nextAddress);
    figures.push({
      name: getName(row),
      measured: cpuMs,
      baseline,
      unit: 'ms CPU',
      against: 'the cached front page',
      bytesOut,
      limit: row.limit,
      bar: { of: 'ratio', sign: '<=', value: row.ratioMax },
    });
  }
  console.table(
    figures.map((figure) => ({
      'anonymous route': figure.name,
      'CPU ms': figure.measured.toFixed(2),
      'front pages': toRatio(figure)?.toFixed(1),
      'bytes out': figure.bytesOut?.toLocaleString('en'),
      limit: figure.limit,
    })),
  );
  return figures;
}
