import { createRoot } from 'react-dom/client';
import { PartnerLogos } from '#client/sections/paymentPlans/PaymentPlans.tsx';
import { PressStrip } from '#client/sections/variant/PressStrip.tsx';

/** The logos of a fictional brand: some load, others fail. test/browser/brandLogos.test.ts builds and opens it. */
const logo = (id: string) => ({ id, name: id, logoUrl: `/${id}.svg` });
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <>
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
    </>,
  );
