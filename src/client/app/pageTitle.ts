import type { Boot } from '#shared/pages/boot.ts';
import { brand } from '#shared/brand/brand.ts';
import { chrome, policyLabels } from '#shared/brand/chrome.ts';
import { directory } from '#shared/brand/directory.ts';
import { location } from '#shared/brand/map.ts';
import { messages } from '#shared/brand/messages.ts';
import { dashboardTitle } from '#shared/pages/paths.ts';
import { studyNote } from '#shared/brand/calls.ts';
import { pageTitles } from '#shared/brand/pageTexts.ts';

/** The window's title. Prints a provider's strings unchanged (shared/providers/tenant.ts). */
export function pageTitle({ page, tenant }: Boot): string {
  const suffix = ` | ${tenant === null ? brand.name : tenant.label}`;
  if (page.kind === 'microsite') return providerTitle(page.provider.label);
  if (page.kind === 'location') return `${location.title} | ${page.provider.label}`;
  if (page.kind === 'directory') return `${directory.title(page.listing)}${suffix}`;
  if (page.kind === 'success') return `${messages.thankYou}${suffix}`;
  if (page.kind === 'study') return `${studyNote.more}${suffix}`;
  if (page.kind === 'policy') return `${policyLabels[page.policy]}${suffix}`;
  if (page.kind === 'admin') return `${dashboardTitle}${suffix}`;
  if (page.kind === 'providerNotFound') return `${messages.providerNotFound.windowTitle}${suffix}`;
  if (page.kind === 'notFound') return `${messages.notFound.windowTitle}${suffix}`;
  return tenant === null ? pageTitles[page.kind] : providerTitle(tenant.label);
}

function providerTitle(label: string): string {
  return `${label} | ${chrome.certifiedProviderOf} ${brand.name}`;
}
