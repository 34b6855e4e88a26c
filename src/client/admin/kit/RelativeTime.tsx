import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { adminCopy } from '#shared/admin/copy.ts';
import { Muted } from './layout.tsx';
import { aheadText, clockText, dayText, instantHint, instantText, relativeText } from './times.ts';

const tickMs = 30_000;
const dayMs = 86_400_000;

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
  /** In a narrow column: for a day, how long ago it was, without the time. */
  isShort?: boolean;
}

/** A date, and below it the time, for a day also how long ago it was. All in the viewer's time zone. */
export function RelativeTime({ iso, now, isShort = false }: RelativeTimeProps) {
  if (iso === null) return adminCopy.none;
  const isRecent = now - Date.parse(iso) < dayMs;
  const ago = relativeText(iso, now);
  return (
    <Stamp dateTime={iso} title={instantHint(iso)}>
      {dayText(iso)}{' '}
      <Muted>{!isRecent ? clockText(iso) : isShort ? ago : `${clockText(iso)} · ${ago}`}</Muted>
    </Stamp>
  );
}

/** How long ago something of today was, else its date: where a line has no room for both. */
export function BriefTime({ iso, now }: { iso: string; now: number }) {
  return (
    <time dateTime={iso} title={instantHint(iso)}>
      {now - Date.parse(iso) < dayMs ? relativeText(iso, now) : dayText(iso)}
    </time>
  );
}

/** How soon something happens. */
export function Upcoming({ iso, now }: { iso: string; now: number }) {
  return (
    <time dateTime={iso} title={instantHint(iso)}>
      {aheadText(iso, now)}
    </time>
  );
}

/** A date with its time in the viewer's time zone, and in UTC as a tooltip. */
export function Instant({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={instantHint(iso)}>
      {instantText(iso)}
    </time>
  );
}

const Stamp = styled.time`
  display: inline-grid;
  white-space: nowrap;
`;
