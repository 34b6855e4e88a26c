import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import type { ExplainerVideo } from '#shared/pages/brandContent.ts';
import { explainer } from '#shared/brand/recruitment.ts';
import { ProtocolParts } from './ProtocolParts.tsx';
import { VideoFacade } from './VideoFacade.tsx';

/** What the protocol is: the brand's video, or drawings of its parts if there is none. */
export function ExplainerSection({ video }: { video: ExplainerVideo | null }) {
  return (
    <SplitSection copy={explainer} titleId="explainer-title" layout="wide">
      {video === null ? <ProtocolParts /> : <VideoFacade video={video} />}
    </SplitSection>
  );
}
