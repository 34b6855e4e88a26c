import { brandColors } from '#shared/brand/colors.ts';
import { escapeHtml } from '#shared/formats/text.ts';

/** HTML that is inserted as it is. */
export interface Markup {
  readonly html: string;
}

type Value = string | number | Markup | readonly Markup[];

function toText(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map((part) => part.html).join('');
}

/** A template of HTML. Its values are escaped unless they are markup. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { html: String.raw({ raw: parts }, ...values.map(toText)) };
}

const style = `
  body { margin: 0 auto; max-inline-size: 60rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1f1a26; }
  nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; border-block-end: 1px solid ${brandColors.line}; }
  nav a { padding-block: 0.625rem; }
  a { color: ${brandColors.primary}; }
  h1 { font-size: 1.5rem; }
  p { overflow-wrap: anywhere; }
  ul { list-style: none; padding: 0; }
  li { padding-block: 0.75rem; border-block-end: 1px solid ${brandColors.line}; overflow-wrap: anywhere; }
  li > a { display: inline-block; padding-block: 0.375rem; }
  form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin-block: 1rem; }
  label { display: grid; gap: 0.25rem; flex: 1 1 16rem; }
  label.check { display: flex; align-items: center; flex-basis: 100%; min-block-size: 2.75rem; }
  input { font: inherit; padding: 0.5rem; border: 1px solid ${brandColors.inputLine}; border-radius: 0.375rem; }
  button { font: inherit; min-block-size: 2.75rem; padding-inline: 1rem; border: 0; border-radius: 0.375rem; background: ${brandColors.primary}; color: #fff; cursor: pointer; }
  iframe { inline-size: 100%; block-size: 40rem; border: 1px solid ${brandColors.line}; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; background: ${brandColors.tint}; padding: 0.75rem; }
  .muted { color: ${brandColors.muted}; }
`;

/** The demo's tools, by their paths. */
const tools = [
  ['/', 'Demo'],
  ['/mail', 'Mail'],
  ['/crm', 'CRM'],
  ['/webhooks', 'Webhooks'],
  ['/wordpress', 'WordPress'],
] as const;

/** A whole page of the demo's tools. */
export function page(title: string, body: Markup): string {
  const links = tools.map(([path, name]) => html`<a href="${path}">${name}</a>`);
  const document = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} · Demo</title>
      <style>
        ${{ html: style }}
      </style>
    </head>
    <body>
      <nav aria-label="Demo tools">${links}</nav>
      <main>
        <h1>${title}</h1>
        ${body}
      </main>
    </body>
  </html>`;
  return `<!doctype html>${document.html}`;
}

/** A time of day, as the demo's lists show it. */
export function timeShown(at: Date): string {
  return at.toLocaleTimeString('en-US');
}
