import { useCallback, useEffect, useState } from 'react';
import { useBoot } from '#client/api/tenant.tsx';
import { onLead } from '#client/forms/lead/leadEvents.ts';
import { isOptedOut } from '#client/browser/optOut.ts';
import { adFramePath } from '#shared/pages/paths.ts';
import { type AdChoice, keepAdChoice, readAdChoice } from './adChoice.ts';
import { ConsentBar } from './ConsentBar.tsx';

/** Links with this attribute (the footer's) bring the bar back; without scripts they lead to the policy. */
const choicesLink = 'a[data-privacy-choices]';

interface ConsentPrompt {
  /** The link that brought the bar back; null when it came by itself. */
  opener: HTMLElement | null;
}

/**
 * Asks once whether leads may be reported to ad networks, stores the answer, and reports each lead if the visitor
 * agreed. With Global Privacy Control it neither asks nor reports.
 */
export function AdConsent() {
  const [asked, setAsked] = useState<ConsentPrompt | null>(() =>
    readAdChoice() === null && !isOptedOut() ? { opener: null } : null,
  );
  useReports();
  useChoicesLink(useCallback((opener: HTMLElement) => setAsked({ opener }), []));
  if (asked === null) return null;
  const { opener } = asked;

  function choose(choice: AdChoice): void {
    keepAdChoice(choice);
    setAsked(null);
    // The focused button is about to go: back to the link that opened the bar, or into the page.
    (opener ?? document.querySelector('main'))?.focus({ preventScroll: true });
  }

  return <ConsentBar onChoice={choose} takesFocus={opener !== null} />;
}

/** The provider of a microsite on the main site, whose ad accounts apply there, as of the page load. */
function useAdvertisedProvider(): number | null {
  const { tenant, page } = useBoot();
  const [providerId] = useState(tenant === null && page.kind === 'microsite' ? page.provider.id : null);
  return providerId;
}

function useReports(): void {
  const providerId = useAdvertisedProvider();
  useEffect(
    () =>
      onLead(() => {
        if (readAdChoice() === 'accepted' && !isOptedOut()) reportLead(providerId);
      }),
    [providerId],
  );
}

/**
 * Reports a lead to the site's ad networks, once, in a hidden, sandboxed frame with a document of its own
 * (server/render/adFrame.ts), so that their scripts never run in the page with the form. Nothing waits for it, and
 * failures are ignored.
 */
function reportLead(providerId: number | null): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = '';
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.referrerPolicy = 'no-referrer';
  frame.src = adFramePath(providerId);
  document.body.append(frame);
}

function useChoicesLink(onOpen: (link: HTMLElement) => void): void {
  useEffect(() => {
    const listen = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest(choicesLink) : null;
      if (!(link instanceof HTMLElement) || isOptedOut()) return;
      event.preventDefault();
      onOpen(link);
    };
    document.addEventListener('click', listen);
    return () => document.removeEventListener('click', listen);
  }, [onOpen]);
}
