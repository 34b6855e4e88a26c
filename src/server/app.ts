import { join } from 'node:path';
import Koa from 'koa';
import type { Services } from './services.ts';
import type { BaseServices } from './createServices.ts';
import { createDatabaseMetrics } from './background/databaseMetrics.ts';
import { readAllWithTimeout } from './db/withTimeout.ts';
import { readMigrations } from './db/applyMigrations.ts';
import { assets } from './http/assets.ts';
import { bySegment, pagesFirst } from './http/dispatch.ts';
import { errorBoundary } from './http/errorBoundary.ts';
import { findAdIds, pictureAddresses } from './features/providers/providersQueries.ts';
import { forwardedWarning, requestLog } from './http/requestLog.ts';
import { createChecks, health } from './http/health.ts';
import { createMedia } from './http/media.ts';
import { plateImages, sharedLinks, shareImages } from './render/shareImages/shareImages.ts';
import { metricsEndpoint } from './http/metrics.ts';
import { requestId, requestTarget } from './http/requestStart.ts';
import { securityHeaders } from './http/securityHeaders.ts';
import { adFrame } from './render/adFrame.ts';
import { referencePage } from './render/apiReference/referencePage.ts';
import type { Bundle } from './render/bundle.ts';
import { createPages } from './render/page.ts';
import { askPages } from './render/askPages.ts';
import { findAddressee, confirmAddress } from './features/providers/confirmAddress.ts';
import { findSubscription, stopByLink } from './features/insights/weeklyEmail.ts';
import { siteFiles } from './render/siteFiles.ts';
import { siteIcons } from './render/siteIcons.ts';
import { outcomePages } from './render/outcomePages.ts';
import { signInPages } from './render/signInPages.ts';
import { singleSignOnPages } from './render/singleSignOnPages.ts';
import { withdrawPages } from './render/withdrawPages.ts';
import { contactCard } from './render/contactCard.ts';
import { createRest } from './rest/endpoint.ts';
import { createDrawnPictures, plateLimits } from './render/shareImages/pictureCache.ts';
import { createPainter } from './render/shareImages/painter.ts';
import { createLogoFinder } from './render/shareImages/providerLogo.ts';
import { createShareImageStore } from './render/shareImages/shareImageStore.ts';
import { type AppMiddleware, type AppState, tenantMiddleware } from './tenant/tenant.ts';
import { createTrpc } from './trpc/mount.ts';

/**
 * First path segments with their own handler. All are public: a test requires each in test/bench/anonymousRoutes.ts.
 */
export const handledSegments = [
  'healthz',
  'readyz',
  'metrics',
  'media',
  'og',
  'trpc',
  'ads',
  'contacts',
  'outcome',
  'sign-in',
  'confirm-address',
  'weekly-email',
  'withdraw',
  'robots.txt',
  'sitemap.xml',
  '.well-known',
  'favicon.svg',
  'apple-touch-icon.png',
  'icon-192.png',
  'icon-512.png',
  'site.webmanifest',
] as const;

/** The Koa application: its middleware in order. Listening, timers and signals belong to serve.ts. */
export function createApp(
  base: BaseServices,
  bundle: Bundle,
  { isStopping = () => false }: { isStopping?: () => boolean } = {},
): Koa<AppState> {
  const { config, log } = base;
  const pages = createPages({ services: base, bundle });
  const submissions = { ...base.submissions, formSnapshots: pages.formSnapshots };
  const services: Services = { ...base, submissions };
  const app = new Koa<AppState>();
  app.silent = true; // the error boundary logs; Koa's own handler would print bodies of failed requests

  app.use(requestId({ config }));
  app.use(requestTarget());
  app.use(requestLog({ log }));
  app.use(forwardedWarning({ config, log }));
  app.use(errorBoundary({ log }));
  const tenant = tenantMiddleware({ config, tenants: services.tenants });
  // Ahead of its place: a page in memory with all its headers in one call takes half the time.
  app.use(pagesFirst({ config, pages, tenant }));
  app.use(securityHeaders({ config }));
  app.use(bySegment(createHandlers({ services, bundle, tenant, isStopping })));
  // Other builds' processes only run beside this one in production.
  app.use(
    assets({ bundle, kept: config.production ? { folder: join(config.dataDir, 'assets'), log } : null }),
  );
  app.use(tenant);
  const { renderForm, renderFormFailure } = pages;
  app.use(createRest({ services, renderForm, renderFormFailure, drawReference: referencePage }));
  app.use(pages.middleware);
  return app;
}

interface HandlerDeps {
  services: Services;
  bundle: Bundle;
  tenant: AppMiddleware;
  isStopping: () => boolean;
}

/** The handlers of the segments. Probes, metrics and images need no site; all others get it from the host first. */
function createHandlers({
  services,
  bundle,
  tenant,
  isStopping,
}: HandlerDeps): Record<(typeof handledSegments)[number], AppMiddleware> {
  const { config, log } = services;
  const onSite =
    (handler: AppMiddleware): AppMiddleware =>
    (ctx, next) =>
      tenant(ctx, async () => {
        await handler(ctx, next);
      });
  const knownMigrations = readMigrations().map(({ name }) => name);
  const checks = createChecks({ services, knownMigrations, isStopping });
  const probes = health({ services, checks });
  const getAddress = pictureAddresses(services);
  const store = createShareImageStore({ folder: join(config.dataDir, 'share-images'), log });
  const paint = createPainter();
  const pictures = createDrawnPictures({ paint, store, log });
  // Drawings of others have a thread of their own: a slow one must not delay ours.
  const renderProviders = createPainter();
  const plate = plateImages({
    tenants: services.tenants,
    pictures: createDrawnPictures({ paint, store: null, log, limits: plateLimits }),
    trustedProxies: config.trustedProxies,
  });
  const files = onSite(siteFiles({ config, services }));
  const media = createMedia({
    findAddress: (id, kind) => readAllWithTimeout(() => getAddress(id, kind)),
    draw: (providerSvg) => renderProviders({ providerSvg }),
    log,
    trustedProxies: config.trustedProxies,
    fetchOptions: { allowLoopback: !config.production },
  });
  const findLogo = createLogoFinder({ media, log });
  const shared = shareImages({
    ...{ getLink: sharedLinks(services.tenants), findLogo, pictures },
    trustedProxies: config.trustedProxies,
  });
  const icons = onSite(siteIcons({ pictures, findLogo }));
  const singleSignOn = singleSignOnPages({ services, bundle });
  const byLink = signInPages({ services, bundle });
  return {
    healthz: probes,
    readyz: probes,
    metrics: metricsEndpoint({ services, checks, readDatabase: createDatabaseMetrics(services) }),
    media: media.serve,
    og: (ctx, next) => plate(ctx, () => shared(ctx, next)),
    trpc: onSite(createTrpc({ services })),
    ads: onSite(
      adFrame({
        config,
        tenants: services.tenants,
        adIdsOf: (id) => services.publicReads.ask(() => findAdIds(services.db, id)),
      }),
    ),
    contacts: onSite(contactCard(services.tenants)),
    outcome: onSite(outcomePages({ services, bundle })),
    'sign-in': onSite((ctx, next) => singleSignOn(ctx, () => byLink(ctx, next))),
    'confirm-address': onSite(
      askPages({
        ...{ services, bundle, name: 'confirmAddress', segment: 'confirm-address' },
        find: (token) => findAddressee(services, token),
        act: (given) => confirmAddress(services, given),
      }),
    ),
    'weekly-email': onSite(
      askPages({
        ...{ services, bundle, name: 'weeklyEmail', segment: 'weekly-email', takesOneClick: true },
        find: (token) => findSubscription(services, token),
        act: (given) => stopByLink(services, given),
      }),
    ),
    withdraw: onSite(withdrawPages({ services, bundle })),
    'robots.txt': files,
    'sitemap.xml': files,
    '.well-known': files,
    'favicon.svg': icons,
    'apple-touch-icon.png': icons,
    'icon-192.png': icons,
    'icon-512.png': icons,
    'site.webmanifest': icons,
  };
}
