import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { providers } from '#server/db/schema/index.ts';
import { mailLogoPath, mailLogoSize } from '#shared/mailLogo.ts';
import { insertClinic } from '#test/support/factories.ts';
import { type Client, testApp } from '#test/support/testApp.ts';

const forEver = 'public, max-age=31536000, immutable';

/** Where a page says the picture of its links lies. */
async function picturePath(client: Client, page: string): Promise<string> {
  const { text } = await client.get(page);
  return new URL(/<meta property="og:image" content="([^"]+)">/.exec(text)?.[1] ?? '').pathname;
}

describe('the picture of a shared link', () => {
  test('lies where the pages say, of the size they say, for the brand and for a clinic', async () => {
    await using app = await testApp();
    const clinic = await insertClinic(app.db, { practiceName: 'Shared & Co' });
    await expect.poll(() => app.services.tenants.hasHost(String(clinic.domain))).toBe(true);
    const own = await picturePath(app.as(clinic), '/');
    expect(own).toMatch(new RegExp(`^/og/${clinic.id}/`));
    expect(await picturePath(app, `/?providerId=${clinic.id}`)).toBe(own);
    expect(await picturePath(app.as(clinic), '/privacy')).toBe(own);
    const brand = await picturePath(app, '/');
    expect(await picturePath(app, '/terms')).toBe(brand);
    for (const [client, path] of [
      [app.as(clinic), own],
      [app, brand],
    ] as const) {
      const { status, headers, body } = await client.get(path);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'image/png',
        forEver,
      ]);
      expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    }
    const { text } = await app.as(clinic).get('/');
    expect(text).toContain('<meta property="og:image:width" content="1200">');
    expect(text).toContain(
      '<meta property="og:image:alt" content="Shared &amp; Co: certified provider of P-Long®">',
    );
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image">');
  });

  test('gets another address with another name; the earlier one shows the present picture for a while', async () => {
    await using app = await testApp();
    const clinic = await insertClinic(app.db, { practiceName: 'Before' });
    await expect.poll(() => app.services.tenants.hasHost(String(clinic.domain))).toBe(true);
    const before = await picturePath(app.as(clinic), '/');
    const old = await app.get(before);
    await app.db.update(providers).set({ practiceName: 'After' }).where(eq(providers.id, clinic.id));
    await expect.poll(() => picturePath(app.as(clinic), '/')).not.toBe(before);
    const present = await app.get(await picturePath(app.as(clinic), '/'));
    const stale = await app.get(before);
    expect(stale.body.equals(present.body)).toBe(true);
    expect(stale.body.equals(old.body)).toBe(false);
    expect(stale.headers['cache-control']).toBe('public, max-age=3600');
    expect(present.headers['cache-control']).toBe(forEver);
  });

  test('above messages is the wordmark, twice as large as it is shown, and is kept for ever', async () => {
    await using app = await testApp();
    const { status, headers, body } = await app.get(mailLogoPath);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/png', forEver]);
    expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([
      mailLogoSize.width * 2,
      mailLogoSize.height * 2,
    ]);
  });

  test('is not sent again to who has it', async () => {
    await using app = await testApp();
    const path = await picturePath(app, '/');
    const { headers } = await app.get(path);
    const again = await app.get(path, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test.each([
    '/og/999999/abc.png',
    '/og/0/abc.png',
    '/og/-1/abc.png',
    '/og/brand/ABC.png',
    '/og/brand/abc.svg',
    '/og/brand/../abc.png',
    '/og/99999999999999999999/abc.png',
  ])('%s is nobody’s', async (path) => {
    await using app = await testApp();
    expect((await app.get(path)).status).toBe(404);
  });
});
