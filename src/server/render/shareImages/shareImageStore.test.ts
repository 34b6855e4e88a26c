import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { createShareImageStore } from './shareImageStore.ts';

const log = createLog('silent');

async function temporaryFolder() {
  const parent = await mkdtemp(join(tmpdir(), 'share-images-'));
  return {
    folder: join(parent, 'og'),
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true }),
  };
}

/** Bytes that begin and end like a PNG file. */
function png(length: number, filling = 0): Buffer {
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  const end = Buffer.from('0000000049454e44ae426082', 'hex');
  return Buffer.concat([start, Buffer.alloc(length - start.length - end.length, filling), end]);
}

test('other processes, also after a restart, find a stored image', async () => {
  await using temporary = await temporaryFolder();
  const { folder } = temporary;
  const [one, other] = [createShareImageStore({ folder, log }), createShareImageStore({ folder, log })];
  expect(await one.find('tag')).toBe(null);
  await one.put('tag', png(100));
  expect(await other.find('tag')).toEqual(png(100));
});

test('an incomplete file counts as missing and is replaced', async () => {
  await using temporary = await temporaryFolder();
  const { folder } = temporary;
  const store = createShareImageStore({ folder, log });
  await store.put('tag', png(100));
  for (const broken of [Buffer.alloc(0), png(100).subarray(0, 60), png(100).subarray(10)]) {
    await writeFile(join(folder, 'tag.png'), broken);
    expect(await store.find('tag')).toBe(null);
  }
  await store.put('tag', png(100));
  expect(await store.find('tag')).toEqual(png(100));
});

test('images written by several processes are complete and leave no draft', async () => {
  await using temporary = await temporaryFolder();
  const { folder } = temporary;
  const stores = Array.from({ length: 4 }, () => createShareImageStore({ folder, log }));
  await Promise.all(
    stores.flatMap((store, at) =>
      Array.from({ length: 10 }, (_, index) => store.put(`tag${index}`, png(50_000, at))),
    ),
  );
  const names = await readdir(folder);
  expect(names.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `tag${index}.png`).toSorted());
  for (const name of names) expect((await readFile(join(folder, name))).length).toBe(50_000);
});

test('above the limit, the least recently read images and old drafts are removed', async () => {
  await using temporary = await temporaryFolder();
  const { folder } = temporary;
  const store = createShareImageStore({ folder, log, bytesMax: 10_000 });
  await store.put('first', png(1_000));
  await writeFile(join(folder, '.abandoned.draft'), 'x');
  const old = new Date('2020-01-01T00:00:00Z');
  await utimes(join(folder, '.abandoned.draft'), old, old);
  for (let index = 0; index < 30; index++) {
    await store.put(`tag${index}`, png(1_000));
    // It was read just now, so it stays although it was written first.
    expect(await store.find('first')).not.toBe(null);
    const names = await readdir(folder);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(10_001);
  }
  expect(await store.find('tag0')).toBe(null);
  expect(await store.find('tag29')).not.toBe(null);
  expect(await readdir(folder)).not.toContain('.abandoned.draft');
});

test('a disk that fails to read or write is no error', async () => {
  await using temporary = await temporaryFolder();
  const { folder } = temporary;
  await writeFile(folder, 'a file where the folder should be');
  const store = createShareImageStore({ folder, log });
  await store.put('tag', png(100));
  expect(await store.find('tag')).toBe(null);
});

test('a text that is not a content tag never becomes a path', async () => {
  await using temporary = await temporaryFolder();
  const store = createShareImageStore({ folder: temporary.folder, log });
  for (const tag of ['../x', 'a/b', '', '.', 'a'.repeat(65)])
    await expect(store.find(tag)).rejects.toThrow('content tag');
});
