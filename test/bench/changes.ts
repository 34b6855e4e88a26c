import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '#server/db/connect.ts';
import type { ServerProcess } from '#test/support/serverProcess.ts';
import type { Figure } from './figure.ts';
import { median } from './load.ts';

const changes = 20;

/** A provider's page as text. fetch would not set its host. */
function readPage(port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/', headers: { host } }, (response) => resolve(text(response)))
      .on('error', reject)
      .end();
  });
}

/** How long after a provider's name was changed by plain SQL a process that knew it shows the new one. */
export async function changeShown(server: ServerProcess, sql: Sql, host: string): Promise<Figure> {
  const tookMs: number[] = [];
  for (let change = 1; change <= changes; change += 1) {
    const name = `Renamed Clinic ${change}`;
    await sql`update providers set practice_name = ${name} where domain = ${host}`;
    const writtenAt = performance.now();
    while (!(await readPage(server.port, host)).includes(name)) await delay(5);
    tookMs.push(performance.now() - writtenAt);
  }
  return {
    name: 'a change shown by a process that knew the clinic',
    measured: median(tookMs),
    baseline: null,
    unit: 'ms',
    against: `median of ${changes}; the slowest took ${Math.round(Math.max(...tookMs))} ms`,
    bar: { of: 'measured', sign: '<=', value: 1000 },
  };
}
