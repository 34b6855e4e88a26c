import type { Boot } from '#shared/pages/boot.ts';
import { brand } from '#shared/brand/brand.ts';
import { chrome, policyLabels } from '#shared/brand/chrome.ts';
import { messages } from '#shared/brand/messages.ts';
import { dashboardTitle } from '#shared/admin/dashboardTitle.ts';
import { pageTexts } from '#shared/brand/pages.ts';

/** The window's title; under a clinic's own host it begins or ends with the clinic. A clinic's strings are printed as they are (shared/providers/tenant.ts). */
export function pageTitle({ page, tenant }: Boot): string {
  const suffix = ` | ${tenant === null ? brand.name : tenant.label}`;
  switch (page.kind) {
    case 'landing':
    case 'variant':
    case 'quiz':
    case 'find':
    case 'recruitment':
    case 'map':
      return tenant === null ? pageTexts[page.kind].title : providerTitle(tenant.label);
    case 'microsite':
      return providerTitle(page.provider.label);
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

function providerTitle(label: string): string {
  return `${label} | ${chrome.certifiedProviderOf} ${brand.name}`;
}
