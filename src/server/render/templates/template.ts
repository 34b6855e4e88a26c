import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Boot } from '#shared/pages/boot.ts';
import { type PageLinks, renderDocument, type Renderer } from '../document.ts';
import { fillSlot, markBoot, markJson, type Slot, splitAtSlots } from './slots.ts';
import { type SlotValues, listSlotValues } from './pageShape.ts';
import { type ByteText, type GzipPlan, joinStretches, planGzip, type Stretch } from './stitchedGzip.ts';

/** A page rendered once for all providers of one shape: known text, and slots that a request fills. */
export interface Template {
  /** Text of the style tag, for the policy. */
  css: string;
  /** Changes with anything in the known text: copy, styles, asset names, configuration, date. */
  digest: string;
  slots: Slot[];
  stretches: Stretch[];
  gzip: GzipPlan;
  /** Approximate memory. */
  byteLength: number;
}

interface DrawInput {
  renderer: Renderer;
  links: PageLinks;
  boot: Boot;
}

/**
 * Renders the page with markers, splits it, and compares it with one rendered without. Returns null if they differ,
 * because a component does more than print a provider's string: such a page is rendered for each provider.
 */
export function renderTemplate({ renderer, links, boot }: DrawInput): Template | null {
  const template = cutTemplate({ renderer, links, boot });
  if (template === null) return null;
  const direct = renderDocument({ renderer, links, boot });
  const same =
    template.css === direct.css &&
    composePage(template, fillTemplate(template, listSlotValues(boot))).equals(Buffer.from(direct.html));
  return same ? template : null;
}

function cutTemplate({ renderer, links, boot }: DrawInput): Template | null {
  try {
    const marked = markBoot(boot);
    const { html, css } = renderDocument({
      renderer,
      links,
      boot: marked,
      json: (text) => markJson(text, marked),
    });
    const { texts, slots } = splitAtSlots(html);
    const unique = new Map(slots.map((slot) => [slot.key, slot]));
    const places = [...unique.keys()];
    const stretches = texts.flatMap((text, index): Stretch[] => {
      const slot = slots[index];
      const place = slot === undefined ? [] : [places.indexOf(slot.key)];
      return text === '' ? place : [knownText(text), ...place];
    });
    const gzip = planGzip(stretches);
    const digest = hash('sha256', html, 'base64url').slice(0, 22);
    return {
      css,
      digest,
      slots: [...unique.values()],
      stretches,
      gzip,
      byteLength: gzip.deflatedLength + html.length * 2,
    };
  } catch {
    // A marker may also break a component, such as one that parses a link. The page is then rendered directly.
    return null;
  }
}

/** Copies the text. A slice would keep the whole page in memory, at two bytes per character because of the markers. */
function knownText(text: string): ByteText {
  return Buffer.from(text).toString('latin1');
}

/** The values of one page, each escaped and encoded once. */
export function fillTemplate(template: Template, values: SlotValues): ByteText[] {
  return template.slots.map((slot) => fillSlot(slot, values));
}

/** A checksum of the values, without the form token, which each process issues for itself. */
export function valuesChecksum(template: Template, filled: readonly ByteText[]): number {
  let sum = 0;
  template.slots.forEach((slot, index) => {
    if (slot.identifiesVersion) sum = crc32(filled[index] ?? '', sum);
  });
  return sum;
}

export function composePage({ stretches }: Template, filled: readonly ByteText[]): Buffer {
  return Buffer.from(joinStretches(stretches, filled), 'latin1');
}
