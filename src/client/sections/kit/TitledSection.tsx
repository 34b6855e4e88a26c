import type { ReactNode } from 'react';
import { Eyebrow, Lead, Section, type SectionTone, Title } from '#client/ui/Section.tsx';

interface SectionCopy {
  id: string;
  eyebrow: string;
  title: string;
  lead?: ReactNode;
}

interface SectionIntroProps {
  copy: Pick<SectionCopy, 'eyebrow' | 'title' | 'lead'>;
  titleId: string;
}

/** The eyebrow, title and lead that a section starts with. */
export function SectionIntro({ copy: { eyebrow, title, lead }, titleId }: SectionIntroProps) {
  return (
    <>
      <Eyebrow>{eyebrow}</Eyebrow>
      <Title id={titleId}>{title}</Title>
      {lead === undefined || lead === '' ? null : <Lead>{lead}</Lead>}
    </>
  );
}

export interface TitledSectionProps {
  copy: SectionCopy;
  /** Id of the title, which names the section. */
  titleId: string;
  tone?: SectionTone;
  children: ReactNode;
}

/** A section whose content follows its intro. */
export function TitledSection({ copy, titleId, tone = 'plain', children }: TitledSectionProps) {
  return (
    <Section id={copy.id} tone={tone} labelledBy={titleId}>
      <SectionIntro copy={copy} titleId={titleId} />
      {children}
    </Section>
  );
}
