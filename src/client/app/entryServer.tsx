import { renderToString } from 'react-dom/server';
import { ServerStyleSheet } from 'styled-components';
import { Router } from 'wouter';
import type { Boot, PageData } from '#shared/pages/boot.ts';
import { microsite } from '#shared/brand/microsite.ts';
import type { FormKey, PageFormKey } from '#shared/leads/leads.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { App } from './App.tsx';
import { LeadForm } from '../forms/lead/LeadForm.tsx';
import { LeadSteps } from '../forms/lead/LeadSteps.tsx';
import { AdminPage } from '../pages/AdminPage.tsx';
import { FindPage } from '../pages/FindPage.tsx';
import { LandingPage } from '../pages/LandingPage.tsx';
import { MapPage } from '../pages/MapPage.tsx';
import { MicrositePage } from '../pages/MicrositePage.tsx';
import { NotFoundPage } from '../pages/NotFoundPage.tsx';
import { PolicyPage } from '../pages/PolicyPage.tsx';
import { ProviderNotFoundPage } from '../pages/ProviderNotFoundPage.tsx';
import { QuizPage } from '../pages/QuizPage.tsx';
import { RecruitmentPage } from '../pages/RecruitmentPage.tsx';
import { SuccessPage } from '../pages/SuccessPage.tsx';
import { VariantPage } from '../pages/VariantPage.tsx';
import type { PageComponents } from './routes.tsx';
import { BootProvider } from '../api/tenant.tsx';
import { fontPreloadUrl } from '../theme/fonts.ts';

export { drawMail } from '../mail/drawMail.tsx';
export { pageMeta } from './pageMeta.ts';
export { drawScreen } from '../serverPages/drawScreen.tsx';
export { pageModules } from './routes.tsx';

/** Addresses the document asks for before any style is read. */
export const preloads: string[] = [fontPreloadUrl];

/** All at hand: nothing drawn on the server can wait for code. */
const pages: Required<PageComponents> = {
  landing: LandingPage,
  variant: VariantPage,
  quiz: QuizPage,
  find: FindPage,
  recruitment: RecruitmentPage,
  map: MapPage,
  microsite: MicrositePage,
  success: SuccessPage,
  policy: PolicyPage,
  admin: AdminPage,
  providerNotFound: ProviderNotFoundPage,
  notFound: NotFoundPage,
};

/** The inside of `#root`, and the text of the page's one style tag. */
export function renderBody(boot: Boot): { html: string; css: string } {
  const sheet = new ServerStyleSheet();
  try {
    const html = renderToString(
      sheet.collectStyles(
        // Which page is drawn is in the boot data; the path only has to stay the same while drawing.
        <Router ssrPath="/">
          <App boot={boot} pages={pages} />
        </Router>,
      ),
    );
    const css = sheet.getStyleTags().replaceAll(/<\/?style[^>]*>/g, '');
    return { html, css };
  } finally {
    sheet.seal();
  }
}

/** The lead form alone, as a visitor of the page in the boot data was shown it. Empty for forms that no page has. */
export function renderLeadForm(form: FormKey, boot: Boot): string {
  const { page } = boot;
  if (form === 'api') return '';
  const sheet = new ServerStyleSheet();
  try {
    return renderToString(
      sheet.collectStyles(
        <Router ssrPath="/">
          <BootProvider value={boot}>
            <FormAlone form={form} page={page} />
          </BootProvider>
        </Router>,
      ),
    );
  } finally {
    sheet.seal();
  }
}

/** As its page has it. */
function FormAlone({ form, page }: { form: PageFormKey; page: PageData }) {
  if (form === 'quiz' || form === 'find') return <LeadSteps form={form} />;
  return page.kind === 'microsite' ? <ProviderLeadForm provider={page.provider} /> : <LeadForm form={form} />;
}

function ProviderLeadForm({ provider }: { provider: TenantView }) {
  const submitLabel = microsite.submit[provider.acceptsFreeConsultation ? 'freeConsultation' : 'qualify'];
  return <LeadForm form="microsite" providerId={provider.id} submitLabel={submitLabel} />;
}
