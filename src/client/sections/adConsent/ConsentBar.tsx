import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Container } from '#client/ui/Section.tsx';
import { adConsent, advertisingId } from '#shared/brand/consent.ts';
import { paths } from '#shared/pages/paths.ts';
import type { AdChoice } from './adChoice.ts';

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
  box-shadow: ${token.shadow};

  &:focus {
    outline: none;
  }

  @media print {
    display: none;
  }
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
