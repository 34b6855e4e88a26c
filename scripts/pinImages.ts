import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

/** `FROM` and `image:` with an image that has a tag; stages and our own image have none. */
const images =
  /^((?:FROM(?: --\S+)*| +image:) ['"]?)((?:[\w.-]+(?::\d+)?\/)?[\w./-]+:\w[\w.-]*)(?:@(sha256:\w{64}))?(?=['"\s]|$)/gm;
const files = ['Dockerfile', 'compose.yaml'];
/** Where an image without a host is. */
const defaultRegistry = 'https://registry-1.docker.io';
/** Indexes first: their digest fits every architecture. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
const timeoutMs = 30_000;
const tokenAnswer = z
  .object({ token: z.string().optional(), access_token: z.string().optional() })
  .transform((answer) => answer.token ?? answer.access_token);

/** A message for the person who started this. Anything else that is thrown is a fault of this script. */
class Failure extends Error {}

/** A request that fails with the host's name. */
async function ask(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new Failure(`${url.host} can't be reached: ${String(cause)}`);
  }
}

/** The token that a registry's challenge (`Bearer realm="…",service="…",scope="…"`) asks for; it is free to read with. */
async function tokenFor(challenge: string): Promise<string> {
  const { realm, ...params } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  if (!/^Bearer /i.test(challenge) || realm === undefined || !URL.canParse(realm))
    throw new Failure(`The registry asks for a sign-in that isn't known here: ${challenge || 'none named'}`);
  const url = new URL(realm);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  const response = await ask(url, {});
  const { data } = tokenAnswer.safeParse(await response.json().catch(() => null));
  if (!response.ok || data === undefined)
    throw new Failure(`${url.host} gave no token (HTTP ${response.status})`);
  return data;
}

/** The digest of `name:tag` in its registry, or in the given one. */
async function computeDigest(image: string, registry: string | undefined): Promise<string> {
  const [, host, path = '', tag = ''] = /^(?:([^/]*[.:][^/]*|localhost)\/)?(.+):(.+)$/.exec(image) ?? [];
  const isDefault = host === undefined || host === 'docker.io';
  const base = registry ?? (isDefault ? defaultRegistry : `https://${host}`);
  const name = isDefault && !path.includes('/') ? `library/${path}` : path;
  const url = new URL(`/v2/${name}/manifests/${tag}`, base);
  const head = (headers: Record<string, string>): Promise<Response> =>
    ask(url, { method: 'HEAD', headers: { accept: manifestTypes.join(', '), ...headers } });
  let response = await head({});
  if (response.status === 401)
    response = await head({
      authorization: `Bearer ${await tokenFor(response.headers.get('www-authenticate') ?? '')}`,
    });
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  const digest = response.headers.get('docker-content-digest') ?? '';
  if (!response.ok) throw new Failure(`${url.host} answers HTTP ${response.status}`);
  if (!manifestTypes.includes(type) || !/^sha256:[\da-f]{64}$/.test(digest))
    throw new Failure(`${url.host} answers with no digest of a manifest (${type || 'no content type'})`);
  return digest;
}

/**
 * `npm run images:pin`: writes the digest behind each image of the deployment examples, so that the same image is used
 * until it is run again. All are asked before a file changes. With `--check`, nothing is written, and the exit code is
 * 1 if a digest is missing or its tag has moved.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      folder: { type: 'string', default: resolve(import.meta.dirname, '../deploy') },
      registry: { type: 'string' },
    },
  });
  const paths = files.map((file) => join(values.folder, file));
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const found = texts.flatMap((text) => [...text.matchAll(images)]);
  const digests = new Map<string, string>();
  for (const [, , image = ''] of found) {
    if (digests.has(image)) continue;
    const digest = await computeDigest(image, values.registry).catch((error: unknown) => {
      throw error instanceof Failure
        ? new Failure(`${image}: ${error.message}. Nothing was changed.`)
        : error;
    });
    digests.set(image, digest);
    console.log(`${image}@${digest}`);
  }
  const changed = found.filter(([, , image = '', pinned]) => pinned !== digests.get(image));
  for (const [, , image, pinned] of values.check ? changed : [])
    console.log(`${image} ${pinned === undefined ? 'has no digest' : `has moved from ${pinned}`}.`);
  if (values.check && changed.length > 0) process.exitCode = 1;
  if (values.check || changed.length === 0) return;
  const pin = (_: string, before: string, image: string): string => `${before}${image}@${digests.get(image)}`;
  // Each file is whole at any time, and none is replaced if one can't be written.
  for (const [index, text] of texts.entries())
    await writeFile(`${paths[index]}.new`, text.replaceAll(images, pin));
  for (const path of paths) await rename(`${path}.new`, path);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Failure ? error.message : error);
  process.exitCode = 1;
}
