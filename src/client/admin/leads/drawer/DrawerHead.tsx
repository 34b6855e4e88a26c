import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { styled } from 'styled-components';
import { Muted, Row } from '#client/admin/kit/layout.tsx';
import { useNow } from '#client/admin/kit/RelativeTime.tsx';
import { isTyping, useShortcutSwitch } from '#client/admin/kit/useShortcuts.ts';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink, IconButton } from '#client/ui/Button.tsx';
import { ArrowLeft, ArrowRight, Phone } from '#client/ui/Icon.tsx';
import { findTopLayer } from '#client/theme/layers.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import { isOutcomeLate, stageText } from '#shared/admin/leadStage.ts';
import { phoneHref } from '#shared/leads/phone.ts';
import { aheadText } from '#client/admin/kit/times.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { workCopy } from './copy.ts';
import { type Neighbors, useNeighbors } from './useNeighbors.ts';

interface DrawerHeadProps {
  id: number;
  /** Undefined while it loads. */
  detail: LeadDetail | undefined;
  /** When it was loaded. */
  loadedAt: number;
  /** The content of the drawer, which has the keys while no dialog is above it. */
  content: RefObject<HTMLElement | null>;
}

/** What comes first: the lead's place in the list, its stage in words, and how to reach the person. */
export function DrawerHead({ id, detail, loadedAt, content }: DrawerHeadProps) {
  const neighbors = useNeighbors(id);
  const [hadNeighbors, setHadNeighbors] = useState(false);
  if (neighbors !== null && !hadNeighbors) setHadNeighbors(true);
  // The clock ticks twice a minute.
  const now = Math.max(useNow(), loadedAt);
  useDrawerKeys(neighbors, content);
  const mayContact = detail !== undefined && detail.erasedAt === null && !detail.isSuppressed;
  return (
    <Head>
      {neighbors !== null ? (
        <NeighborNav {...neighbors} />
      ) : hadNeighbors ? (
        // A change took it out of the list: nothing below moves under the pointer.
        <Nav as="div" />
      ) : null}
      {detail === undefined ? null : (
        <div>
          <strong>{detail.lead.provider?.name ?? leadCopy.badges.unmatched}</strong>
          <Stage $isLate={isOutcomeLate(detail.lead.stage, now)}>{stateText(detail.lead, now)}</Stage>
        </div>
      )}
      {mayContact ? (
        <Row>
          <ButtonLink
            size="small"
            href={phoneHref(detail.lead.phone)}
            aria-label={`${workCopy.call} ${detail.lead.phone}`}
          >
            <Phone />
            {workCopy.call}
          </ButtonLink>
          <ButtonLink
            size="small"
            variant="secondary"
            data-email=""
            href={`mailto:${detail.lead.email}`}
            aria-label={`${workCopy.email} ${detail.lead.email}`}
          >
            {workCopy.email}
          </ButtonLink>
          <Muted>{detail.lead.phone}</Muted>
        </Row>
      ) : null}
    </Head>
  );
}

/** The stage in words, and why the clinic doesn't have the lead, or when it gets it. */
function stateText({ stage, providerDelivery: email, ...lead }: LeadDetail['lead'], now: number): string {
  const isWaiting = lead.provider_id !== null && email !== null && email.state === 'queued';
  const note = isWaiting ? emailNote(email, now) : lead.clinicNotReached ? email?.reason : null;
  return [stageText(stage, now), note].filter((part) => part != null).join('. ');
}

function emailNote(email: ProviderEmail, now: number): string {
  return isLeaving(email, now) || email.nextAttemptAt === null
    ? workCopy.emailLeaves
    : workCopy.emailNext(aheadText(email.nextAttemptAt, now));
}

type ProviderEmail = NonNullable<LeadDetail['lead']['providerDelivery']>;

/** An assignment's email waits ten seconds, and its attempt may take as long. */
const leavingMs = 20_000;

/** Whether the email to the clinic leaves in a few seconds: until then the lead isn't as shown for long. */
export function isLeaving(email: ProviderEmail | null, now: number): boolean {
  if (email === null || email.state !== 'queued') return false;
  return email.nextAttemptAt === null || Date.parse(email.nextAttemptAt) - now < leavingMs;
}

/** Buttons, not links: the list behind changes its page with them. They keep the focus at the list's ends. */
function NeighborNav({ position, previous, next, isBusy }: Neighbors) {
  return (
    <Nav aria-label={workCopy.neighbors}>
      <Step
        type="button"
        aria-label={workCopy.previous}
        title={`${workCopy.previous} (K)`}
        aria-disabled={previous === null || isBusy}
        onClick={isBusy ? undefined : (previous ?? undefined)}
      >
        <ArrowLeft />
      </Step>
      <Position aria-live="polite">{position}</Position>
      <Step
        type="button"
        aria-label={workCopy.next}
        title={`${workCopy.next} (J)`}
        aria-disabled={next === null || isBusy}
        onClick={isBusy ? undefined : (next ?? undefined)}
      >
        <ArrowRight />
      </Step>
    </Nav>
  );
}

/** J, K, E, A, R and N, unless somebody types, a modifier is pressed, another dialog is open, or single keys are off. */
function useDrawerKeys(neighbors: Neighbors | null, content: RefObject<HTMLElement | null>): void {
  const [isOn] = useShortcutSwitch();
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (isTyping(target) || findTopLayer()?.contains(content.current) !== true) return;
    const find = (selector: string) => content.current?.querySelector<HTMLElement>(selector);
    const mayMove = neighbors !== null && !neighbors.isBusy;
    const act = {
      j: mayMove ? neighbors.next : null,
      k: mayMove ? neighbors.previous : null,
      e: () => find('[data-email]')?.click(),
      a: () => find('[data-actions] button:enabled')?.click(),
      // What it sends can't be undone: Enter decides.
      r: () => find('[data-resend]')?.focus(),
      n: () => find('textarea[name=note]')?.focus(),
    }[key];
    if (act == null) return;
    event.preventDefault();
    // Not on the same button of another lead, where Enter would send.
    if (key === 'j' || key === 'k') content.current?.focus({ preventScroll: true });
    act();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn]);
}

const Head = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.625rem;
`;

const Nav = styled.nav`
  display: flex;
  align-items: center;
  gap: 0.25rem;
  min-block-size: 2rem;
  margin-inline-start: -0.5rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }
`;

const Step = styled(IconButton)`
  inline-size: 2rem;
  block-size: 2rem;

  ${media.touch} {
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }

  &[aria-disabled='true'] {
    color: ${token.muted};
    cursor: default;
  }

  & > svg {
    inline-size: 1.125rem;
    block-size: 1.125rem;
  }
`;

const Position = styled.span`
  color: ${token.muted};
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
`;

const Stage = styled.p<{ $isLate: boolean }>`
  color: ${({ $isLate }) => ($isLate ? token.warning : token.foreground)};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.4;
  /* Two lines, so that a change of its words moves no button. */
  min-block-size: 2.8em;
`;
