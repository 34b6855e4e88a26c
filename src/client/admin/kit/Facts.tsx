import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { touchTarget } from '#client/ui/Table.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';

/** A section of the drawer with its title. */
export function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <PartTitle>{title}</PartTitle>
      {children}
    </section>
  );
}

/** A name and its value, for a FactList. Without a value, nothing is rendered. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const PartTitle = styled(SmallTitle)`
  margin-block-end: 0.5rem;
  padding-block-end: 0.375rem;
  border-block-end: 1px solid ${token.line};
  font-size: 1.0625rem;
`;

export const FactList = styled.dl`
  display: grid;
  gap: 0.375rem;
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.45;

  & > div {
    display: grid;
    grid-template-columns: 7rem minmax(0, 1fr);
    align-items: baseline;
    gap: 0.75rem;
  }

  & dt {
    color: ${token.muted};
  }

  & dd {
    overflow-wrap: anywhere;
  }

  ${media.touch} {
    & dd a {
      ${touchTarget}
    }
  }
`;
