import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { durationText } from '#shared/formats/durations.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Warning } from '#client/ui/Alert.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import type { QueueHealth } from '#shared/admin/adminDeliveries.ts';
import { deliveryChannelNames } from '#shared/admin/deliveries.ts';
import type { DeliverySearchFilter } from './DeliveryFilters.tsx';
import { queueCopy as copy } from './copy.ts';
import { refetchMs } from './useDeliveries.ts';

const lateSeconds = 60;

type BuildHref = (filter: DeliverySearchFilter) => string;

/** Figures of the queue that link to the deliveries they count, and a warning when nothing is sent. */
export function QueueFigures({ buildHref }: { buildHref: BuildHref }) {
  const { data, error, refetch } = adminApi.admin.deliveries.queueHealth.useQuery(undefined, {
    refetchOnMount: 'always',
    refetchInterval: refetchMs,
    trpc: { context: { isBackground: true } },
  });
  return (
    <Panel aria-label={copy.label} aria-busy={data === undefined && error === null}>
      <QueueWarning health={data} />
      <LoadFailure error={error} fallback={copy.loadFailed} onRetry={() => void refetch()} />
      {data === undefined && error !== null ? null : (
        <Figures>
          {buildFigures(data, buildHref).map(({ name, figure, isWide = false }) => (
            <div key={name} data-wide={isWide ? '' : undefined}>
              <dt>{name}</dt>
              <dd>{figure ?? <Skeleton $width="3rem" />}</dd>
            </div>
          ))}
        </Figures>
      )}
    </Panel>
  );
}

/** A problem of the whole queue. Its text has no figures, so the permanent live region announces it once. */
function QueueWarning({ health }: { health: QueueHealth | undefined }) {
  const warning = health === undefined ? null : buildWarning(health);
  return <div aria-live="polite">{warning === null ? null : <Warning {...warning} />}</div>;
}

function buildWarning({
  workers,
  oldestDueSeconds,
  overHourlyLimit,
}: QueueHealth): { title: string; message: string } | null {
  if (workers === 0) return { title: copy.warning, message: copy.noWorkers };
  const isLate = oldestDueSeconds !== null && oldestDueSeconds > lateSeconds;
  if (isLate) return { title: copy.lateTitle, message: copy.late };
  return overHourlyLimit > 0 ? { title: copy.limitTitle, message: copy.limit } : null;
}

interface Figure {
  name: string;
  /** Null while it loads. */
  figure: ReactNode;
  /** It has a line of its own. */
  isWide?: boolean;
}

function buildFigures(data: QueueHealth | undefined, buildHref: BuildHref): Figure[] {
  const figure = (draw: (health: QueueHealth) => ReactNode): ReactNode =>
    data === undefined ? null : draw(data);
  return [
    {
      name: copy.queued,
      figure: figure(({ queued }) => (
        <Count href={buildHref({ state: 'queued' })} of={copy.number(queued)} what={copy.show.queued} />
      )),
    },
    { name: copy.oldest, figure: figure(oldestText) },
    {
      name: copy.failed,
      figure: figure(({ failedIn24Hours: failed }) => (
        <Count href={buildHref({ state: 'failed' })} of={copy.number(failed)} what={copy.show.failed} />
      )),
    },
    { name: copy.workers, figure: figure(({ workers }) => copy.number(workers)) },
    {
      name: copy.held,
      figure: figure(({ held }) => (
        <Count
          href={buildHref({ state: 'held' })}
          of={copy.number(heldCount(held))}
          what={copy.show.allHeld}
        />
      )),
    },
    ...(data === undefined || data.held.length === 0
      ? []
      : [
          {
            name: copy.heldReasons,
            figure: <HeldList held={data.held} buildHref={buildHref} />,
            isWide: true,
          },
        ]),
  ];
}

function heldCount(held: QueueHealth['held']): number {
  return held.reduce((sum, { count }) => sum + count, 0);
}

function HeldList({ held, buildHref }: Pick<QueueHealth, 'held'> & { buildHref: BuildHref }) {
  return held.map(({ channel, reason, count }) => (
    <HeldRow key={`${channel} ${reason}`}>
      <Count
        href={buildHref({ state: 'held', channel })}
        of={copy.heldOf(deliveryChannelNames[channel], count)}
        what={copy.show.held}
      />
      <small>{reason}</small>
    </HeldRow>
  ));
}

function oldestText({ oldestDueSeconds }: QueueHealth): string {
  return oldestDueSeconds === null ? copy.noneDue : durationText(Math.max(0, Math.round(oldestDueSeconds)));
}

function Count({ href, of, what }: { href: string; of: string; what: string }) {
  return (
    <CountLink href={href}>
      {of}
      <VisuallyHidden> {what}</VisuallyHidden>
    </CountLink>
  );
}

const CountLink = styled(Link)`
  ${media.touch} {
    display: inline-grid;
    align-content: center;
    min-inline-size: 2.75rem;
    min-block-size: 2.75rem;
  }
`;

const Panel = styled.section`
  display: grid;
  grid-template-columns: minmax(0, 1fr);

  /* Without a warning, the live region takes no space. */
  & > [aria-live]:not(:empty),
  & > [role='alert'] {
    margin-block-end: 0.75rem;
  }
`;

const Figures = styled.dl`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 1rem 1.5rem;
  margin: 0;
  padding: 1rem 1.25rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  font-variant-numeric: tabular-nums;
  line-height: 1.4;

  ${media.tablet} {
    grid-template-columns: repeat(5, minmax(0, 1fr));
  }

  & dt {
    color: ${token.muted};
    font-size: 0.8125rem;
    font-weight: 600;
  }

  & dd {
    margin: 0;
    color: ${token.primary};
    font-size: 1.125rem;
    font-weight: 700;
  }

  /* The reasons, which are sentences. */
  & > [data-wide] {
    grid-column: 1 / -1;
  }
`;

const HeldRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 0.75rem;
  font-size: 0.9375rem;

  & > small {
    color: ${token.muted};
    font-size: 0.875rem;
    font-weight: 400;
  }
`;
