import { useCallback, useEffect, useState, useRef } from 'react';
import { useBoot } from '#client/api/tenant.tsx';
import { onLead } from '#client/forms/lead/leadEvents.ts';
import { isOptedOut } from '#client/browser/optOut.ts';
import { adFramePath, paths } from '#shared/pages/paths.ts';
import { styled } from 'styled-components';
import { media, noFocusRing, notPrinted, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Container } from '#client/ui/Section.tsx';
import { adConsent, advertisingId } from '#shared/brand/consent.ts';

/** Links with this attribute (the footer's) bring the bar back; without scripts they lead to the policy. */
const choicesLink = 'a[data-privacy-choices]';

interface ConsentPrompt {
  /** The link that brought the bar back; null when it came by itself. */
  opener: HTMLElement | null;
}

/** Asks once whether leads may be reported to ad networks. With Global Privacy Control, never asks or reports. */
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
 * Reports a lead to the ad networks once, in a hidden, sandboxed frame (server/render/adFrame.ts): their scripts never
 * run in the page with the form. Nothing waits for it, and failures are ignored.
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

interface ConsentBarProps {
  onChoice: (choice: AdChoice) => void;
  /** Set if the visitor opened the bar. A bar that appears by itself leaves the focus where it is. */
  takesFocus: boolean;
}

/** A bar at the window's lower edge. The page gets room of its height at its end, so that no line stays covered. */
export function ConsentBar({ onChoice, takesFocus }: ConsentBarProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) ref.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  useRoomAtPageEnd(ref);
  return (
    <Bar ref={ref} aria-label={adConsent.label} tabIndex={-1}>
      <Row>
        <div>
          <Title>{adConsent.title}</Title>
          <Text>
            {adConsent.text} <a href={`${paths.privacy}#${advertisingId}`}>{adConsent.policyLabel}</a>
          </Text>
        </div>
        <Choices>
          <Button variant="secondary" onClick={() => onChoice('accepted')}>
            {adConsent.accept}
          </Button>
          <Button variant="secondary" onClick={() => onChoice('declined')}>
            {adConsent.decline}
          </Button>
        </Choices>
      </Row>
    </Bar>
  );
}

/** Through the CSSOM, which the content security policy leaves to scripts. */
function useRoomAtPageEnd(ref: { current: HTMLElement | null }): void {
  useEffect(() => {
    const bar = ref.current;
    if (bar === null) return undefined;
    const { body, documentElement: root } = document;
    const observer = new ResizeObserver(() => {
      const height = `${bar.offsetHeight}px`;
      body.style.paddingBlockEnd = height;
      // What is focused below the fold is scrolled to above the bar (WCAG 2.4.11).
      root.style.scrollPaddingBlockEnd = `calc(${height} + 1rem)`;
    });
    observer.observe(bar);
    return () => {
      observer.disconnect();
      body.style.removeProperty('padding-block-end');
      root.style.removeProperty('scroll-padding-block-end');
    };
  }, [ref]);
}

const Bar = styled.section`
  position: fixed;
  inset-block-end: 0;
  inset-inline: 0;
  z-index: 20;
  padding-block: 0.875rem max(0.875rem, env(safe-area-inset-bottom));
  border-block-start: 1px solid ${token.line};
  background: ${token.background};
  ${noFocusRing}
  ${notPrinted}
`;

const Row = styled(Container)`
  display: grid;
  gap: 0.75rem 2rem;
  align-items: center;

  ${media.tablet} {
    grid-template-columns: minmax(0, 1fr) auto;
  }
`;

const Title = styled.p`
  color: var(--surface-heading);
  font-weight: 700;
  line-height: 1.3;
`;

const Text = styled.p`
  max-inline-size: 46em;
  margin-block-start: 0.125rem;
  font-size: 0.875rem;
  line-height: 1.45;
`;

const Choices = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 0.75rem;
`;

export type AdChoice = 'accepted' | 'declined';

const key = 'ads.choice';
/** Used if storage is blocked (private windows). */
let unstored: AdChoice | null = null;

/** What the visitor chose in this browser, on this site; null before that. */
export function readAdChoice(): AdChoice | null {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'accepted' || stored === 'declined' ? stored : unstored;
  } catch {
    return unstored;
  }
}

export function keepAdChoice(choice: AdChoice): void {
  unstored = choice;
  try {
    localStorage.setItem(key, choice);
  } catch {
    // Kept in memory until the page closes.
  }
}
