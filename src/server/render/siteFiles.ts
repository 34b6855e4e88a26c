import { pages as pageEntries } from '#shared/pages/pages.ts';
import { paths } from '#shared/pages/paths.ts';
import { providerHome, providerOrigin } from '#shared/pages/site.ts';
import { type Config, publicConfig } from '../config/config.ts';
import type { Services } from '../services.ts';
import type { Site } from '../tenant/site.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import { escapeHtml } from '../../shared/formats/text.ts';

/** The day on which the site began to treat Global Privacy Control as an opt-out. */
const gpcSince = '2026-11-21';

interface SiteFile {
  type: string;
  body: string;
}

/** The paths of the main site that search engines should list, its home page first. */
export const sitemapPaths: readonly string[] = Object.values(pageEntries).flatMap((page) =>
  page.inSitemap === true ? page.paths : [],
);

/** A site's pages for search engines, its home page first. An unknown host has none. */
function listPages(site: Site, mainOrigin: string): string[] {
  if (site.kind === 'unknown') return [];
  if (site.kind === 'tenant')
    return [providerHome(site.tenant, mainOrigin), `${providerOrigin(site.tenant, mainOrigin)}${paths.map}`];
  return sitemapPaths.map((path) => `${mainOrigin}${path}`);
}

/**
 * Pages that must not be indexed say so themselves. If they were disallowed here, no crawler would read that (RFC 9309
 * section 2.2). A crawler that runs scripts needs the list of providers for the map page.
 */
function robots(pages: string[]): SiteFile {
  const [home] = pages;
  const siteMapLines = home === undefined ? [] : ['', `Sitemap: ${new URL('/sitemap.xml', home).href}`];
  const lines = [
    'User-agent: *',
    'Allow: /api/providers',
    'Disallow: /api/',
    'Disallow: /trpc/',
    ...siteMapLines,
    '',
  ];
  return { type: 'text/plain; charset=utf-8', body: lines.join('\n') };
}

/** A document of the sitemap protocol: a list of URLs, each in an element of its own. */
function sitemapFile(root: 'urlset' | 'sitemapindex', element: string, urls: readonly string[]): SiteFile {
  const entries = urls.map((url) => `<${element}><loc>${escapeHtml(url)}</loc></${element}>`).join('');
  const xmlns = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  return {
    type: 'application/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="${xmlns}">${entries}</${root}>`,
  };
}

function sitemap(pages: string[]): SiteFile | null {
  return pages.length === 0 ? null : sitemapFile('urlset', 'url', pages);
}

/** The part with the site's own pages. The directory's are `directory-0` and so on, the providers' are numbers. */
const ownPart = 'pages';
const directoryPart = /^directory-(\d{1,3})$/;
/** Less than the maximum of one sitemap (sitemaps.org). */
const urlsPerPart = 45_000;

interface Options {
  config: Config;
  services: {
    providers: Pick<Services['providers'], 'sitemapParts' | 'directory' | 'listSitemapPart' | 'pageLimits'>;
  };
}

/**
 * `/robots.txt`, `/sitemap.xml` and `/.well-known/gpc.json` (Global Privacy Control, W3C) of the requested host. The
 * main sitemap is an index of parts (`?part=`). Throws SERVICE_UNAVAILABLE without providers.
 */
export function siteFiles({ config, services: { providers } }: Options): AppMiddleware {
  const { mainOrigin } = publicConfig(config);
  const buildPage = (id: number): string => providerHome({ id, domain: null }, mainOrigin);

  async function sitemapIndex(): Promise<SiteFile> {
    const [ids, { length }] = await Promise.all([
      providers.sitemapParts.get(),
      providers.directory.listIndexedPaths(),
    ]);
    const places = Array.from({ length: Math.ceil(length / urlsPerPart) }, (_, at) => `directory-${at}`);
    const urls = [ownPart, ...places, ...ids].map((part) => `${mainOrigin}/sitemap.xml?part=${part}`);
    return sitemapFile('sitemapindex', 'sitemap', urls);
  }

  async function mainSitemap(site: Site, part: string | null, ip: string): Promise<SiteFile | null> {
    if (part === null) return sitemapIndex();
    if (part === ownPart) return sitemap(listPages(site, mainOrigin));
    const [, place] = directoryPart.exec(part) ?? [];
    if (place !== undefined) {
      const first = Number(place) * urlsPerPart;
      const listed = (await providers.directory.listIndexedPaths()).slice(first, first + urlsPerPart);
      return sitemap(listed.map((path) => `${mainOrigin}${path}`));
    }
    if (!/^\d{1,9}$/.test(part)) return null;
    await providers.pageLimits.take(ip);
    return sitemap((await providers.listSitemapPart(Number(part))).map(buildPage));
  }

  const makers = new Map<string, (ctx: AppContext) => SiteFile | null | Promise<SiteFile | null>>([
    ['/robots.txt', ({ state }) => robots(listPages(state.site, mainOrigin))],
    [
      '/sitemap.xml',
      ({ state: { site, client }, querystring }) =>
        site.kind === 'main'
          ? mainSitemap(site, new URLSearchParams(querystring).get('part'), client.ip)
          : sitemap(listPages(site, mainOrigin)),
    ],
    [
      '/.well-known/gpc.json',
      () => ({ type: 'application/json', body: JSON.stringify({ gpc: true, lastUpdate: gpcSince }) }),
    ],
  ]);
  return async (ctx, next) => {
    const make = makers.get(ctx.path);
    if (make === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const file = await make(ctx);
    if (file === null) return next();
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.set('Content-Type', file.type);
    ctx.body = file.body;
    return undefined;
  };
}
