import type Koa from 'koa';
import { brand } from '#shared/brand/brand.ts';
import { brandColors } from '#shared/brand/colors.ts';
import { messages } from '#shared/brand/messages.ts';
import { paths } from '#shared/paths.ts';
import type { AppState } from '../tenant/tenant.ts';
import { escapeHtml } from './escape.ts';
import { plainScreenPolicy } from './plainScreen.ts';

const css = [
  `body{margin:15vh auto;max-width:34rem;padding:0 1.25rem;font:1.125rem/1.5 system-ui,sans-serif;color:#333}`,
  `h1{font-size:1.75rem;line-height:1.2;color:${brandColors.primary}}a{color:${brandColors.secondary}}`,
].join('');
const { title, text } = messages.tooManyFailures;

/** The same for everyone, so it is made once: a network that sends many bad forms costs no rendering. */
const html = Buffer.from(
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(`${title} | ${brand.plainName}`)}</title><meta name="robots" content="noindex">`,
    `<style>${css}</style></head><body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
    `<p><a href="${paths.home}">${escapeHtml(messages.home)}</a></p></main></body></html>`,
  ].join(''),
);
const policies = {
  http: plainScreenPolicy(css, false),
  https: plainScreenPolicy(css, true),
};

/** Answers a plain form that failed too often in its network: 429 with a small page that costs nothing to make. */
export function sendTooManyFailures(ctx: Koa.ParameterizedContext<AppState>, waitSeconds: number): void {
  ctx.status = 429;
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': String(waitSeconds),
    'Content-Security-Policy': policies[ctx.state.client.protocol],
  });
  ctx.body = html;
}
