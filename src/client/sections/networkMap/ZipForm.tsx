import { type RefObject, type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { carryZip } from '#client/forms/lead/formDraft.ts';
import { media } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Field } from '#client/ui/Field.tsx';
import { network } from '#shared/brand/map.ts';
import type { FoundZip } from '#shared/leads/matching.ts';
import { zipInText } from '#shared/leads/zip.ts';

export const zipFormId = 'map-zip-form';

type Answer = FoundZip | 'unknown' | 'offline';

/** Sent in the body of a POST: a ZIP code is never in a URL. */
async function locate(zip: string): Promise<Answer> {
  try {
    const { trpcClient } = await import('#client/api/trpc.ts');
    return (await trpcClient.places.locateZip.mutate({ zip })) ?? 'unknown';
  } catch {
    return 'offline';
  }
}

/** The ZIP code of a shared search. Fragments stay in the browser. */
function readZipLink(): string | null {
  return zipInText(new URLSearchParams(window.location.hash.slice(1)).get('zip') ?? '');
}

/** Before the page with a provider's form is opened: it asks for the ZIP code that was searched here. */
export function carryZipLink(): void {
  if (searchedZip !== null) carryZip('microsite', searchedZip);
}

/** Null: none was. A link within the page takes it out of the address. */
let searchedZip: string | null = null;

/** Makes the page's address that of a search, to be copied; null: of none. */
export function writeZipLink(zip: string | null): void {
  searchedZip = zip;
  if (readZipLink() === zip) return;
  const { pathname, search } = window.location;
  window.history.replaceState(
    window.history.state,
    '',
    `${pathname}${search}${zip === null ? '' : `#zip=${zip}`}`,
  );
}

interface ZipFormProps {
  input: RefObject<HTMLInputElement | null>;
  onSearch: () => void;
  onFound: (place: FoundZip) => void;
  /** The entered text is no ZIP code that we know. */
  onUnknown: () => void;
}

/** A ZIP code to count distances from. */
export function ZipForm({ input, onSearch, onFound, onUnknown }: ZipFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState('');
  const [isSearching, setIsSearching] = useState(false);
  /** What was searched for last. Null for text that is no ZIP code. */
  const latest = useRef<string | null>(null);

  async function search(): Promise<void> {
    const zip = zipInText(input.current?.value ?? '');
    latest.current = zip;
    if (zip === null) {
      setIsSearching(false);
      setError(network.zip.invalid);
      onUnknown();
      input.current?.focus();
      return;
    }
    setError('');
    setIsSearching(true);
    onSearch();
    const answer = await locate(zip);
    // Another one was searched for since.
    if (latest.current !== zip) return;
    setIsSearching(false);
    if (typeof answer !== 'string') onFound(answer);
    else setError(network.zip[answer]);
    if (answer === 'unknown') onUnknown();
  }

  const searchShared = useEffectEvent(() => {
    const zip = readZipLink();
    const field = form.current?.querySelector('input');
    if (zip === null || field === null || field === undefined) return;
    field.value = zip;
    void search();
  });
  useEffect(() => {
    // Sent with Enter before the page was live (server/render/document.ts).
    if (form.current?.dataset['sentEarly'] !== undefined) form.current.requestSubmit();
    else searchShared();
    window.addEventListener('hashchange', searchShared);
    return () => window.removeEventListener('hashchange', searchShared);
  }, []);

  function onSubmit(event: SyntheticEvent): void {
    event.preventDefault();
    if (!isSearching || zipInText(input.current?.value ?? '') !== latest.current) void search();
  }

  return (
    // Sent by the browser itself, it goes nowhere: the ZIP code must not become part of a query.
    <Form ref={form} id={zipFormId} method="dialog" data-waits="" noValidate onSubmit={onSubmit}>
      <ZipField
        ref={input}
        id="map-zip"
        name="zip"
        label={network.zip.label}
        error={error}
        type="text"
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={10}
      />
      <Button type="submit" variant="secondary" size="large" aria-disabled={isSearching}>
        {isSearching ? network.zip.searching : network.zip.submit}
      </Button>
    </Form>
  );
}

const Form = styled.form`
  scroll-margin-block-start: 1rem;
  display: grid;
  grid-template-columns: minmax(7rem, 1fr) auto;
  gap: 0.375rem 0.75rem;

  & > button {
    grid-area: 2 / 2;
    /* A long error widens the column. */
    justify-self: start;
    padding-inline: 1.25rem;
    font-size: 1rem;
    white-space: nowrap;
  }

  ${media.tablet} {
    grid-template-columns: 9.5rem auto;
  }
`;

/** Its parts are in the form's grid, so that the button is level with the input and the error has the whole width. */
const ZipField = styled(Field)`
  display: contents;

  & > label,
  & > p {
    grid-column: 1 / -1;
  }

  & > input {
    grid-area: 2 / 1;
  }
`;
