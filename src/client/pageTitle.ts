import type { Boot } from '#shared/boot.ts';
import { brand } from '#shared/brand/brand.ts';
import { chrome, policyLabels } from '#shared/brand/chrome.ts';
import { messages } from '#shared/brand/messages.ts';
import { dashboardTitle } from '#shared/dashboardTitle.ts';
import { pageTexts } from '#shared/brand/pages.ts';

/** The window's title. A clinic's strings are printed as they are (shared/tenant.ts). */
export function pageTitle({ page, tenant }: Boot): string {
  const suffix = ` | ${tenant === null ? brand.name : tenant.label}`;
  switch (page.kind) {
    case 'landing':
    case 'variant':
    case 'quiz':
    case 'find':
    case 'recruitment':
    case 'map':
      return pageTexts[page.kind].title;
    case 'microsite':
      return `${page.clinic.label} | ${chrome.certifiedProviderOf} ${brand.name}`;
    case 'success':
      return `${messages.thankYou}${suffix}`;
    case 'policy':
      return `${policyLabels[page.policy]}${suffix}`;
    case 'providerNotFound':
      return `${messages.providerNotFound.windowTitle}${suffix}`;
    case 'admin':
      return `${dashboardTitle}${suffix}`;
    case 'notFound':
    default:
      return `${messages.notFound.windowTitle}${suffix}`;
  }
}
