import { brand, wordmark } from '../brand/brand.ts';
import { brandColors } from '../brand/colors.ts';
import { chrome } from '../brand/chrome.ts';
import { textTag } from '../formats/text.ts';

/** The text and color of a shared link's image. `provider` is null for the brand's own. */
export interface ShareImage {
  provider: string | null;
  /** Degrees 0–359; null for the brand's own colors. */
  hue: number | null;
  /** An inline PNG or JPEG, shown if it can be drawn. */
  logo?: string;
}

export const shareImageSize = { width: 1200, height: 630 } as const;

export const brandShareImage: ShareImage = { provider: null, hue: null };

/** Raise it when the drawing changes, so that the address changes too. */
const drawing = 1;
/** The same for the icons. */
const iconDrawing = 1;
/** The same for the images of providers. */
const providerDrawing = 2;
const brandPart = JSON.stringify([drawing, brand, brandColors, chrome.certifiedProviderOf]);

/** What a provider's own pictures are drawn from. */
export interface PictureSource {
  label: string;
  hue: number | null;
  /** Its address. */
  logo: string | null;
}

/** The path of a provider's image (server/render/shareImages/shareImages.ts). It changes with the content. */
export function shareImagePath(id: number, { label, hue, logo }: PictureSource): string {
  return `/og/${id}/${textTag(`${brandPart}${JSON.stringify([providerDrawing, label, hue, logo])}`)}.png`;
}

/** Changes with the icons of a provider's site (server/render/siteIcons.ts): caches may keep those with it forever. */
export function siteIconTag({ label, hue, logo }: PictureSource): string {
  return textTag(JSON.stringify([iconDrawing, brandColors.primary, label, hue, logo]));
}

/** A map cut: where, and in which color. */
export interface Plate {
  latitude: number;
  longitude: number;
  hue: number | null;
}

/** The map cut around a provider (server/render/shareImages/renderPlate.ts). The path changes with the content. */
export function platePath(owner: number, plate: Plate): string {
  const { latitude, longitude, hue } = plate;
  return `/og/plate/${owner}/${textTag(JSON.stringify([drawing, brandColors, latitude, longitude, hue]))}.svg`;
}

/** The brand's own, for all pages that are not about a provider. */
export const brandShareImagePath = `/og/brand/${textTag(`${brandPart}${JSON.stringify([null, null])}`)}.png`;

/** An image, because mail programs don't show SVG. In CSS pixels; the file has twice as many. */
export const mailLogoSize = { width: 160, height: 44 } as const;

/** Changes with the content, so caches may keep the logo forever (server/render/shareImages/shareImages.ts). */
export const mailLogoPath = `/og/mail/${textTag(JSON.stringify([drawing, wordmark, brandColors.primary]))}.png`;
