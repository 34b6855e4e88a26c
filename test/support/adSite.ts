import type { Locator, Page } from 'playwright';
import { adConsent } from '#shared/brand/consent.ts';

/** The environment of a site whose brand has ad ids. */
export const adEnv = { GOOGLE_ADS_ID: 'AW-111111/BrAnD', BING_ADS_ID: '222222', MAP_TILES_URL: 'off' };

/** Under localhost, because browsers send Sec-Fetch-Site only to hosts that they trust. */
export const adHost = 'ad-clinic.localhost';

/** A provider with ad ids of its own, at `adHost`. */
export const adProvider = {
  id: 1,
  practiceName: 'Ad Practice',
  domain: adHost,
  googleAdsId: 'AW-333333',
  bingAdsId: '444444',
  logoUrl: 'https://logos.example.org/logo.png',
  imageUrl: 'https://logos.example.org/picture.png',
  acceptsFinancing: true,
};

/** Console messages of that provider's missing logo, and of pages that respond 404 on purpose. */
export const missingLogo = /status of 404/;

/** The bar that asks for the consent to ads. */
export function consentBar(page: Page): Locator {
  return page.getByRole('region', { name: adConsent.label });
}
