import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';
import { Eyebrow, Lead, Section, Title } from '#client/ui/Section.tsx';
import type { ExplainerVideo } from '#shared/pages/brandContent.ts';
import { explainer } from '#shared/brand/recruitment.ts';
import { ProtocolParts } from './ProtocolParts.tsx';
import { VideoFacade } from './VideoFacade.tsx';

/** What the protocol is: the brand's video, or its parts, drawn, as long as there is none. */
export function ExplainerSection({ video }: { video: ExplainerVideo | null }) {
  return (
    <Section id={explainer.id} labelledBy="explainer-title">
      <Columns>
        <div>
          <Eyebrow>{explainer.eyebrow}</Eyebrow>
          <Title id="explainer-title">{explainer.title}</Title>
          <Lead>{explainer.lead}</Lead>
        </div>
        {video === null ? <ProtocolParts /> : <VideoFacade video={video} />}
      </Columns>
    </Section>
  );
}

const Columns = styled.div`
  display: grid;
  gap: 2.5rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 4fr) minmax(0, 7fr);
    gap: 5rem;
    align-items: center;
  }
`;
