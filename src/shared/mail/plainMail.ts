import type { DrawnMail } from './mail.ts';

/** Text as HTML. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A message of a few paragraphs, without pictures or links. */
export function drawPlainMail(subject: string, paragraphs: readonly string[]): DrawnMail {
  const title = escapeText(subject);
  const body = paragraphs.map((paragraph) => `<p>${escapeText(paragraph)}</p>`).join('');
  return {
    subject,
    text: paragraphs.join('\n\n'),
    html: `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`,
  };
}
