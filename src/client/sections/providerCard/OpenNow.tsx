import { useEffect, useState } from 'react';
import { openingTexts } from '#shared/formats/openingTexts.ts';
import { type Opening, readOpening } from '#shared/providers/openingHours.ts';
import type { TenantView } from '#shared/providers/tenant.ts';

const everyMs = 15_000;

type Hours = Pick<TenantView, 'hours' | 'timeZone' | 'city' | 'openNow'>;

/** With the time there. Short, so that a line of a phone holds both times. Here, as no other page needs it. */
export function writeWithClock({ isOpen, until, clock }: Opening, city: string | null): string {
  if (until === null)
    return `${openingTexts.until({ isOpen, until })}, ${clock} ${city === null ? 'local time' : `in ${city}`}`;
  const shortDay = until.replace(/^(\w{3})\w*day/, '$1');
  return `${isOpen ? 'Open' : 'Closed'}, ${clock} · ${isOpen ? 'until' : 'opens'} ${shortDay}`;
}

interface OpenNowProps {
  provider: Hours;
  /** Defined outside components. */
  write?: (opening: Opening, city: string | null) => string;
}

/**
 * Whether a provider is open: at first as the server knew it, then with the time there. Browsers don't get the server's
 * text, so hydration leaves it as it is.
 */
export function OpenNow({ provider, write = writeWithClock }: OpenNowProps) {
  const { hours, timeZone, city, openNow } = provider;
  const [text, setText] = useState(openNow ?? '');
  useEffect(() => {
    function show(): void {
      const opening = readOpening({ hours, timeZone }, new Date());
      // An old browser may lack a zone: the server's text stays.
      if (opening !== null) setText(write(opening, city));
    }
    show();
    const timer = setInterval(show, everyMs);
    return () => clearInterval(timer);
  }, [hours, timeZone, city, write]);
  if (hours === null || timeZone === null) return null;
  return (
    <p data-open-now="" suppressHydrationWarning>
      {text}
    </p>
  );
}
