import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { Facts } from '#client/admin/kit/Facts.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { media, noFocusRing, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { ArrowLeft } from '#client/ui/Icon.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import type { ProviderDetail, ProviderPart } from '#shared/admin/adminProviders.ts';
import { ProviderDomain } from '../ProviderDomain.tsx';
import { ProviderFields } from '../ProviderForm.tsx';
import { PausedBadge } from '../ProviderRow.tsx';
import { ProviderSettings } from '../ProviderSettings.tsx';
import { providerCopy } from '../copy.ts';
import { ProviderEmail } from './ProviderEmail.tsx';
import { ProviderLeads } from './ProviderLeads.tsx';
import { ProviderResults } from './ProviderResults.tsx';
import { ProviderSite } from './ProviderSite.tsx';
import { ProviderSource } from './ProviderSource.tsx';
import { pageCopy as copy } from './copy.ts';

interface ProviderPageProps {
  id: number;
  /** The part that gets the focus. */
  part: ProviderPart | undefined;
  canChange: boolean;
  /** The link to the list. */
  backHref: string;
}

/** Everything about one provider. */
export function ProviderPage({ id, part, canChange, backHref }: ProviderPageProps) {
  const { data, error, refetch } = adminApi.admin.providers.detail.useQuery({ id });
  const title = useRef<HTMLHeadingElement>(null);
  const isLoaded = data !== undefined;
  useEffect(() => {
    window.scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (isLoaded && part !== undefined) document.querySelector<HTMLElement>(`#provider-${part}`)?.focus();
  }, [part, isLoaded]);
  return (
    <Page>
      <Back href={backHref}>
        <ArrowLeft />
        {copy.back}
      </Back>
      <Row>
        <Title as="h2" ref={title} tabIndex={-1}>
          {data?.provider.name ?? copy.loading}
        </Title>
        {data === undefined ? null : <States detail={data} />}
      </Row>
      <LoadFailure error={error} fallback={copy.failed} onRetry={() => void refetch()} />
      {data === undefined ? (
        error === null && <Skeleton $width="60%" />
      ) : (
        <Content detail={data} canChange={canChange} />
      )}
    </Page>
  );
}

function States({ detail: { provider } }: { detail: ProviderDetail }) {
  const isActive = provider.status === 't';
  return (
    <>
      <Badge tone={isActive ? 'success' : 'neutral'}>
        {isActive ? providerCopy.active : providerCopy.inactive}
      </Badge>
      {provider.paused ? <PausedBadge /> : null}
      <Practice>{provider.practiceName ?? provider.address ?? provider.zipCode}</Practice>
    </>
  );
}

function Content({ detail, canChange }: { detail: ProviderDetail; canChange: boolean }) {
  const { provider, defaultRadiusMiles, wordpressUrl } = detail;
  return (
    <>
      <Columns>
        <div>
          <ProviderResults detail={detail} />
          <ProviderLeads providerId={provider.id} />
        </div>
        <div>
          <ProviderEmail detail={detail} canChange={canChange} />
          <ProviderSource detail={detail} />
          <Part id="provider-domain" tabIndex={-1}>
            <Facts title={copy.domain}>
              <ProviderDomain provider={provider} />
            </Facts>
          </Part>
          <ProviderSite provider={provider} />
        </div>
      </Columns>
      {canChange ? (
        <Columns>
          <Part id="provider-settings" tabIndex={-1}>
            <Facts title={providerCopy.settings}>
              <ProviderSettings provider={provider} defaultRadiusMiles={defaultRadiusMiles} />
            </Facts>
          </Part>
          <Part id="provider-details" tabIndex={-1}>
            <Facts title={providerCopy.form.open}>
              <ProviderFields provider={provider} wordpressUrl={wordpressUrl} />
            </Facts>
          </Part>
        </Columns>
      ) : null}
    </>
  );
}

const Page = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.75rem;
  padding-block-start: 0.5rem;
`;

const Back = styled(Link)`
  display: flex;
  align-items: center;
  gap: 0.375rem;
  justify-self: start;
  min-block-size: 2rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  & > svg {
    inline-size: 1rem;
  }
`;

const Title = styled(SmallTitle)`
  overflow-wrap: anywhere;
  ${noFocusRing}
`;

const Practice = styled.span`
  color: ${token.muted};
  overflow-wrap: anywhere;
`;

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 2rem;
  margin-block-end: 1.25rem;

  & > div {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 2rem;
  }

  ${media.desktop} {
    grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    gap: 2.5rem;
  }
`;

const Part = styled.div`
  scroll-margin-block-start: 1rem;
  ${noFocusRing}
`;
