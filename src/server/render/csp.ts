import { createHash } from 'node:crypto';
import { type ExplainerVideo, explainerVideo } from '#shared/brand/placeholders.ts';

/** sha256 of the empty string: styled-components makes an empty style element and fills it through the CSSOM. */
const emptyStyleHash = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Source expression for an inline element with exactly this text. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

interface PolicyInput {
  css: string;
  secure: boolean;
  video?: ExplainerVideo | null;
}

/** What a configured video on another host needs beyond `default-src`; nothing for one on our own, and for what is no web address. */
function videoSources(video: ExplainerVideo | null): string[] {
  const url = video === null ? null : URL.parse(video.url);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? [`frame-src 'self' ${url.origin}`] : [];
}

/**
 * The policy of one page. No nonce, so that the same bytes serve everyone: scripts come from our files alone, the page's one style tag
 * is allowed by its hash. Style attributes are allowed, since framer-motion and the theme hue write them into the server's HTML.
 * `secure`: the page itself came by https (upgrading would break plain http in development). `video`: the brand's, whose host alone may be
 * framed.
 */
export function pagePolicy({ css, secure, video = explainerVideo }: PolicyInput): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${hashSource(css)} ${emptyStyleHash}`,
    "style-src-attr 'unsafe-inline'",
    // A clinic's logo and picture come through our own origin (http/media.ts), or are written into its record.
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    ...videoSources(video),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "object-src 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** In development Vite injects inline scripts and styles and talks over a web socket. */
export const developmentPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws: wss:; base-uri 'none'; object-src 'none'; frame-ancestors 'self'";
