import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { aheadText, clockText, dayText, instantText, relativeText } from './times.ts';

const tickMs = 30_000;

/** The current time, updated twice a minute: '5 minutes ago' stays correct. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface RelativeTimeProps {
  iso: string | null;
  now: number;
}

/**
 * A date, and below it how long ago it was. While the row has the pointer or the focus, the time replaces the latter.
 */
export function RelativeTime({ iso, now }: RelativeTimeProps) {
  if (iso === null) return adminCopy.none;
  return (
    <Stamp dateTime={iso} title={instantText(iso)}>
      {dayText(iso)}
      <Ago aria-hidden="true">
        <span data-ago="">{relativeText(iso, now)}</span>
        <span data-clock="">{clockText(iso)}</span>
      </Ago>
      <VisuallyHidden>, {instantText(iso)}</VisuallyHidden>
    </Stamp>
  );
}

/** How soon something happens. While the row has the pointer or the focus, the time replaces it. */
export function Upcoming({ iso, now }: { iso: string; now: number }) {
  return (
    <Stamp dateTime={iso} title={instantText(iso)}>
      <Ago aria-hidden="true">
        <span data-ago="">{aheadText(iso, now)}</span>
        <span data-clock="">{clockText(iso)}</span>
      </Ago>
      <VisuallyHidden>{instantText(iso)}</VisuallyHidden>
    </Stamp>
  );
}

const Stamp = styled.time`
  position: relative;
  display: inline-grid;
  white-space: nowrap;
`;

const Ago = styled.span`
  display: inline-grid;
  color: ${token.muted};
  font-size: 0.8125rem;

  /* Both use the same cell, so the column keeps its width. */
  & > span {
    grid-area: 1 / 1;
  }

  & > [data-clock],
  :is(tr, li):is(:hover, :focus-within) & > [data-ago] {
    visibility: hidden;
  }

  :is(tr, li):is(:hover, :focus-within) & > [data-clock] {
    visibility: visible;
  }
`;
