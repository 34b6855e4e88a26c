import { useEffect, useState } from 'react';
import { css, styled } from 'styled-components';
import { media, needsScripts, notPrinted, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { microsite } from '#shared/brand/microsite.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import type { ProviderView } from '#shared/providers/tenant.ts';

/** The two ways to a provider, at the bottom of a phone's screen until its form is in view. The end of its page. */
export function CallBar({ provider: { phone, phoneHref } }: { provider: ProviderView }) {
  const isFormSeen = useFormSeen();
  return (
    <Bar $isHidden={isFormSeen} data-call-bar="">
      {phone === null || phoneHref === null ? null : (
        <ButtonLink href={phoneHref} variant="secondary" aria-label={`${microsite.call} ${phone}`}>
          {microsite.call}
        </ButtonLink>
      )}
      <ButtonLink href={`#${providerFormAnchor}`}>{microsite.request}</ButtonLink>
    </Bar>
  );
}

function useFormSeen(): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const form = document.getElementById(providerFormAnchor);
    if (form === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setIsSeen(entries.at(-1)?.isIntersecting === true),
      // Of a form that only begins above the window's end, no field can be seen.
      { rootMargin: '0px 0px -128px' },
    );
    observer.observe(form);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}

/** Sticky, not fixed: below the page's last section it covers nothing of the footer. */
const Bar = styled.div<{ $isHidden: boolean }>`
  position: sticky;
  inset-block-end: 0;
  z-index: 10;
  display: flex;
  gap: 0.75rem;
  min-block-size: 3.5rem;
  padding: 0.375rem 1.25rem calc(0.375rem + env(safe-area-inset-bottom));
  border-block-start: 1px solid ${token.line};
  background: ${token.background};

  & > a {
    flex: 1 0 auto;
    padding-inline: 1rem;
  }

  & > a:last-child {
    flex-grow: 2;
  }

  ${({ $isHidden }) =>
    $isHidden
      ? css`
          /* A link in it that has the focus keeps it. */
          &:not(:focus-within) {
            visibility: hidden;
          }
        `
      : null}

  ${media.desktop} {
    display: none;
  }

  /* A window this low has no room for it. */
  ${media.low} {
    position: static;
  }
  /* The header's action is always shown then. */
  ${needsScripts}
  ${notPrinted}
`;
