import type { Boot } from '#shared/pages/boot.ts';
import type { FormKey } from '#shared/leads/leadForms.ts';
import type { RenderedMail, MailName, MailProps } from '#shared/mail/mail.ts';
import type { PageMeta } from '#shared/pages/pageMeta.ts';
import type { RenderScreen } from '#shared/pages/plainScreen.ts';

/** The exports of `src/client/app/entryServer.tsx` after bundling. */
export interface Renderer {
  /** The content of `#root`, and the text of the page's one style tag. */
  renderBody: (boot: Boot) => { html: string; css: string };
  pageMeta: (boot: Boot) => PageMeta;
  /** The lead form only, as evidence of what a visitor saw. */
  renderLeadForm: (form: FormKey, boot: Boot) => string;
  /** A message: subject, HTML and text. */
  renderMail: <Name extends MailName>(name: Name, props: MailProps[Name]) => RenderedMail;
  /** A screen without scripts. */
  renderScreen: RenderScreen;
  /** URLs of the fonts that every page preloads. */
  preloads: string[];
}

/** Whether a loaded module is the renderer. A wrong entry fails here and not at the first request. */
export function isRenderer(module: object): module is Renderer {
  return (
    'renderBody' in module &&
    typeof module.renderBody === 'function' &&
    'pageMeta' in module &&
    typeof module.pageMeta === 'function' &&
    'renderLeadForm' in module &&
    typeof module.renderLeadForm === 'function' &&
    'renderMail' in module &&
    typeof module.renderMail === 'function' &&
    'renderScreen' in module &&
    typeof module.renderScreen === 'function' &&
    'preloads' in module &&
    Array.isArray(module.preloads)
  );
}
