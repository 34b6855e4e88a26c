import { imagePixels, pngSides } from '#server/security/imagePixels.ts';
import type { FetchedImage } from '#server/security/fetchImage.ts';
import { withTimeout } from '#server/db/withTimeout.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import type { Media } from '../../http/media.ts';
import type { Log } from '../../log.ts';

/** The provider whose logo has to be fetched; null: it has none, or it is inline or one of our own files. */
export function findLogoOwner({ id, logoUrl }: Pick<TenantView, 'id' | 'logoUrl'>): number | null {
  return logoUrl?.startsWith('/media/') === true ? id : null;
}

/** A provider's logo as `/media/logo` has it; undefined if it can't be loaded, also for the moment. */
export type FindLogo = (id: number, ip: string) => Promise<FetchedImage | undefined>;

/** A picture is drawn without a logo that takes longer; it has the logo once it is asked for again. */
const findMs = 1_000;

export function createLogoFinder({ media, log }: { media: Pick<Media, 'find'>; log: Log }): FindLogo {
  return async (id, ip) => {
    try {
      return await withTimeout(media.find(id, 'logo', ip), { timeoutMs: findMs });
    } catch (error) {
      log.debug({ event: 'icon.logo-unavailable', err: error }, 'a picture is drawn without a logo for now');
      return undefined;
    }
  };
}

function inlineImage({ type, bytes }: FetchedImage): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** A browser decodes it for each tab. */
const iconBytesMax = 100 * 1024;
/** A longer one would be a line at the size of an icon. */
const iconRatioMax = 1.5;

/** A logo as icon, on white as in the header; null for one that is too long, too large or no PNG, as drawn SVGs are. */
export function logoIconSvg(logo: FetchedImage): string | null {
  const { type, bytes } = logo;
  const sides = type === 'image/png' ? pngSides(bytes) : null;
  if (sides === null || bytes.length > iconBytesMax) return null;
  const [short = 0, long = 0] = sides.toSorted((a, b) => a - b);
  if (short === 0 || long / short > iconRatioMax) return null;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#fff"/><image x="2" y="2" width="28" height="28" href="${inlineImage(logo)}"/></svg>`;
}

/** What the thread decodes in a tenth of a second. */
const shareBytesMax = 512 * 1024;
const sharePixelsMax = 4_000_000;

/** A logo for a shared link's image; null for one that is too large, or of a type that the thread doesn't read. */
export function shareImageLogo(logo: FetchedImage): string | null {
  const { type, bytes } = logo;
  if (!['image/png', 'image/jpeg'].includes(type) || bytes.length > shareBytesMax) return null;
  const pixels = imagePixels(bytes)?.picture ?? Infinity;
  return pixels > sharePixelsMax ? null : inlineImage(logo);
}
