import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { toText } from '#test/support/deployExamples.ts';
import { markdownAnchors } from '#test/support/markdownAnchors.ts';
import { freePort, startServer } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';
import { startWorkerProcess } from '#test/support/workerProcess.ts';
import { isPeerMissing } from '#test/support/peers.ts';

const folder = 'deploy/monitoring';

const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            annotations: z.object({ summary: z.string(), runbook: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(toText(`${folder}/alerts.yml`)))
  .groups.flatMap((group) => group.rules);

const dashboard = z
  .object({
    panels: z.array(
      z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
    ),
  })
  .parse(JSON.parse(toText(`${folder}/grafana.json`)));

/** The names of the metrics in a PromQL expression. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(?:by|on|ignoring|without)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'unless'].includes(name));
}

/** The names of a scrape's samples: a histogram has three. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
}

async function scrape(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

const isSkipped = isPeerMissing(
  spawnSync('promtool', ['--version']).status === 0,
  'No promtool to check alerts with (Debian: apt-get install prometheus).',
);

/** A copy of the examples with the operator's token. */
async function copy(): Promise<{ folder: string } & AsyncDisposable> {
  const to = await mkdtemp(path.join(tmpdir(), 'monitoring-'));
  await cp(folder, to, { recursive: true });
  await writeFile(path.join(to, 'metrics-token'), 'a-token-of-enough-length');
  return { folder: to, [Symbol.asyncDispose]: () => rm(to, { recursive: true }) };
}

function promtool(args: readonly string[], cwd: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

describe.skipIf(isSkipped)('promtool', () => {
  test.each([
    ['the scrape configuration', ['check', 'config', 'prometheus.yml']],
    ['the alert rules', ['check', 'rules', 'alerts.yml']],
    ['the tests of the alert rules', ['test', 'rules', 'alerts.test.yml']],
  ])('accepts %s', async (_name, args) => {
    await using own = await copy();
    expect(promtool(args, own.folder)).toEqual({ status: 0, output: expect.any(String) });
  });

  test.each(rules.map(({ alert }) => alert))('finds out when %s does not fire', async (alert) => {
    await using own = await copy();
    const file = path.join(own.folder, 'alerts.yml');
    const text = await readFile(file, 'utf8');
    const changed = text.replace(
      new RegExp(`(alert: ${alert}\\n\\s+expr:) [^\\n]*\\n(?:\\s{10}.*\\n)*`),
      '$1 vector(0) > 1\n',
    );
    expect(changed).not.toBe(text);
    await writeFile(file, changed);
    const { status, output } = promtool(['test', 'rules', 'alerts.test.yml'], own.folder);
    expect(status).not.toBe(0);
    expect(output).toContain(alert);
  });
});

test('rules and dashboard use only metrics that a web process and a worker export', async () => {
  await using database = await testDb();
  const env = { DATABASE_URL: database.url, SECRET_KEYS: 'worker-test-key-worker-test-key-01' };
  await using web = await startServer({ ...env, WORKER: 'off' });
  const port = await freePort();
  await using worker = await startWorkerProcess({ ...env, METRICS_PORT: String(port) });
  const scrapes = [await scrape(web.port), await scrape(port)];
  expect(worker.ended()).toBeNull();
  // Prometheus makes `up` itself.
  for (const text of scrapes) {
    const exported = ['up', ...namesIn(text)];
    const used = [...rules, ...dashboard.panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) =>
      metricsIn(expr),
    );
    expect(used.length).toBeGreaterThan(40);
    expect([...new Set(used)].filter((name) => !exported.includes(name))).toEqual([]);
  }
  // docs/monitoring.md describes each metric of the product.
  const described = toText('docs/monitoring.md');
  const own = [...scrapes.join('\n').matchAll(/^# TYPE (?!nodejs_|process_)(\S+) /gm)].map(
    ([, name]) => name,
  );
  expect(own.length).toBeGreaterThan(30);
  expect(own.filter((name) => !described.includes(`\`${name}`))).toEqual([]);
});

test('the names of metrics are found in an expression', () => {
  expect(
    metricsIn('sum by (a) (rate(x_total{b="c d"}[5m])) / max(y) > 26 * 3600 and on (z) time() - v_seconds'),
  ).toEqual(['x_total', 'y', 'v_seconds']);
});

test('each alert has a section in the runbook, which names it', () => {
  const runbooks = toText('docs/runbooks.md');
  const anchors = markdownAnchors(runbooks);
  expect(rules.length).toBeGreaterThan(14);
  for (const { alert, annotations } of rules) {
    const [file, anchor = ''] = annotations.runbook.split('#');
    expect([alert, file, anchors.includes(anchor)]).toEqual([alert, 'docs/runbooks.md', true]);
    expect(runbooks).toContain(`\`${alert}\``);
  }
});
