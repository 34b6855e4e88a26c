import { brand } from '#shared/brand/brand.ts';
import { brandColors } from '#shared/brand/colors.ts';
import { messages } from '#shared/brand/messages.ts';
import { paths } from '#shared/pages/paths.ts';
import type { AppError } from '../errors.ts';
import type { AppContext } from '../tenant/tenant.ts';
import { escapeHtml } from '../../shared/formats/text.ts';
import { plainScreenPolicies } from './plainScreen.ts';

const css = [
  `body{margin:15vh auto;max-width:34rem;padding:0 1.25rem;font:1.125rem/1.5 system-ui,sans-serif;color:#333}`,
  `h1{font-size:1.75rem;line-height:1.2;color:${brandColors.primary}}a{color:${brandColors.secondary}}`,
].join('');

/** Created once and the same for everyone: a network that sends many invalid forms causes no rendering. */
function smallPage({ title, text }: { title: string; text: string }): Buffer {
  return Buffer.from(
    [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${escapeHtml(`${title} | ${brand.plainName}`)}</title><meta name="robots" content="noindex">`,
      `<style>${css}</style></head><body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
      `<p><a href="${paths.home}">${escapeHtml(messages.home)}</a></p></main></body></html>`,
    ].join(''),
  );
}

const pages = {
  tooManyFailures: smallPage(messages.tooManyFailures),
  formNotTaken: smallPage(messages.formNotTaken),
};
const policies = plainScreenPolicies(css);

function send(
  ctx: AppContext,
  html: Buffer,
  { status, waitSeconds }: { status: number; waitSeconds: number },
) {
  ctx.status = status;
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': String(waitSeconds),
    'Content-Security-Policy': policies[ctx.state.client.protocol],
  });
  ctx.body = html;
}

/** Responds to a plain form after too many failures of its network: 429 with a small page. */
export function sendTooManyFailures(ctx: AppContext, waitSeconds: number): void {
  send(ctx, pages.tooManyFailures, { status: 429, waitSeconds });
}

/**
 * Responds to a plain form that was not accepted because of a server failure or a limit: the error's status with a
 * small page.
 */
export function sendFormNotTaken(ctx: AppContext, { status, retryAfterSeconds = 5 }: AppError): void {
  send(ctx, pages.formNotTaken, { status, waitSeconds: Math.ceil(retryAfterSeconds) });
}
