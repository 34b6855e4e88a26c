import { createRoot } from 'react-dom/client';
import { BootProvider } from '#client/api/tenant.tsx';
import { PartnerLogos } from '#client/sections/paymentPlans/PaymentPlans.tsx';
import { PressStrip } from '#client/sections/variant/PressStrip.tsx';

/** The logos of a fictional brand: some load, others fail. test/browser/brandLogos.test.ts builds and opens it. */
const logo = (id: string) => ({ id, name: id, logoUrl: `/${id}.svg` });
const site = {
  ...{ mainOrigin: '', providerSignupUrl: '', starterKitUrl: '', mapTilesUrl: null, measuresAds: false },
  contacts: { email: '', phone: '', phoneHref: '', postalAddress: '', arbitrationPlace: '' },
  offerEndsAt: null,
};
const page = { kind: 'notFound' } as const;
const boot = { site, page, hiddenClaims: [], tenant: null, formToken: '', today: '2026-06-01' };
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <BootProvider value={boot}>
      <div id="some">
        <PressStrip
          logos={[logo('good-press'), logo('broken-press'), { id: 'unset', name: null, logoUrl: null }]}
        />
        <PartnerLogos partners={[logo('good-partner'), logo('broken-partner')]} label="Partners" />
      </div>
      <div id="none">
        <PressStrip logos={[logo('broken-single')]} />
        <PartnerLogos partners={[logo('broken-lender')]} label="Partners" />
      </div>
    </BootProvider>,
  );
