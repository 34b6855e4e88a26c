import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordPressAvailable } from '../support/wordpress/available.ts';
import { startWordPress, type WordPress } from '../support/wordpress/wordpress.ts';
import { setUpSync, type SyncSetup } from '#test/support/syncSetup.ts';

const seeded = 250;

describe.skipIf(!wordPressAvailable())('the sync from a real WordPress', () => {
  let site: WordPress;
  let ids: number[];
  let setup: SyncSetup;
  beforeAll(async () => {
    site = await startWordPress();
    ids = await site.seed(seeded);
    setup = await setUpSync([], {
      WORDPRESS_URL: site.url,
      WORDPRESS_USER: site.user,
      WORDPRESS_APP_PASSWORD: site.appPassword,
    });
  });
  afterAll(async () => {
    await setup[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const provider = async (id: number) =>
    (await setup.providers()).find(({ wordpressId }) => wordpressId === id);
  const nth = (index: number): number => ids[index] ?? 0;

  it('imports every clinic with a name, and reports why the others are skipped', async () => {
    const outcome = await setup.run();
    const nameless = ids.filter((_, index) => index % 6 === 4);
    expect(outcome).toMatchObject({ success: true, run: { kind: 'full', read: seeded, message: null } });
    if (!outcome.success) throw new Error(outcome.error);
    const skipped = outcome.rows.filter(({ change }) => change === 'skipped');
    expect(new Set(skipped.map(({ detail }) => detail))).toEqual(new Set(['Its name is missing.']));
    expect(skipped.map(({ wordpressId }) => wordpressId)).toEqual(nameless);
    expect(await setup.providers()).toHaveLength(seeded - nameless.length);
  });

  it('reads titles, numbers, empty fields, domains and featured pictures as they are meant', async () => {
    const providers = await setup.providers();
    expect(new Set(providers.map(({ name }) => name))).toEqual(
      new Set(['Harbor & Vale Clinic', 'Nolan & Price', 'Women’s Health', 'Bold Urology', 'Plain Clinic']),
    );
    expect(await provider(nth(0))).toMatchObject({
      practiceName: 'Practice 1',
      zipCode: '60602',
      latitude: 39.501,
      domain: 'clinic-1.example',
      googleAdsId: 'AW-1',
      imageUrl: 'https://images.example/1.jpg',
      locationSource: 'coordinates',
    });
    // Every fifth is bare, every third features a picture.
    expect(await provider(nth(14))).toMatchObject({
      practiceName: null,
      latitude: null,
      locationSource: 'zip',
      imageUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/.*clinic\.png$/),
    });
  });

  it('finds nothing to write the second time, whole or incremental', async () => {
    const before = await setup.providers();
    expect(await setup.run({ kind: 'full' })).toMatchObject({
      run: { created: 0, updated: 0, deactivated: 0 },
    });
    expect(await setup.run()).toMatchObject({
      run: { kind: 'incremental', created: 0, updated: 0, deactivated: 0 },
    });
    expect(await setup.providers()).toEqual(before);
  });

  it('notices in an incremental run what was changed, trashed and unpublished, and what came back', async () => {
    await site.setProvider(nth(0), { title: 'Renamed &amp; moved', acf: { zip_code: '60603' } });
    await site.trash(nth(1));
    await site.draft(nth(2));
    expect(await setup.run()).toMatchObject({ run: { kind: 'incremental', updated: 1, deactivated: 2 } });
    expect(await provider(nth(0))).toMatchObject({ name: 'Renamed & moved', zipCode: '60603' });
    expect([(await provider(nth(1)))?.status, (await provider(nth(2)))?.status]).toEqual(['f', 'f']);
    await site.setProvider(nth(1), {});
    await site.setProvider(nth(2), {});
    expect(await setup.run()).toMatchObject({ run: { updated: 2, deactivated: 0 } });
  });

  it('notices in a full crawl what was deleted for good', async () => {
    await site.run(`wp_delete_post(${nth(3)}, true);`);
    expect(await setup.run()).toMatchObject({ run: { deactivated: 0 } });
    expect(await setup.run({ kind: 'full' })).toMatchObject({ run: { deactivated: 1, message: null } });
  });

  it('stops at a wrong password before anything is read', async () => {
    await using wrong = await setUpSync([], {
      WORDPRESS_URL: site.url,
      WORDPRESS_USER: site.user,
      WORDPRESS_APP_PASSWORD: 'wrong wrong wrong',
    });
    expect(await wrong.run()).toMatchObject({
      success: false,
      error: 'WordPress does not accept WORDPRESS_USER and WORDPRESS_APP_PASSWORD.',
      run: { outcome: 'failed', read: 0 },
    });
  });

  it('stops at a type that the site doesn’t show', async () => {
    await using other = await setUpSync([], { WORDPRESS_URL: site.url, WORDPRESS_TYPE: 'doctor' });
    expect(await other.run()).toMatchObject({
      success: false,
      error: expect.stringContaining('“doctor” (HTTP 404)'),
    });
  });
});
