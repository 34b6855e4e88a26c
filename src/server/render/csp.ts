import { createHash } from 'node:crypto';
import type { Boot, PageData } from '#shared/boot.ts';

/** sha256 of the empty string: styled-components makes an empty style element and fills it through the CSSOM. */
const emptyStyleHash = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Source expression for an inline element with exactly this text. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

interface PolicyInput {
  css: string;
  secure: boolean;
  /** Where the map tiles of a screen with a map come from; null for none. */
  tilesOrigin?: string | null;
}

/**
 * The policy of one page. No nonce, so that the same bytes serve everyone: scripts come from our files alone, the page's one style tag
 * is allowed by its hash. Style attributes are allowed, since framer-motion and the theme hue write them into the server's HTML.
 * `secure`: the page itself came by https (upgrading would break plain http in development).
 */
export function pagePolicy({ css, secure, tilesOrigin = null }: PolicyInput): string {
  const tiles = tilesOrigin === null ? '' : ` ${tilesOrigin}`;
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${hashSource(css)} ${emptyStyleHash}`,
    "style-src-attr 'unsafe-inline'",
    // A clinic's logo and picture come through our own origin (http/media.ts), or are written into its record.
    `img-src 'self' data:${tiles}`,
    "font-src 'self'",
    `connect-src 'self'${tiles}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "object-src 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** In development Vite injects inline scripts and styles and talks over a web socket. */
export function developmentPolicy(tilesOrigin: string | null): string {
  const tiles = tilesOrigin === null ? '' : ` ${tilesOrigin}`;
  return `default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:${tiles}; connect-src 'self' ws: wss:${tiles}; base-uri 'none'; object-src 'none'; frame-ancestors 'self'`;
}

const pagesWithMap = new Set<PageData['kind']>(['map', 'recruitment']);

/** The origin that a page's map loads its tiles from; null for a page without a map, and where no tiles are configured. */
export function tilesOriginOf({ site: { mapTilesUrl }, page }: Pick<Boot, 'site' | 'page'>): string | null {
  return mapTilesUrl === null || !pagesWithMap.has(page.kind) ? null : new URL(mapTilesUrl).origin;
}
