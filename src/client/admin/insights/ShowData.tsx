import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { insightCopy } from './copy.ts';

/** The numbers behind a drawing, folded. */
export function ShowData({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Folded>
      <summary>
        {insightCopy.showData}
        <VisuallyHidden>: {title}</VisuallyHidden>
      </summary>
      {children}
    </Folded>
  );
}

const Folded = styled.details`
  font-size: 0.875rem;

  & > summary {
    inline-size: fit-content;
    padding-block: 0.375rem;
    color: ${token.primary};
    font-weight: 600;
    cursor: pointer;

    ${media.touch} {
      padding-block: 0.75rem;
    }
  }
`;
