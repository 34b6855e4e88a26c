/** The data of the frame's script, embedded beside it as JSON. */
export interface Conversion {
  /** `AW-…`, and the label of the conversion action if there is one. */
  google: { tagId: string; sendTo: string; event: 'conversion' | 'generate_lead' } | null;
  microsoft: string | null;
  /** Random, for this report only: the networks drop a second report with the same id. */
  transactionId: string;
  /** The site's origin: all that the networks learn about the page. */
  origin: string;
}

/** The networks' queues, which their scripts continue when they load. */
interface AdQueues {
  dataLayer?: unknown[];
  uetq?: unknown[];
  UET?: new (settings: object) => unknown[];
}

/**
 * Runs in the browser, in the frame. Its source is put into the page, so it uses nothing from outside itself. Consent
 * Mode comes first: everything is denied except the ad storage that the visitor agreed to, so no audiences and no user
 * data. The page is named by its origin, without title, path, query or referrer.
 */
export function reportConversion(): void {
  const queues: Window & AdQueues = window;
  const conversion = JSON.parse(document.querySelector('#conversion')?.textContent ?? '{}') as Conversion;

  function load(src: string, onLoad?: () => void): void {
    const script = document.createElement('script');
    script.src = src;
    script.async = true;
    if (onLoad !== undefined) script.addEventListener('load', onLoad);
    document.head.append(script);
  }

  function reportToGoogle({ tagId, sendTo, event }: NonNullable<Conversion['google']>): void {
    const layer = (queues.dataLayer = queues.dataLayer ?? []);
    // Google's script reads calls as `arguments` objects and ignores arrays.
    function gtag(..._call: unknown[]): void {
      layer.push(arguments);
    }
    const denied = {
      ad_storage: 'denied',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
      analytics_storage: 'denied',
    };
    gtag('consent', 'default', denied);
    gtag('consent', 'update', { ad_storage: 'granted' });
    gtag('js', new Date());
    gtag('set', {
      page_location: conversion.origin,
      page_referrer: '',
      page_title: '',
      allow_google_signals: false,
      allow_ad_personalization_signals: false,
      allow_enhanced_conversions: false,
    });
    gtag('config', tagId, { send_page_view: false, conversion_linker: false });
    gtag('event', event, { send_to: sendTo, transaction_id: conversion.transactionId });
    load(`https://www.googletagmanager.com/gtag/js?id=${tagId}`);
  }

  function reportToMicrosoft(tagId: string): void {
    const queue = (queues.uetq = queues.uetq ?? []);
    queue.push('consent', 'default', { ad_storage: 'denied' });
    queue.push('consent', 'update', { ad_storage: 'granted' });
    queue.push('event', 'submit_lead_form', { transaction_id: conversion.transactionId });
    load('https://bat.bing.com/bat.js', () => {
      if (queues.UET === undefined) return;
      queues.uetq = new queues.UET({
        ti: tagId,
        q: queue,
        disableAutoPageView: true,
        enableAutoSpaTracking: false,
        storeConvTrackCookies: false,
      });
    });
  }

  if (conversion.google !== null) reportToGoogle(conversion.google);
  if (conversion.microsoft !== null) reportToMicrosoft(conversion.microsoft);
}
