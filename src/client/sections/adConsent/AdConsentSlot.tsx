import { type ComponentType, useEffect, useState } from 'react';
import { useMeasuresAds } from '#client/api/tenant.tsx';

/** Where the consent bar is drawn. Its code, and all that knows of ads, comes after the page and only on a site that has ad accounts. */
export function AdConsentSlot() {
  const measuresAds = useMeasuresAds();
  const [AdConsent, setAdConsent] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!measuresAds) return;
    // Without the code nobody is asked, and nothing is reported.
    import('./AdConsent.tsx').then(
      (loaded) => setAdConsent(() => loaded.AdConsent),
      () => undefined,
    );
  }, [measuresAds]);
  return AdConsent === null ? null : <AdConsent />;
}
