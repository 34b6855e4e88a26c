import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Boot } from '#shared/pages/boot.ts';
import { stitchGzip } from '#server/render/templates/stitchedGzip.ts';
import { type BuiltBundle, loadBundle } from '#server/render/bundle.ts';
import { renderDocument } from '#server/render/document.ts';
import { getShape, listSlotValues } from '#server/render/templates/pageShape.ts';
import {
  composePage,
  renderTemplate,
  fillTemplate,
  valuesChecksum,
} from '#server/render/templates/template.ts';
import { parseHours } from '#shared/providers/detailValues.ts';
import { insertProvider } from '#test/support/factories.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { anyBoot, findSibling } from './hostileBoots.ts';

let bundle: BuiltBundle;

beforeAll(async () => {
  const loaded = await loadBundle();
  if (loaded.development !== null) throw new Error('the bundle is not the built one');
  bundle = loaded;
});

function buildInput(subject: Boot) {
  return { renderer: bundle.renderer, links: bundle.links(subject.page.kind), boot: subject };
}

test("a page from another provider's template equals the page rendered directly", () => {
  fc.assert(
    fc.property(anyBoot, (subject) => {
      const template = renderTemplate(buildInput(subject));
      if (template === null) throw new Error('this page has no template');
      for (const served of [subject, findSibling(subject)]) {
        const values = listSlotValues(served);
        expect(getShape(values)).toBe(getShape(listSlotValues(subject)));
        const filled = fillTemplate(template, values);
        const direct = Buffer.from(renderDocument(buildInput(served)).html);
        expect(composePage(template, filled).equals(direct)).toBe(true);
        expect(gunzipSync(stitchGzip(template.gzip, filled)).equals(direct)).toBe(true);
      }
      const [mine, other] = [subject, findSibling(subject)].map((served) => {
        const filled = fillTemplate(template, listSlotValues(served));
        return { page: composePage(template, filled), checksum: valuesChecksum(template, filled) };
      });
      // Equal checksums make equal ETags, and equal ETags let a browser keep its copy.
      expect(mine?.checksum === other?.checksum).toBe(mine?.page.equals(other?.page ?? Buffer.alloc(0)));
    }),
    { numRuns: 40 },
  );
});

/** A tenant's home page, without the process's own form token and port. */
async function comparable(app: TestApp, host: { domain: string | null }): Promise<string> {
  await expect.poll(async () => (await app.as(host).get('/')).status).toBe(200);
  const { headers, body } = await app.as(host).get('/', { 'accept-encoding': 'gzip' });
  expect(headers['content-encoding']).toBe('gzip');
  const html = gunzipSync(body).toString();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? [];
  expect(token).not.toBe('');
  return html.replaceAll(token, 'token').replaceAll(`:${app.port}`, '');
}

test('with PAGE_TEMPLATES=off, a page is compressed and has the same content', async () => {
  await using app = await testApp();
  await using plain = await testApp({ database: app.database, env: { PAGE_TEMPLATES: 'off' } });
  const provider = await insertProvider(app.db, { domain: 'plain.example', practiceName: 'Ann’s <Clinic>' });
  await Promise.all([app.knows(provider), plain.knows(provider)]);
  const html = await comparable(app, provider);
  expect(html).toContain('Ann’s &lt;Clinic&gt;');
  expect((await comparable(plain, provider)) === html).toBe(true);
});

test('a provider’s page says whether it is open, also right after it closes', async () => {
  const clock = { ms: Date.parse('2026-11-25T23:59:20Z') };
  await using app = await testApp({ now: () => new Date(clock.ms) });
  const provider = await insertProvider(app.db, {
    hours: parseHours('Mon-Fri 09:00-17:00') ?? null,
    timeZone: 'America/Denver',
  });
  await app.knows(provider);
  const ask = (headers = {}) => app.as(provider).get('/', headers);
  let etag = '';
  // Often enough that the page is stored whole.
  for (let request = 0; request < 6; request++) {
    const { text, headers } = await ask();
    expect(text).toContain('Open now, until 5:00 PM');
    etag = String(headers['etag']);
  }
  expect((await ask({ 'if-none-match': etag })).status).toBe(304);
  clock.ms += 60_000;
  const closed = await ask({ 'if-none-match': etag });
  expect(closed.status).toBe(200);
  expect(closed.text).toContain('Closed now, opens Thursday, 9:00 AM');
  expect(closed.text).not.toContain('Open now, until');
});

test('without a time zone the ZIP code’s is used, and an ambiguous one says nothing', async () => {
  await using app = await testApp({ now: () => new Date('2026-11-25T23:59:20Z') });
  const hours = parseHours('Mon-Fri 09:00-17:00') ?? null;
  const [denver, between] = await Promise.all([
    insertProvider(app.db, { hours, zipCode: '80202' }),
    insertProvider(app.db, { hours, zipCode: '57501' }),
  ]);
  await app.knows(between);
  const [known, unknown] = await Promise.all(
    [denver, between].map(async ({ id }) => (await app.get(`/?providerId=${id}`)).text),
  );
  expect(known).toContain('Open now, until 5:00 PM');
  expect(unknown).not.toMatch(/Open now|Closed now/);
  expect(unknown).toContain('9:00 AM – 5:00 PM');
});
