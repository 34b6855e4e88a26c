import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { wordPressAvailable } from '../support/wordpress/available.ts';
import { startWordPress, type WordPress } from '../support/wordpress/wordpress.ts';
import { ask, type Answer } from './startSync.ts';
import { waitFor } from '#test/support/waitFor.ts';

const recordedFolder = join(import.meta.dirname, 'recorded');
const posts = '/wp-json/wp/v2/provider';
const inOrder = `${posts}?orderby=id&order=asc&per_page=100&_fields=id`;
const seeded = 130;

const listIds = ({ body }: Answer): number[] =>
  z
    .array(z.object({ id: z.number() }))
    .parse(body)
    .map(({ id }) => id);

describe.skipIf(!wordPressAvailable())('a real WordPress', () => {
  let site: WordPress;
  let ids: number[];
  beforeAll(async () => {
    site = await startWordPress();
    ids = await site.seed(seeded);
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('counts rows and pages in headers, and refuses a page past the last', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => ask(site, `${inOrder}&page=${page}`)));
    const counts = { 'x-wp-total': String(seeded), 'x-wp-totalpages': '2' };
    expect(pages[0]).toMatchObject({ status: 200, headers: counts });
    expect(pages[1]).toMatchObject({ status: 200, headers: counts });
    expect(pages.slice(0, 2).flatMap(listIds)).toEqual(ids);
    expect(pages[2]).toMatchObject({ status: 400, body: { code: 'rest_post_invalid_page_number' } });
    expect(pages[2]?.headers).not.toHaveProperty('x-wp-total');
  });

  it('answers an empty result on every page, with no pages', async () => {
    const answer = await ask(site, `${inOrder}&page=7&search=nobody+is+called+so`);
    expect(answer).toMatchObject({ status: 200, body: [], headers: { 'x-wp-totalpages': '0' } });
  });

  it('accepts the application password and detects a wrong one with users/me only', async () => {
    const wrong = { ...site, appPassword: 'wrong wrong wrong' };
    expect(await ask(site, '/wp-json/wp/v2/users/me')).toMatchObject({ status: 200, body: { slug: 'sync' } });
    expect(await ask(wrong, '/wp-json/wp/v2/users/me')).toMatchObject({ status: 401 });
    expect(await ask(wrong, inOrder)).toMatchObject({ status: 200 });
  });

  it('answers with no more than the fields asked for', async () => {
    const { body } = await ask(site, `${posts}/${ids[0]}?_fields=id,acf,meta`);
    expect(Object.keys(z.looseObject({}).parse(body)).toSorted()).toEqual(['acf', 'id', 'meta']);
    expect(body).toMatchObject({
      acf: { practice_name: 'Practice 1', latitude: '39.501', logo_url: 'https://images.example/1-logo.png' },
      meta: { practice_name: 'Practice 1', latitude: 39.501, accepts_financing: false },
    });
  });

  it('writes what is missing as "", false or 0, and a boolean it can’t read as null', async () => {
    const id = ids[9] ?? 0;
    await site.setProvider(id, { meta: { accepts_financing: 'yes' }, acf: { image_url: { id: 7 } } });
    expect(await ask(site, `${posts}/${id}?_fields=acf,meta`)).toMatchObject({
      body: {
        acf: { practice_name: '', latitude: '', logo_url: false, image_url: { id: 7 } },
        meta: { practice_name: '', latitude: 0, accepts_free_consultation: false, accepts_financing: null },
      },
    });
  });

  it('renders titles with entities and tags', async () => {
    const { body } = await ask(site, `${posts}?orderby=id&order=asc&per_page=6&_fields=title`);
    expect(body).toEqual(
      ['Nolan &#038; Price', 'Women&#8217;s Health', '<b>Bold</b> Urology', 'Plain Clinic', '']
        .map((rendered) => ({ title: { rendered } }))
        .concat({ title: { rendered: 'Harbor &amp; Vale Clinic' } }),
    );
  });

  it('lists what was modified after an instant, not at it; a time without a zone is the site’s own', async () => {
    const before = `${inOrder}&modified_before=2026-02-01T00:00:00Z&modified_after=`;
    const after = async (time: string): Promise<number[]> =>
      listIds(await ask(site, before + encodeURIComponent(time)));
    expect(await after('2026-01-01T02:05:00Z')).toEqual(ids.slice(125));
    expect(await after('2026-01-01T02:05:00+00:00')).toEqual(ids.slice(125));
    expect(await after('2026-01-01T02:05:00')).toEqual([]);
    expect(await after('2025-12-31T20:05:00')).toEqual(ids.slice(125));
  });

  it('shows a change as modified now', async () => {
    const startedAt = Math.floor(Date.now() / 1000) * 1000;
    const id = ids[10] ?? 0;
    await site.setProvider(id, { title: 'New & better' });
    const { body } = await ask(site, `${posts}/${id}?context=edit&_fields=modified_gmt,title`);
    expect(body).toMatchObject({ title: { raw: 'New & better' } });
    const { modified_gmt: modified } = z.object({ modified_gmt: z.string() }).parse(body);
    expect(Date.parse(`${modified}Z`)).toBeGreaterThanOrEqual(startedAt);
  });

  it('leaves trash and drafts out, and takes them back', async () => {
    const [trashed = 0, drafted = 0] = ids.slice(20);
    await site.trash(trashed);
    await site.draft(drafted);
    const named = `${inOrder}&include=${trashed},${drafted}`;
    expect(listIds(await ask(site, named))).toEqual([]);
    expect(listIds(await ask(site, `${named}&status=any`))).toEqual([drafted]);
    await site.setProvider(trashed, {});
    await site.setProvider(drafted, {});
    expect(listIds(await ask(site, named))).toEqual([trashed, drafted]);
  });

  it.each(readdirSync(recordedFolder))('still answers as recorded in %s', async (file) => {
    const recorded: unknown = JSON.parse(await readFile(join(recordedFolder, file), 'utf8'));
    const { path } = z.object({ path: z.string() }).parse(recorded);
    const { status, headers, body } = await ask(site, path);
    const anywhere = JSON.stringify(body).replaceAll(site.url, 'https://wordpress.example');
    expect({ path, status, headers, body: JSON.parse(anywhere) }).toEqual(recorded);
  });

  it('leaves no server and no folder behind', async () => {
    const other = await startWordPress();
    const folder = await other.run('echo dirname(getcwd());');
    await other[Symbol.asyncDispose]();
    await expect(fetch(other.url)).rejects.toThrow('fetch failed');
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('leaves nothing behind when the process that started it is killed', async () => {
    const child = fork(join(import.meta.dirname, '../support/wordpress/child.ts'));
    const { url, folder } = z
      .object({ url: z.string(), folder: z.string() })
      .parse((await once(child, 'message'))[0]);
    expect((await fetch(`${url}/wp-json/`)).status).toBe(200);
    child.kill('SIGKILL');
    await waitFor(() => expect(readdir(folder)).rejects.toThrow('ENOENT'));
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});
