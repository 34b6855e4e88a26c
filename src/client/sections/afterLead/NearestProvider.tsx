import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { carryDraft } from '#client/forms/lead/formDraft.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Span } from '#client/ui/Span.tsx';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { success } from '#shared/brand/success.ts';
import { requestPath } from '#shared/pages/site.ts';

interface NearestProviderProps {
  id: number;
  name: string;
  distanceMiles: number | null;
  /** Its contacts. */
  children: ReactNode;
}

/** The nearest provider beyond reach. Its own form takes a request, with what was typed for this lead. */
export function NearestProvider({ id, name, distanceMiles, children }: NearestProviderProps) {
  return (
    <Box>
      <p>
        {success.noProvider.closest} <strong>{name}</strong>
      </p>
      {distanceMiles === null ? null : (
        <Span
          label={matchPreviewTexts.distance(distanceMiles)}
          end={1}
          startText={matchPreviewTexts.you}
          endText={matchPreviewTexts.miles(distanceMiles)}
        />
      )}
      {children}
      <ButtonLink href={requestPath(id)} size="large" onClick={() => carryDraft('microsite')}>
        {success.noProvider.request}
      </ButtonLink>
    </Box>
  );
}

const Box = styled.div`
  display: grid;
  gap: 1rem;
  margin-block: 1rem 2rem;
`;
