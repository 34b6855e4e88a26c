import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Boot } from '#shared/pages/boot.ts';
import { type BuiltBundle, loadBundle } from '#server/render/bundle.ts';
import { renderDocument } from '#server/render/document.ts';
import { shapeOf, slotValuesOf } from '#server/render/templates/pageShape.ts';
import {
  composeGzip,
  composePage,
  drawTemplate,
  fillTemplate,
  valuesChecksum,
} from '#server/render/templates/template.ts';
import { anyBoot, siblingOf } from './hostileBoots.ts';

let bundle: BuiltBundle;

beforeAll(async () => {
  const loaded = await loadBundle();
  if (loaded.development !== null) throw new Error('the built bundle was asked for');
  bundle = loaded;
});

function inputOf(subject: Boot) {
  return { renderer: bundle.renderer, links: bundle.links(subject.page.kind), boot: subject };
}

test('a page from another provider’s template equals the directly rendered page', () => {
  fc.assert(
    fc.property(anyBoot, (subject) => {
      const template = drawTemplate(inputOf(subject));
      if (template === null) throw new Error('no template stands for this page');
      for (const served of [subject, siblingOf(subject)]) {
        const values = slotValuesOf(served);
        expect(shapeOf(values)).toBe(shapeOf(slotValuesOf(subject)));
        const filled = fillTemplate(template, values);
        const direct = Buffer.from(renderDocument(inputOf(served)).html);
        expect(composePage(template, filled).equals(direct)).toBe(true);
        expect(gunzipSync(composeGzip(template, filled)).equals(direct)).toBe(true);
      }
      const [mine, other] = [subject, siblingOf(subject)].map((served) => {
        const filled = fillTemplate(template, slotValuesOf(served));
        return { page: composePage(template, filled), checksum: valuesChecksum(template, filled) };
      });
      // Equal checksums make equal entity tags, and those let a browser keep what it has.
      expect(mine?.checksum === other?.checksum).toBe(mine?.page.equals(other?.page ?? Buffer.alloc(0)));
    }),
    { numRuns: 40 },
  );
});
