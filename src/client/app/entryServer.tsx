import { Router } from 'wouter';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import { ProviderLeadForm } from '../pages/MicrositePage.tsx';
import { renderStyled } from '../serverPages/renderScreen.tsx';
import type { PageKind } from '#shared/pages/pages.ts';
import type { FormKey, PageFormKey } from '#shared/leads/leadForms.ts';
import { App } from './App.tsx';
import { LeadForm } from '../forms/lead/LeadForm.tsx';
import { LeadSteps } from '../forms/lead/LeadSteps.tsx';
import { pageCode } from './pageCode.ts';
import { BootProvider } from '../api/tenant.tsx';
import { fontPreloadUrls } from '../theme/fonts.ts';

export { renderMail } from '../mail/renderMail.tsx';
export { pageMeta } from './pageMeta.ts';
export { renderScreen } from '../serverPages/renderScreen.tsx';

/** Files that the document preloads before any style is read. */
export const preloads: string[] = fontPreloadUrls;

// A render on the server cannot wait for code. One page after the other, so that styles keep their order.
for (const { load } of Object.values(pageCode)) await load();

/** Whether a page is rendered without its code at first. */
export function isDeferred(kind: PageKind): boolean {
  return pageCode[kind].isDeferred;
}

/** The inside of `#root`, and the text of the page's one style tag. */
export function renderBody(boot: Boot): { html: string; css: string } {
  return renderStyled(
    // The boot data says which page is rendered. The path only has to stay the same.
    <Router ssrPath="/">
      <App boot={boot} />
    </Router>,
  );
}

/** Only the lead form, as the page in the boot data shows it. Empty for forms that no page has. */
export function renderLeadForm(form: FormKey, boot: Boot): string {
  const { page } = boot;
  if (form === 'api') return '';
  return renderStyled(
    <Router ssrPath="/">
      <BootProvider value={boot}>
        <FormAlone form={form} page={page} />
      </BootProvider>
    </Router>,
  ).html;
}

/** The form as its page renders it. */
function FormAlone({ form, page }: { form: PageFormKey; page: PageData }) {
  if (form === 'quiz' || form === 'find') return <LeadSteps form={form} />;
  return page.kind === 'microsite' ? <ProviderLeadForm provider={page.provider} /> : <LeadForm form={form} />;
}
