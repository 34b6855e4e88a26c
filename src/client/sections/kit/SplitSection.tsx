import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';
import { Section } from '#client/ui/Section.tsx';
import { SectionIntro, type TitledSectionProps } from './TitledSection.tsx';

/** `list`: a narrow intro beside long content. `wide`: the same, centered. `even`: two equal columns, centered. */
type SplitLayout = 'list' | 'wide' | 'even';

interface SplitSectionProps extends TitledSectionProps {
  layout?: SplitLayout;
  /** Distance between the columns where they are stacked. */
  stackGap?: string;
  /** Below the intro, in its column. */
  aside?: ReactNode;
  /** Below both columns. */
  after?: ReactNode;
}

/** A section with its intro in one column and its content in the other. Narrow screens stack them. */
export function SplitSection({
  copy,
  titleId,
  tone = 'plain',
  layout = 'list',
  stackGap = '2.5rem',
  aside,
  after,
  children,
}: SplitSectionProps) {
  return (
    <Section id={copy.id} tone={tone} labelledBy={titleId}>
      <Columns $layout={layout} $stackGap={stackGap}>
        <div>
          <SectionIntro copy={copy} titleId={titleId} />
          {aside}
        </div>
        {children}
      </Columns>
      {after}
    </Section>
  );
}

const Columns = styled.div<{ $layout: SplitLayout; $stackGap: string }>`
  display: grid;
  gap: ${({ $stackGap }) => $stackGap};

  ${media.desktop} {
    grid-template-columns: ${({ $layout }) => ($layout === 'even' ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 4fr) minmax(0, 7fr)')};
    align-items: ${({ $layout }) => ($layout === 'list' ? 'normal' : 'center')};
    gap: 5rem;
  }
`;
