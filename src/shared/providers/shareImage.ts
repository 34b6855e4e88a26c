import { brand } from '../brand/brand.ts';
import { brandColors } from '../brand/colors.ts';
import { chrome } from '../brand/chrome.ts';
import { textTag } from '../formats/textTag.ts';

/** What the picture of a shared link says; `clinic` null for the brand's own. */
export interface ShareImage {
  provider: string | null;
  /** Degrees 0–359; null for the brand's own colours. */
  hue: number | null;
}

export const shareImageSize = { width: 1200, height: 630 } as const;

export const brandShareImage: ShareImage = { provider: null, hue: null };

/** Raised whenever the picture is drawn differently, so that its address changes with it. */
const drawing = 1;
const brandPart = JSON.stringify([drawing, brand, brandColors, chrome.certifiedProviderOf]);

/** Where the picture lies (server/render/shareImages/shareImages.ts). Its address changes with whatever it shows, so it may be kept for ever. */
export function shareImagePath(owner: number | 'brand', { provider, hue }: ShareImage): string {
  return `/og/${owner}/${textTag(`${brandPart}${JSON.stringify([provider, hue])}`)}.png`;
}

/** The brand's own, for all pages that aren't a clinic's. */
export const brandShareImagePath = shareImagePath('brand', brandShareImage);
