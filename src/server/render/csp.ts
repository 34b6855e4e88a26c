import { createHash } from 'node:crypto';
import type { Boot } from '#shared/pages/boot.ts';
import { pages } from '#shared/pages/pages.ts';
import type { AdIds } from '#shared/providers/adIds.ts';
import { startScript } from './document.ts';
import { styleTagEnd } from '#shared/pages/styleTags.ts';
import { explainerVideo } from '#shared/brand/placeholders.ts';
import type { ExplainerVideo } from '#shared/pages/brandContent.ts';

/** sha256 of the empty string: styled-components creates an empty style element and fills it through the CSSOM. */
const emptyStyleHash = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Source expression for an inline element with exactly this text. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

interface PolicyInput {
  css: string;
  secure: boolean;
  /** The origin of the map tiles; null for a page without a map. */
  tilesOrigin?: string | null;
  video?: ExplainerVideo | null;
}

/** What a video on another host needs beyond `default-src`. Nothing for our own host, or for a URL off the web. */
function videoSources(video: ExplainerVideo | null): string[] {
  const url = video === null ? null : URL.parse(video.url);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? [`frame-src 'self' ${url.origin}`] : [];
}

/**
 * The policy of one page. Without a nonce, everyone gets the same bytes. Scripts come from our files only, except the
 * one that starts them (startAfterPaint in document.ts), which is allowed by its hash, like the page's style tags.
 * Style attributes are allowed, since framer-motion and the theme hue write them into the HTML. `secure`: the page was
 * requested by https; an upgrade would break http in development. `video`: the brand's, the only host that may be
 * framed.
 */
export function pagePolicy({ css, secure, tilesOrigin = null, video = explainerVideo }: PolicyInput): string {
  const tiles = tilesOrigin === null ? '' : ` ${tilesOrigin}`;
  return [
    "default-src 'self'",
    `script-src 'self' ${hashSource(startScript)}`,
    `style-src 'self' ${css.split(styleTagEnd).map(hashSource).join(' ')} ${emptyStyleHash}`,
    "style-src-attr 'unsafe-inline'",
    // A provider's logo and image come from our own origin (http/media.ts) or are data URLs in its record.
    `img-src 'self' data:${tiles}`,
    "font-src 'self'",
    `connect-src 'self'${tiles}`,
    "worker-src 'self'",
    ...videoSources(video),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "object-src 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** A page's policies by the scheme of the request. */
export interface Policies {
  http: string;
  https: string;
}

/** Both policies of a page. */
export function buildPolicies(css: string, boot: Boot): Policies {
  const tilesOrigin = getTilesOrigin(boot);
  return {
    http: pagePolicy({ css, secure: false, tilesOrigin }),
    https: pagePolicy({ css, secure: true, tilesOrigin }),
  };
}

/** Hosts that Google documents for Ads conversions under a CSP, without audience frames, and those UET requires. */
const adHosts = {
  google: {
    scripts: [
      'https://www.googletagmanager.com',
      'https://www.googleadservices.com',
      'https://googleads.g.doubleclick.net',
    ],
    reports: [
      'https://www.googletagmanager.com',
      'https://www.googleadservices.com',
      'https://googleads.g.doubleclick.net',
      'https://pagead2.googlesyndication.com',
      'https://www.google.com',
    ],
  },
  microsoft: { scripts: ['https://bat.bing.com'], reports: ['https://bat.bing.com', 'https://bat.bing.net'] },
} as const;

/**
 * The policy of the ad networks' frame (adFrame.ts), the only document that may load from elsewhere: from its networks'
 * hosts only. `sandbox` without `allow-same-origin` keeps it from our origin even when opened directly.
 */
export function framePolicy(ids: AdIds, script: string): string {
  const networks = (['google', 'microsoft'] as const).filter((network) => ids[network] !== null);
  const scripts = networks.flatMap((network) => adHosts[network].scripts).join(' ');
  const reports = networks.flatMap((network) => adHosts[network].reports).join(' ');
  return [
    "default-src 'none'",
    `script-src ${hashSource(script)} ${scripts}`,
    `img-src ${reports}`,
    `connect-src ${reports}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ');
}

/** In development, Vite injects inline scripts and styles and uses a web socket. */
export function developmentPolicy(tilesOrigin: string | null): string {
  const tiles = tilesOrigin === null ? '' : ` ${tilesOrigin}`;
  return `default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:${tiles}; connect-src 'self' ws: wss:${tiles}; base-uri 'none'; object-src 'none'; frame-ancestors 'self'`;
}

/** The origin that a page's map loads its tiles from; null for a page without a map or if no tiles are configured. */
export function getTilesOrigin({ site: { mapTilesUrl }, page }: Pick<Boot, 'site' | 'page'>): string | null {
  return mapTilesUrl === null || pages[page.kind].hasMap !== true ? null : new URL(mapTilesUrl).origin;
}
