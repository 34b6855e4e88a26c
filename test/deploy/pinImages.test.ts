import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '#test/support/command.ts';

const computeDigest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const manifest = 'application/vnd.oci.image.index.v1+json';
const pins = /@sha256:[\da-f]{64}/g;
const copied = ['Dockerfile', 'compose.yaml'];

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Registry extends AsyncDisposable {
  url: string;
  /** Method and path of each request, in order. */
  requests: string[];
  /** What it answers about an image instead of its digest, by the image's path. */
  answers: Map<string, Answer>;
}

/** A registry that knows every image, once it is asked with the token of that image. */
async function startRegistry(): Promise<Registry> {
  const requests: string[] = [];
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    requests.push(`${request.method} ${url.pathname}`);
    const scope = url.searchParams.get('scope');
    if (url.pathname === '/token' && url.searchParams.get('service') === 'fake') {
      const given = answers.get('/token');
      if (given === undefined) response.end(JSON.stringify({ token: `for ${scope}` }));
      else given(request, response);
      return;
    }
    const [, name = '', tag = ''] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(url.pathname) ?? [];
    const asked = `repository:${name}:pull`;
    if (request.headers.authorization !== `Bearer for ${asked}`) {
      const challenge = `Bearer realm="${url.origin}/token",service="fake",scope="${asked}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    const answer = answers.get(name);
    const isAccepted = request.headers.accept?.includes(manifest) === true && request.method === 'HEAD';
    if (answer !== undefined) answer(request, response);
    else if (!isAccepted) response.writeHead(406).end();
    else
      response
        .setHeader('content-type', manifest)
        .setHeader('docker-content-digest', computeDigest(`${name}:${tag}`))
        .end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Copies extends AsyncDisposable {
  folder: string;
  texts: () => Promise<string[]>;
}

/** Copies of the deployment examples without digests. */
async function copyExamples(): Promise<Copies> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pins-'));
  const texts = (): Promise<string[]> =>
    Promise.all(copied.map((file) => readFile(path.join(folder, file), 'utf8')));
  for (const file of copied) await cp(path.join('deploy', file), path.join(folder, file));
  for (const [index, text] of (await texts()).entries())
    await writeFile(path.join(folder, copied[index] ?? ''), text.replaceAll(pins, ''));
  return {
    folder,
    texts,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const pin = (
  { folder }: Copies,
  { url }: Pick<Registry, 'url'>,
  ...more: string[]
): ReturnType<typeof runCommand> =>
  runCommand('pinImages', ['--folder', folder, '--registry', url, ...more], {});

/** The text with a digest behind each image with a tag. */
const pinned = (text: string): string =>
  text.replaceAll(
    /((?:FROM|image:) )((?:(axllent)\/)?(\w+:v?\d\S*))/g,
    (_, before: string, image: string) => {
      const name = image.includes('/') ? image : `library/${image}`;
      return `${before}${image}@${computeDigest(name)}`;
    },
  );

test('every image with a tag gets its digest, and nothing else changes', async () => {
  await using registry = await startRegistry();
  await using copies = await copyExamples();
  const before = await copies.texts();
  expect(await pin(copies, registry)).toMatchObject({ status: 0 });
  const after = await copies.texts();
  expect(after).toEqual(before.map(pinned));
  expect(after.map((text) => text.match(pins)?.length)).toEqual([2, 3]);
  // Each image is asked about once: without a token, then with it.
  const heads = registry.requests.filter((request) => request.startsWith('HEAD '));
  expect([heads.length, new Set(heads).size]).toEqual([8, 4]);
  expect(await pin(copies, registry)).toMatchObject({ status: 0 });
  expect(await copies.texts()).toEqual(after);
});

test('a digest is replaced when its tag has moved', async () => {
  await using registry = await startRegistry();
  await using copies = await copyExamples();
  await pin(copies, registry);
  const moved = computeDigest('a newer image');
  registry.answers.set('library/node', (_, response) =>
    response.setHeader('content-type', manifest).setHeader('docker-content-digest', moved).end(),
  );
  const before = await copies.texts();
  expect(await pin(copies, registry, '--check')).toMatchObject({
    status: 1,
    output: expect.stringContaining('has moved from sha256:'),
  });
  expect(await copies.texts()).toEqual(before);
  await pin(copies, registry);
  const [dockerfile = '', compose] = await copies.texts();
  expect(dockerfile.match(pins)).toEqual([`@${moved}`, `@${moved}`]);
  expect(compose).toBe(before[1]);
});

test('--check changes nothing and fails until every image has its digest', async () => {
  await using registry = await startRegistry();
  await using copies = await copyExamples();
  const before = await copies.texts();
  const { status, output } = await pin(copies, registry, '--check');
  expect([status, await copies.texts()]).toEqual([1, before]);
  expect(output.match(/ has no digest\.$/gm)?.length).toBe(5);
  await pin(copies, registry);
  expect((await pin(copies, registry, '--check')).status).toBe(0);
});

const page: Answer = (_, response) => response.setHeader('content-type', 'text/html').end('Sign in');
const refusals: [name: string, at: string, answer: Answer, message: string][] = [
  ['an unknown image', 'axllent/mailpit', (_, response) => response.writeHead(404).end(), 'HTTP 404'],
  ['a page instead of a manifest', 'axllent/mailpit', page, 'no digest of a manifest (text/html)'],
  [
    'a manifest without a digest',
    'axllent/mailpit',
    (_, response) => response.setHeader('content-type', manifest).end(),
    'no digest of a manifest',
  ],
  ['a page instead of a token', '/token', page, 'gave no token (HTTP 200)'],
  ['a broken connection', 'axllent/mailpit', (request) => request.socket.destroy(), "can't be reached"],
];

test.each(refusals)('%s ends with an error and changes nothing', async (_name, at, answer, message) => {
  await using registry = await startRegistry();
  await using copies = await copyExamples();
  registry.answers.set(at, answer);
  const before = await copies.texts();
  const { status, output } = await pin(copies, registry);
  expect([status, await copies.texts()]).toEqual([1, before]);
  expect(output).toContain(message);
  expect(output).toMatch(/^\S+:v?\d\S*: .* Nothing was changed\.$/m);
});

test('a registry that is away ends with an error and changes nothing', async () => {
  const registry = await startRegistry();
  await registry[Symbol.asyncDispose]();
  await using copies = await copyExamples();
  const before = await copies.texts();
  const { status, output } = await pin(copies, registry);
  expect([status, await copies.texts()]).toEqual([1, before]);
  expect(output).toContain("can't be reached");
});
