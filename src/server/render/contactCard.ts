import { readAllWithTimeout } from '../db/withTimeout.ts';
import { toView } from '../tenant/providerRecord.ts';
import type { TenantDirectory } from '../tenant/site.ts';
import type { AppMiddleware } from '../tenant/tenant.ts';
import type { TenantView } from '#shared/providers/tenant.ts';

const pathPattern = /^\/contacts\/([1-9]\d{0,14})\.vcf$/;

/** A value in a vCard (RFC 6350, 3.4): one line, with its separators escaped. */
function escaped(value: string): string {
  return value.replace(/[\\,;]/g, (mark) => `\\${mark}`).replace(/\s+/g, ' ');
}

/** Names only the practice: nothing on the visitor's phone says why it is there. */
function buildVcard({ label, phone, phoneHref, address, zipCode, websiteHref }: TenantView): string {
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escaped(label)};;;;`,
    `FN:${escaped(label)}`,
    `ORG:${escaped(label)}`,
    phone === null || phoneHref === null ? null : `TEL;TYPE=WORK,VOICE:${phoneHref.slice('tel:'.length)}`,
    `ADR;TYPE=WORK:;;${escaped(address ?? '')};;;${escaped(zipCode)};`,
    websiteHref === null ? null : `URL:${websiteHref}`,
    'END:VCARD',
  ];
  return `${lines.filter((line) => line !== null).join('\r\n')}\r\n`;
}

/**
 * `GET /contacts/{providerId}.vcf`: an active provider's card, to recognize its call. Has nothing about the visitor.
 */
export function contactCard(tenants: Pick<TenantDirectory, 'findById'>): AppMiddleware {
  return async (ctx, next) => {
    const [, id] = pathPattern.exec(ctx.path) ?? [];
    if (id === undefined || ctx.method !== 'GET') return next();
    const provider = await readAllWithTimeout(async () => tenants.findById(Number(id)), ctx.state.waitedMs);
    if (provider === null) return next();
    ctx.type = 'text/vcard; charset=utf-8';
    ctx.set('Content-Disposition', 'attachment; filename="contact.vcf"');
    ctx.set('Cache-Control', 'public, max-age=0, must-revalidate');
    ctx.set('X-Robots-Tag', 'noindex');
    ctx.body = buildVcard(toView(provider));
    return undefined;
  };
}
